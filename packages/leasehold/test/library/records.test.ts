/**
 * The library's claims over real stores and the host's own clocks: a file, and PostgreSQL. What each rule is, is shown beside
 * it on a clock that tests move; here it is shown that the parts fit.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedRecord, type Leasehold, openLeasehold } from '../../src/index.ts';
import { POSTGRES_VERSIONS, TestStore } from '../stores/postgres/database.ts';

interface Opened extends AsyncDisposable {
  readonly url: string;
}

const STORES: readonly (readonly [name: string, open: () => Promise<Opened>])[] = [
  [
    'a file',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'library-records-'));
      const dispose = async (): Promise<void> => rmSync(folder, { recursive: true, force: true });
      return { url: `sqlite:${join(folder, 'leasehold.db')}`, [Symbol.asyncDispose]: dispose };
    },
  ],
  ...POSTGRES_VERSIONS.map(
    (version) =>
      [
        `PostgreSQL ${version}`,
        async () => {
          const test = await TestStore.open(version);
          return { url: test.database.url, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
        },
      ] as const,
  ),
];

async function withStore(open: () => Promise<Opened>, work: (leasehold: Leasehold) => Promise<void>): Promise<void> {
  await using opened = await open();
  await using leasehold = await openLeasehold(opened.url, { namespace: 'test' });
  await work(leasehold);
}

/** Workers that go from record to record, saying the verdict of one and the begin of the next at once. */
async function workAll(records: readonly ClaimedRecord[], workers: number): Promise<void> {
  const queue = records.values();
  const worker = async (): Promise<void> => {
    let before: ClaimedRecord | null = null;
    for (const record of queue) {
      const begun = record.begin();
      await Promise.all([begun, before?.done(`ref-${before.id}`)]);
      assert.equal((await begun).outcome, 'accepted');
      before = record;
    }
    await before?.done(`ref-${before.id}`);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

for (const [name, open] of STORES) {
  describe(`records of ${name}`, () => {
    it('are claimed, begun and done, each once, by two who claim at the same time', async () => {
      await withStore(open, async (leasehold) => {
        const pool = leasehold.pool('mails "ü"');
        const ids = Array.from({ length: 400 }, (_, n) => ({ id: `r'${n}"`, payload: { n, text: 'ü\\"' } }));
        const claims = await Promise.all(
          ['a', 'b'].map((holder) => pool.claim({ ids: holder === 'a' ? ids : ids.toReversed(), holder, limit: 300 })),
        );
        const owned = claims.flatMap((claim) => claim.owned);
        assert.equal(new Set(owned.map(({ id }) => id)).size, owned.length);
        assert.equal(owned.length, 400);
        assert.deepEqual(owned[0]?.payload, { n: Number(owned[0]?.id.slice(2, -1)), text: 'ü\\"' });
        await workAll(owned, 20);
        const status = await pool.status();
        assert.deepEqual([status?.done, status?.claimed], [400, 0]);
        const [row] = await pool.records({ id: `r'7"` });
        assert.equal(row?.effectKey, 'e3183b6d-6952-836c-8207-77fdb6de0d90', 'the same in every store');
        const again = await pool.claim({ ids, limit: 400 });
        assert.deepEqual([again.owned.length, again.refused[0]?.why], [0, 'done']);
      });
    });

    it('stay claimed while a lease of a second is renewed, and go back when their claim is left', async () => {
      await withStore(open, async (leasehold) => {
        const pool = leasehold.pool('mails');
        {
          await using claim = await pool.claim({ ids: ['a', 'b'], leaseMs: 1_000 });
          await claim.owned[0]?.begin();
          for (let step = 0; step < 40; step += 1) await sleep(50);
          assert.equal(claim.signal.aborted, false);
          assert.equal((await claim.owned[0]?.done('x'))?.outcome, 'accepted');
        }
        const rows = await pool.records();
        assert.deepEqual(
          rows.map(({ state }) => state),
          ['done', 'queued'],
        );
      });
    });

    it('are asked for by sweep, decided about by a person, and counted by advise', async () => {
      await withStore(open, async (leasehold) => {
        const pool = leasehold.pool('mails');
        await pool.configure({ verifier: { kind: 'function' }, reason: 'the provider can be searched' });
        await pool.enqueue(['a', 'b', 'c']);
        await using claim = await pool.claim();
        await Promise.all(claim.owned.map((record) => record.begin()));
        await Promise.all(claim.owned.map((record) => record.unknown(new Error('timed out'))));
        const report = await pool.sweep({
          verifier: {
            commitDelayMs: 0,
            visibilityDelayMs: 0,
            lookup: ({ id }) =>
              id === 'c' ? { kind: 'unknown', error: 'no access' } : { kind: 'found', providerRef: `mail-${id}` },
          },
        });
        assert.deepEqual([report.done, report.review, report.asked, report.toAsk], [2, 1, 3, 0]);
        assert.equal((await pool.review({ id: 'c', action: 'requeue', reason: 'again' })).state, 'queued');
        assert.equal((await pool.advise()).sample.records, 2);
        const kinds = (await leasehold.events({ pool: 'mails' })).map(({ kind }) => kind);
        assert.deepEqual(kinds.toSorted(), ['record.requeued', 'record.review', 'settings.changed']);
      });
    });
  });
}
