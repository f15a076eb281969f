/**
 * Exclusion proven by what it is for: a number in a file that many processes increment without any
 * protection but the lock. Leases last a minute, so none ends by itself in these tests.
 *
 * The negative controls take one guard out and see the same crowd lose increments.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { mutate } from '../stores/postgres/mutate-function.ts';
import { POSTGRES_VERSIONS, TestStore } from '../stores/postgres/database.ts';
import { openLeasehold } from '../../src/index.ts';
import type { Edit } from '../edit-source.ts';
import { countInCrowd, type CrowdResult } from './crowd.ts';

const FULL = { processes: 8, rounds: 200 };
const SMALL = { processes: 4, rounds: 60 };
/** Without its guards a lock may be left held for ever: here it is free again after 5 s. */
const BROKEN = { ...SMALL, leaseMs: 5_000 };

function assertNothingLost({ counter, increments, outcomes }: CrowdResult): void {
  assert.equal(increments, FULL.processes * FULL.rounds);
  assert.equal(counter, increments);
  assert.equal(outcomes['acquired'], increments, 'every increment had the lock, none took it over');
}

/** A store without its guard loses increments, or breaks in the middle of a call. */
function assertLost({ counter, increments, outcomes }: CrowdResult): void {
  const isBroken = counter < increments || outcomes['crashed'] !== undefined;
  assert.ok(isBroken, `the crowd lost nothing: ${counter} of ${increments}`);
}

async function withSqlite<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'counter-store-'));
  try {
    const url = `sqlite:${join(folder, 'leasehold.db')}`;
    // Whole, before the crowd comes: what is broken in a control is the lock, not the installation.
    await (await openLeasehold(url)).close();
    return await work(url);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('8 processes with 200 increments each behind one lock', () => {
  it('lose nothing on SQLite', async () => {
    assertNothingLost(await withSqlite((url) => countInCrowd(url, FULL)));
  });

  for (const version of POSTGRES_VERSIONS) {
    it(`lose nothing on PostgreSQL ${version}`, async () => {
      await using test = await TestStore.open(version);
      assertNothingLost(await countInCrowd(test.database.url, FULL));
    });
  }
});

/** Holds a start up between what it read and what it writes, where only the transaction keeps others out. */
const PAUSE_BEFORE_WRITING: Edit = {
  file: 'stores/sqlite/acquire.ts',
  from: '  const decision = decideAcquire(lock, seen, slot, request, now);',
  to: '  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);\n  const decision = decideAcquire(lock, seen, slot, request, now);',
};

it('a start that is held up before it writes loses nothing on SQLite: its transaction keeps the others out', async () => {
  const { counter, increments } = await withSqlite((url) =>
    countInCrowd(url, { ...SMALL, edits: [PAUSE_BEFORE_WRITING] }),
  );
  assert.equal(counter, increments);
});

const SQLITE_CONTROLS: Record<string, readonly Edit[]> = {
  'release checks no token': [
    {
      file: 'domain/give-back.ts',
      from: 'if (lock !== null && lock.token === token) {',
      to: 'if (lock !== null) {',
    },
    {
      file: 'stores/sqlite/release.ts',
      from: 'freeLock(session, name, token,',
      to: "freeLock(session, name, lock?.token ?? '',",
    },
  ],
  'a start checks no expiry': [
    {
      file: 'domain/acquire.ts',
      from: "if (!isExpired(lock, now)) return { kind: 'skip', reason: 'held' };",
      to: '',
    },
  ],
  'a call is no transaction': [
    PAUSE_BEFORE_WRITING,
    { file: 'stores/sqlite/session.ts', from: 'this.run(begin);', to: '' },
    { file: 'stores/sqlite/session.ts', from: "this.run('commit');", to: '' },
  ],
};

describe('the same crowd on SQLite loses increments', () => {
  for (const [broken, edits] of Object.entries(SQLITE_CONTROLS)) {
    it(`when ${broken}`, async () => {
      assertLost(await withSqlite((url) => countInCrowd(url, { ...BROKEN, edits })));
    });
  }
});

const POSTGRES_CONTROLS: Record<string, readonly (readonly [name: string, from: string, to: string])[]> = {
  'release checks no token': [
    ['release', ' and l.token = release.token', ''],
    ['_release_any', 'coalesce(state.token = _release_any.token, false)', 'true'],
  ],
  'a start checks no expiry': [
    ['acquire', 'l.token is null and', ''],
    ['_decide_acquire', "if not expired then return 'held'; end if;", ''],
  ],
  'a start locks no row': [
    ['acquire', 'for update skip locked', ''],
    // Held up between what it read and what it writes.
    [
      'acquire',
      'new_token := gen_random_uuid()::text;',
      'perform pg_sleep(0.005); new_token := gen_random_uuid()::text;',
    ],
    ['_row_at_once', 'for update skip locked', ''],
    ['_row_at_once', 'for no key update skip locked', ''],
  ],
};

describe('the same crowd on PostgreSQL loses increments', () => {
  for (const [broken, changes] of Object.entries(POSTGRES_CONTROLS)) {
    it(`when ${broken}`, async () => {
      await using test = await TestStore.open(18);
      const admin = await test.client();
      for (const [name, from, to] of changes) await mutate(admin, name, from, to);
      assertLost(await countInCrowd(test.database.url, BROKEN));
    });
  }
});
