/**
 * A transaction of somebody's that makes records known and stays open, as "the row of your order and its record commit
 * together" has it: what others ask of the same pool is answered in time, and known records don't wait for it at all.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { POSTGRES_VERSIONS, type Row, row, rows, TestStore } from '../database.ts';

/** 2 s of waiting, and what a busy machine adds to it. */
const LONGEST_MS = 4_000;

for (const version of POSTGRES_VERSIONS) {
  describe(`an open transaction that makes records known on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    let other: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      other = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** What comes of `work`, and how long it takes, while another transaction enqueues `ids` and is open. */
    async function meanwhile<T>(
      pool: string,
      ids: readonly string[],
      versions: readonly string[] | null,
      work: () => Promise<T>,
    ): Promise<[T, number]> {
      await other.query('begin');
      await other.query('select leasehold.enqueue($1, $2, $3)', [pool, ids, versions]);
      const began = performance.now();
      try {
        return [await work(), performance.now() - began];
      } finally {
        await other.query('rollback');
      }
    }

    function claim(pool: string, ids: readonly string[], versions: readonly string[] | null = null): Promise<Row[]> {
      return rows(client, `select * from leasehold.claim($1, 'host:2', $2, versions => $3)`, [pool, ids, versions]);
    }

    function counts(claimed: readonly Row[]): Record<string, number> {
      const found: Record<string, number> = {};
      for (const { owned, why } of claimed) {
        const key = owned === true ? 'owned' : String(why);
        found[key] = (found[key] ?? 0) + 1;
      }
      return found;
    }

    function named(name: string, count: number): string[] {
      return Array.from({ length: count }, (_, n) => `${name}${n}`);
    }

    for (const [kind, known] of [
      ['a pool without versions', null],
      ['a pool with versions', ['1']],
    ] as const) {
      it(`a claim of 3,000 ids that it makes known ends in time, and says what was not tried, in ${kind}`, async () => {
        const pool = `3,000 in ${kind}`;
        await client.query('select leasehold.enqueue($1, $2, $3)', [pool, ['x'], known]);
        const ids = named('n', 3_000);
        const [claimed, tookMs] = await meanwhile(pool, ids, null, () => claim(pool, ids));
        assert.ok(tookMs < LONGEST_MS, `${tookMs} ms`);
        const { claimed: waited = 0, not_taken: left = 0, ...rest } = counts(claimed);
        assert.deepEqual([waited + left, rest], [3_000, {}]);
        assert.ok(waited >= 50 && left >= 1_000, `${waited} waited for, ${left} not tried`);
      });

      it(`a claim gets the ids that nobody has among as many that it makes known, in ${kind}`, async () => {
        const pool = `40 of 80 in ${kind}`;
        await client.query('select leasehold.enqueue($1, $2, $3)', [pool, ['x'], known]);
        const offered = named('n', 40).flatMap((id) => [id, `free-${id}`]);
        const [claimed, tookMs] = await meanwhile(pool, named('n', 40), null, () => claim(pool, offered));
        assert.deepEqual(counts(claimed), { owned: 40, claimed: 40 });
        assert.ok(claimed.every(({ id, owned }) => String(id).startsWith('free-') === owned));
        assert.ok(tookMs < LONGEST_MS, `${tookMs} ms`);
      });
    }

    it('a claim whose time is up gets the known records that come later in its offer', async () => {
      await client.query(`select leasehold.enqueue('late', array['known'])`);
      const ids = named('n', 3_000);
      const [claimed] = await meanwhile('late', ids, null, () => claim('late', [...ids, 'known']));
      assert.deepEqual(
        claimed.filter(({ owned }) => owned === true).map(({ id }) => id),
        ['known'],
      );
    });

    it('a claim and an enqueue of known records wait for no version that is being made known', async () => {
      await client.query(`select leasehold.enqueue('turn', array['a', 'b'], array['1', '1'])`);
      await client.query(`select leasehold.enqueue('turn', array['c'])`);
      const [answers, tookMs] = await meanwhile('turn', ['z'], ['1'], async () => [
        counts(await claim('turn', ['a'], ['1'])),
        counts(await claim('turn', ['c'])),
        (await row(client, `select * from leasehold.enqueue('turn', array['b', 'a'], array['1', '1'])`))['known'],
        (await row(client, `select * from leasehold.enqueue('turn', array['c'])`))['known'],
      ]);
      assert.deepEqual(answers, [{ owned: 1 }, { owned: 1 }, 2, 1]);
      assert.ok(tookMs < 900, `${tookMs} ms`);
    });

    it('a claim waits a second for its turn to make something known, and gets the known ones without it', async () => {
      await client.query(`select leasehold.enqueue('late turn', array['a'], array['1'])`);
      const [claimed, tookMs] = await meanwhile('late turn', ['z'], ['1'], () =>
        claim('late turn', ['new', 'a'], ['1', '1']),
      );
      assert.deepEqual(
        claimed.map(({ id, owned, why }) => [id, owned, why]),
        [
          ['a', true, null],
          ['new', false, 'not_taken'],
        ],
      );
      assert.ok(tookMs < LONGEST_MS, `${tookMs} ms`);
      assert.deepEqual(counts(await claim('late turn', ['new'], ['1'])), { owned: 1 });
    });

    it('the first version of a pool that is being made known is waited for by no claim of what is known', async () => {
      await client.query(`select leasehold.enqueue('first', array['a'])`);
      const [claimed, tookMs] = await meanwhile('first', ['a'], ['2'], () => claim('first', ['a', 'b'], ['', '']));
      assert.deepEqual(
        claimed.map(({ id, owned, why }) => [id, owned, why]),
        [
          ['a', false, 'claimed'],
          ['b', false, 'not_taken'],
        ],
        'the older one is being superseded',
      );
      assert.ok(tookMs < LONGEST_MS, `${tookMs} ms`);
    });
  });
}
