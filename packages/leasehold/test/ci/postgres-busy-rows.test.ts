/**
 * Calls on rows that another transaction keeps open: none waits for long, none fails for the sake of a neighbour, and
 * none is the victim of a deadlock, whatever order it names its records in.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import {
  failure,
  POSTGRES_VERSIONS,
  type Row,
  row,
  rows,
  someoneWaits,
  start,
  TestStore,
} from '../stores/postgres/database.ts';
import { backDateClaims, claimNext, fill, tokenOf } from '../stores/postgres/records/stage.ts';

for (const version of POSTGRES_VERSIONS) {
  describe(`records that others have locked on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    let other: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      other = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** What comes of `work` while another transaction that has said `statement` is open. */
    async function meanwhile<T>(statement: string, values: unknown[], work: () => Promise<T>): Promise<T> {
      await other.query('begin');
      await other.query(statement, values);
      try {
        return await work();
      } finally {
        await other.query('rollback');
      }
    }

    async function answers(pool: string, versions: string): Promise<string[]> {
      const claim = `select id, owned, why from leasehold.claim($1, 'host:2', array['a', 'b'], versions => ${versions})`;
      return (await rows(client, claim, [pool])).map(
        ({ id, owned, why }) => `${String(id)} ${owned === true ? 'owned' : String(why)}`,
      );
    }

    for (const versions of ['null', `array['1', '1']`]) {
      it(`a claim answers claimed of a record whose verdict is not committed, and gets the rest (${versions})`, async () => {
        const pool = `verdict ${versions}`;
        const claim = await rows(
          client,
          `select token from leasehold.claim($1, 'h', array['a'], versions => ${
            versions === 'null' ? 'null' : `array['1']`
          })`,
          [pool],
        );
        const found = await meanwhile(`select leasehold.failed($1, 'a', $2)`, [pool, claim[0]?.['token']], () =>
          answers(pool, versions),
        );
        assert.deepEqual(found, ['b owned', 'a claimed']);
      });

      it(`an enqueue knows a record whose verdict is not committed, and adds the rest (${versions})`, async () => {
        const pool = `known ${versions}`;
        const claim = await rows(
          client,
          `select token from leasehold.claim($1, 'h', array['a'], versions => ${
            versions === 'null' ? 'null' : `array['1']`
          })`,
          [pool],
        );
        const { added, known } = await meanwhile(
          `select leasehold.failed($1, 'a', $2)`,
          [pool, claim[0]?.['token']],
          () => row(client, `select * from leasehold.enqueue($1, array['a', 'b'], ${versions})`, [pool]),
        );
        assert.deepEqual([added, known], [1, 1]);
      });
    }

    it('an enqueue counts as added what it has added, also where a rival adds the same', async () => {
      await client.query(`select leasehold.enqueue('counted', array['v'], array['1'])`);
      await other.query('begin');
      await other.query(`select leasehold.enqueue('counted', array['a', 'b'])`);
      const enqueue = row(client, `select * from leasehold.enqueue('counted', array['b', 'c', 'a'])`);
      await someoneWaits(await test.client());
      await other.query('commit');
      const { added, known } = await enqueue;
      assert.deepEqual([added, known], [1, 2]);
    });

    for (const [kind, made, versions] of [
      ['a pool without versions', '', ''],
      ['a pool with versions', `select leasehold.enqueue($1, array['x'], array['1'])`, ''],
    ] as const) {
      it(`a claim leaves what another transaction is making known to that one, and gets the rest, in ${kind}`, async () => {
        const pool = `made known in ${kind}`;
        await client.query(made === '' ? `select leasehold.enqueue($1, array['x'])` : made, [pool]);
        const ids = Array.from({ length: 40 }, (_, n) => `n${n}`);
        const began = performance.now();
        const claimed = await meanwhile(`select leasehold.enqueue($1, array['n7', 'n23'])`, [pool], () =>
          rows(client, `select * from leasehold.claim($1, 'host:2', $2${versions})`, [pool, ids]),
        );
        assert.ok(performance.now() - began < 4_000);
        const refusals = claimed.filter(({ owned }) => owned === false);
        assert.deepEqual(
          refusals.map(({ id, why, claimed_by }) => [id, why, claimed_by]),
          [
            ['n7', 'claimed', null],
            ['n23', 'claimed', null],
          ],
        );
        assert.equal(claimed.length, 40);
        const later = await rows(client, `select id, owned from leasehold.claim($1, 'host:2', array['n7', 'n23'])`, [
          pool,
        ]);
        assert.deepEqual(
          later.map(({ owned }) => owned),
          [true, true],
          'the other one was rolled back',
        );
      });
    }

    it('a claim that has settled something waits no longer than that, and gets the rest', async () => {
      const pool = 'settles first';
      await client.query(`select leasehold.claim($1, 'host:1', array['s'], explicit_begin => true)`, [pool]);
      await backDateClaims(client, pool, 3_600_000);
      const claimed = await meanwhile(`select leasehold.enqueue($1, array['b'])`, [pool], () =>
        rows(client, `select id, owned, why from leasehold.claim($1, 'host:2', array['a', 'b', 'c'])`, [pool]),
      );
      assert.deepEqual(
        claimed.map(({ id, owned, why }) => [id, owned, why]),
        [
          ['a', true, null],
          ['c', true, null],
          ['b', false, 'claimed'],
        ],
      );
    });

    it('no claim, sweep or enqueue waits longer than 2 s for what another transaction keeps open', async () => {
      await fill(client, 'bound', 2);
      const held = await test.store.acquire(start('bound'));
      assert.ok(held.outcome === 'acquired');
      const open: readonly [string, string, string][] = [
        [`select leasehold.enqueue('new', array['a'])`, `claim_next('new', 'h')`, '55P03'],
        [
          `select from leasehold.locks where name = 'bound' for update`,
          `claim_next('bound', 'h', lock_token => '${held.token}')`,
          '55P03',
        ],
        [
          `select leasehold.claim_next('bound', 'h', 1, claim_id => 'k')`,
          `claim_next('bound', 'h', 1, claim_id => 'k')`,
          '55P03',
        ],
        [`select leasehold.enqueue('bound', array['v'], array['1'])`, `enqueue('bound', array['w'])`, '55P03'],
      ];
      for (const [statement, call, code] of open) {
        const began = performance.now();
        const failed = await meanwhile(statement, [], () => failure(client, `select leasehold.${call}`));
        assert.deepEqual([failed.code, performance.now() - began < 6_000], [code, true], call);
      }
    });

    it('a sweep passes by the row of a pool that another transaction is changing', async () => {
      await fill(client, 'changing', 1);
      const swept = await meanwhile(`select leasehold.enqueue('changing', array['v'], array['1'])`, [], () =>
        row(client, `select * from leasehold.sweep('changing')`),
      );
      assert.equal(swept['is_complete'], true);
    });

    it('a claim that goes on gets nothing when its lease has ended while it waited', async () => {
      const more = `select (c).* from leasehold.claim_records('ct', 'h', $1, $2, null, null, null, '1 second', 'X', null,
        false, null, '', true) c`;
      const claim = await row(client, more, [
        ['a', 'k'],
        ['1', '1'],
      ]);
      assert.equal(
        (await row(client, `select * from leasehold.done('ct', 'a', $1)`, [claim['token']]))['outcome'],
        'accepted',
      );
      await other.query('begin');
      await other.query(`select leasehold.enqueue('ct', array['zz'])`);
      const answer = row(client, more, [
        ['b', 'c'],
        ['1', '1'],
      ]);
      await someoneWaits(await test.client());
      await other.query('select pg_sleep(1.1)');
      await other.query('commit');
      assert.deepEqual([(await answer)['outcome'], (await answer)['owned']], ['claim_ended', '{}']);
      const claimed = await rows(
        client,
        `select id from leasehold.records where pool = 'ct' and state = 'claimed' and token = $1
        and id <> 'k'`,
        [claim['token']],
      );
      assert.deepEqual(claimed, []);
    });

    it('a claim that goes on gets nothing when its lease has ended while it waited for a new record', async () => {
      const more = `select (c).* from leasehold.claim_records('cn', 'h', $1, null, null, null, null, '1 second', 'X', null,
        false, null, '', true) c`;
      await rows(client, more, [['a']]);
      await other.query('begin');
      await other.query(`select leasehold.enqueue('cn', array['b'])`);
      const answer = row(client, more, [['b', 'c']]);
      await someoneWaits(await test.client());
      await other.query('select pg_sleep(1.1)');
      await other.query('commit');
      assert.deepEqual([(await answer)['outcome'], (await answer)['owned']], ['claim_ended', '{}']);
      assert.deepEqual(await rows(client, `select id from leasehold.records where pool = 'cn' and id = 'c'`, []), []);
    });

    it('a token that was given two versions of an id by hand says done of each in its turn', async () => {
      await client.query(`select leasehold.enqueue('two', array['a'], array['1'])`);
      const token = await tokenOf(claimNext(client, 'two', 1));
      await client.query(`select leasehold.enqueue('two', array['a'], array['2'])`);
      await client.query(
        `update leasehold.records set state = 'claimed', waits = false, has_newer = false, token = $1
        where pool = 'two'`,
        [token],
      );
      const said: Row[] = [];
      for (let times = 0; times < 2; times += 1) {
        said.push(await row(client, `select * from leasehold.done('two', 'a', $1, 'ref')`, [token]));
      }
      assert.deepEqual(
        said.map((each) => [each['outcome'], each['version']]),
        [
          ['accepted', '2'],
          ['accepted', '1'],
        ],
      );
    });
  });
}
