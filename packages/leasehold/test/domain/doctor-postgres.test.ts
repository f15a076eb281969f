/** What `doctor` says of a PostgreSQL server, each judgement once. Facts as a server gives them: store-facts.test.ts. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Finding, FindingResult } from '../../src/domain/doctor.ts';
import { judgePostgres } from '../../src/domain/doctor-postgres.ts';
import type { PostgresFacts } from '../../src/domain/store-facts.ts';
import { HEALTHY_POSTGRES as facts, NOW } from './doctor-samples.ts';

function judge(patch: Partial<PostgresFacts>): Finding[] {
  return judgePostgres({ ...facts, ...patch });
}

function set(settings: PostgresFacts['settings']): Partial<PostgresFacts> {
  return { settings: { ...facts.settings, ...settings } };
}

/** A finding of each check, and this one of this result with these words. */
function assertFinding(patch: Partial<PostgresFacts>, check: string, result: FindingResult, says: RegExp): void {
  const found = judge(patch).filter((finding) => finding.check === check);
  assert.deepEqual(
    found.map((finding) => finding.result),
    [result],
    JSON.stringify(found),
  );
  assert.match(found[0]?.message ?? '', says);
}

it('a server as it should be is ok throughout', () => {
  const bad = judge({}).filter(({ result }) => result !== 'ok');
  assert.deepEqual(bad, []);
});

it('a server that is too old is a problem, one that nobody tested a warning', () => {
  assertFinding({ version: '14.9', versionNumber: 140_009 }, 'server', 'problem', /too old; Leasehold needs 15 to 18/);
  assertFinding({ version: '19.0', versionNumber: 190_000 }, 'server', 'warning', /newer than what this Leasehold/);
});

it('a standby and a read-only default are problems: nothing can start there', () => {
  assertFinding({ isStandby: true }, 'writable', 'problem', /standby.*name the primary/);
  assertFinding({ isReadOnly: true }, 'writable', 'problem', /default_transaction_read_only/);
});

it('a role that may not use the schema or a function of it is a problem, with what the owner is to do', () => {
  const { rights } = facts;
  assertFinding(
    { rights: { ...rights, role: "o'brien", maySee: false } },
    'rights',
    'problem',
    /leasehold\.grant_to\('o''brien'\)/,
  );
  assertFinding(
    { rights: { ...rights, missing: ['acquire', 'pause', 'renew', 'resume', 'runs'] } },
    'rights',
    'problem',
    /may not execute acquire, pause, renew and 2 more functions/,
  );
});

it('an owner or superuser at run time is ok and said', () => {
  const { rights } = facts;
  assertFinding({ rights: { ...rights, isOwner: true } }, 'rights', 'ok', /owns the schema.*EXECUTE alone/);
  assertFinding({ rights: { ...rights, isSuperuser: true } }, 'rights', 'ok', /a superuser.*EXECUTE alone/);
});

it('without a schema rights are unknown', () => {
  assertFinding({ schema: { installed: 0, needs: 0, known: 1 } }, 'rights', 'unknown', /once there is a schema/);
});

it('a pooler is named with its mode, and works in each', () => {
  for (const sharing of ['session', 'transaction', 'statement'] as const) {
    const says = new RegExp(`A pooler in ${sharing} mode is in between. That works`);
    assertFinding({ pooler: { isBetween: true, sharing } }, 'pooler', 'ok', says);
  }
  assertFinding({ pooler: { isBetween: true, sharing: null } }, 'pooler', 'ok', /in which mode was not seen/);
  assertFinding({ pooler: { isBetween: null, sharing: null } }, 'pooler', 'unknown', /works either way/);
});

