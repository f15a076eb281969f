/**
 * Claims proven by what they are for: a provider that sends whatever it accepts, and counts by itself. Processes are killed at
 * random moments, answers are lost, mails go out late, and the search shows them late. The verdict is the provider's.
 *
 * The negative controls take one guard out and see the same crowd send twice.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openLeasehold } from '../../src/index.ts';
import type { Edit } from '../edit-source.ts';
import { POSTGRES_VERSIONS, TestStore } from '../stores/postgres/database.ts';
import { type MailFaults, MailProvider } from '../targets/mail-provider.ts';
import { seeded, workInCrowd } from '../race/records-crowd.ts';

const FAULTS: MailFaults = {
  lostAnswers: 0.04,
  lateEffects: 0.02,
  unavailable: 0.02,
  answerMs: 5,
  commitDelayMs: 300,
  visibilityDelayMs: 300,
};

interface Killing {
  readonly records: number;
  readonly processes: number;
  readonly kills: number;
  readonly edits?: readonly Edit[];
}

interface Killed {
  readonly counts: ReadonlyMap<string, number>;
  readonly doubled: readonly string[];
  readonly done: number;
  readonly review: number;
}

/** A pool of records, worked by processes that are killed; then what the provider and the store say of it. */
async function workAndKill(context: TestContext, url: string, killing: Killing): Promise<Killed> {
  const seed = Number(process.env['LEASEHOLD_CROWD_SEED'] ?? Math.floor(Math.random() * 1e9));
  context.diagnostic(`LEASEHOLD_CROWD_SEED=${seed}`);
  const random = seeded(seed);
  await using leasehold = await openLeasehold(url);
  const pool = leasehold.pool('mails');
  await pool.configure({ leaseMs: 3_000, callTimeoutMs: 1_000, attempts: 100, verifier: { kind: 'function' } });
  await pool.enqueue(Array.from({ length: killing.records }, (_, n) => `row-${n}`));
  await using provider = await MailProvider.open(FAULTS, random);
  await workInCrowd({ url, provider: provider.url, args: ['queue'], random, ...killing });
  const status = await pool.status();
  context.diagnostic(`${provider.requests} requests, ${provider.lookups} look-ups, ${provider.sent.length} mails`);
  return {
    counts: provider.counts(),
    doubled: provider.doubled(),
    done: status?.done ?? 0,
    review: status?.review ?? 0,
  };
}

async function withSqlite<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'records-store-'));
  try {
    return await work(`sqlite:${join(folder, 'leasehold.db')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function assertOnce({ counts, doubled, done, review }: Killed, records: number): void {
  assert.deepEqual(doubled, [], 'nothing was sent twice');
  assert.equal(counts.size, records, 'nothing was left out');
  assert.deepEqual({ done, review }, { done: records, review: 0 });
}

const FULL: Killing = { records: 1_500, processes: 4, kills: 12 };

describe('1,500 records, four processes of which twelve are killed, lost answers and late effects', () => {
  it('are sent once each on SQLite', async (context) => {
    const killed = await withSqlite((url) => workAndKill(context, url, FULL));
    assertOnce(killed, FULL.records);
  });

  for (const version of POSTGRES_VERSIONS) {
    it(`are sent once each on PostgreSQL ${version}`, async (context) => {
      await using test = await TestStore.open(version);
      assertOnce(await workAndKill(context, test.database.url, FULL), FULL.records);
    });
  }
});

const CONTROLS: Record<string, readonly Edit[]> = {
  'what the provider does not show yet counts as not sent': [
    {
      file: 'domain/records/decide-lookup.ts',
      from: "if (askedAt < settledAt) return waitOrReview(scene, 'an effect might not be visible yet');",
      to: '',
    },
  ],
  'an unknown outcome is a failure': [
    {
      file: 'domain/records/decide-verdict.ts',
      from: "if (spoken === 'unknown')",
      to: 'if (false)',
    },
    { file: 'domain/records/backoff.ts', from: 'const BACKOFF_MS_MIN = 30_000;', to: 'const BACKOFF_MS_MIN = 1;' },
  ],
};

describe('the same crowd sends twice', () => {
  for (const [broken, edits] of Object.entries(CONTROLS)) {
    it(`where ${broken}`, async (context) => {
      const small: Killing = { records: 400, processes: 3, kills: 2, edits };
      const { doubled } = await withSqlite((url) => workAndKill(context, url, small));
      assert.notEqual(doubled.length, 0);
    });
  }
});

const ROWS = 4_000;

/** Two runs that read the same rows, as two ticks of one schedule do where the first takes too long. */
async function overlap(url: string, edits: readonly Edit[] = []): Promise<Pick<Killed, 'counts' | 'doubled'>> {
  await (await openLeasehold(url)).close();
  await using provider = await MailProvider.open();
  const args = ['rows', String(ROWS)];
  await workInCrowd({ url, provider: provider.url, args, processes: 2, kills: 0, random: Math.random, edits });
  return { counts: provider.counts(), doubled: provider.doubled() };
}

describe('two overlapping runs over the same 4,000 rows', () => {
  it('work each row once on SQLite', async () => {
    const { counts, doubled } = await withSqlite((url) => overlap(url));
    assert.deepEqual([counts.size, doubled.length], [ROWS, 0]);
  });

  for (const version of POSTGRES_VERSIONS) {
    it(`work each row once on PostgreSQL ${version}`, async () => {
      await using test = await TestStore.open(version);
      const { counts, doubled } = await overlap(test.database.url);
      assert.deepEqual([counts.size, doubled.length], [ROWS, 0]);
    });
  }
});