it('clocks that differ by over a second are a warning about slots and logs, not about leases', () => {
  const behind = { askedAt: NOW, serverAt: NOW - 600_000, answeredAt: NOW + 20 };
  assertFinding(
    { clock: behind },
    'clock',
    'warning',
    /is 10m behind this host's \(measured to 10 ms\)\. Leases don't/,
  );
  const ahead = { askedAt: NOW, serverAt: NOW + 3_600_000, answeredAt: NOW };
  assertFinding({ clock: ahead }, 'clock', 'warning', /is 1h ahead of/);
});

it('a difference that a slow round trip may account for is no warning', () => {
  assertFinding({ clock: { askedAt: NOW, serverAt: NOW + 3_900, answeredAt: NOW + 4_000 } }, 'clock', 'ok', /1900 ms/);
});

it('fsync or full_page_writes off is a problem, synchronous_commit off a warning', () => {
  assertFinding(set({ fsync: 'off' }), 'durability', 'problem', /fsync is off/);
  assertFinding(set({ full_page_writes: 'off' }), 'durability', 'problem', /full_page_writes is off/);
  assertFinding(set({ synchronous_commit: 'off' }), 'durability', 'warning', /a crash may lose the last acquisition/);
});

it('asynchronous replication is a warning: a failover may lose the last acquisition', () => {
  const standbys = { count: 1, synchronousCount: 0, hiddenCount: 1 };
  assertFinding({ standbys }, 'replication', 'warning', /One standby.*a failover may lose the last acquisition/);
  assertFinding({ standbys: { ...standbys, count: 2 } }, 'replication', 'warning', /^2 standbys or subscribers are/);
  assertFinding(
    set({ synchronous_standby_names: 'a', synchronous_commit: 'local' }),
    'replication',
    'warning',
    /synchronous_commit is local.*may lose the last acquisition/,
  );
});

it('synchronous replication is ok, and a warning where no such standby is there', () => {
  const standbys = { count: 1, synchronousCount: 1, hiddenCount: 0 };
  const named = { synchronous_standby_names: 'a' };
  assertFinding({ ...set(named), standbys }, 'replication', 'ok', /keeps each acquisition that was answered/);
  assertFinding(
    { ...set({ ...named, synchronous_commit: 'remote_write' }), standbys },
    'replication',
    'ok',
    /unless both hosts crash/,
  );
  assertFinding(set(named), 'replication', 'warning', /none is connected, so every commit waits/);
});

it('a stricter isolation level is ok and said', () => {
  assertFinding(
    set({ default_transaction_isolation: 'serializable' }),
    'isolation',
    'ok',
    /^serializable\. That works/,
  );
});

it('a server that ends calls within a second is a warning; longer time-outs are ok and said', () => {
  assertFinding(set({ statement_timeout: '500' }), 'timeouts', 'warning', /^statement_timeout 500 ms for this role/);
  assertFinding(set({ lock_timeout: '100' }), 'timeouts', 'warning', /lock_timeout 100 ms/);
  assertFinding(set({ transaction_timeout: '900' }), 'timeouts', 'warning', /transaction_timeout 900 ms/);
  assertFinding(set({ statement_timeout: '30000' }), 'timeouts', 'ok', /^statement_timeout 30s: long enough/);
});

it('old transactions are said, prepared ones a warning, and those that may not be seen unknown', () => {
  const old = { transactionMs: null, preparedMs: null, hiddenCount: 0 };
  assertFinding({ old: { ...old, transactionMs: 7_200_000 } }, 'transactions', 'ok', /open for 2h; old rows stay/);
  assertFinding({ old: { ...old, preparedMs: 7_200_000 } }, 'transactions', 'warning', /2h old\..*pg_prepared_xacts/);
  assertFinding({ old: { ...old, hiddenCount: 3 } }, 'transactions', 'unknown', /^Of 3 sessions/);
});

it('settings that were not told leave their checks unknown', () => {
  const unknown = judge({ settings: {} }).filter(({ result }) => result === 'unknown');
  assert.deepEqual(
    unknown.map(({ check }) => check),
    ['durability', 'replication', 'isolation'],
  );
});
