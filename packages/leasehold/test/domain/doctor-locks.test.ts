/** What `doctor` says of locks, each warning once and beside what is no warning. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { LockStatus } from '../../src/domain/answers.ts';
import type { Finding } from '../../src/domain/doctor.ts';
import { judgeLocks, type LockFacts } from '../../src/domain/doctor-locks.ts';
import type { Run } from '../../src/domain/run.ts';
import { FINISHED_RUN as finished, FREE_LOCK as free, NOW } from './doctor-samples.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (ms: number): Date => new Date(NOW - ms);

function warningsOf(lock: Partial<LockFacts>, of = '1 lock'): Finding[] {
  const findings = judgeLocks([{ status: free, runs: [finished], pausedAt: null, ...lock }], NOW, of);
  assert.deepEqual([...new Set(findings.map(({ check }) => check))], ['lease', 'stale', 'paused', 'skips', 'renewal']);
  return findings.filter(({ result }) => result !== 'ok');
}

/** This warning and no other. */
function assertWarning(lock: Partial<LockFacts>, check: string, says: RegExp): void {
  const found = warningsOf(lock);
  assert.deepEqual(
    found.map((finding) => [finding.check, finding.result]),
    [[check, 'warning']],
    JSON.stringify(found),
  );
  assert.match(found[0]?.message ?? '', says);
  assert.match(found[0]?.message ?? '', /^Lock "nightly": /);
}

it('a lock whose runs fit its lease is ok, and so is a store without locks', () => {
  assert.deepEqual(warningsOf({}), []);
  assert.deepEqual(
    judgeLocks([], NOW, '0 locks').map(({ result, message }) => `${result}: ${message}`),
    [
      'ok: The lease of each fits what its runs took (0 locks).',
      'ok: None is stale (0 locks).',
      'ok: None has been paused for more than a day (0 locks).',
      'ok: None is being skipped over and over (0 locks).',
      'ok: None is held without being renewed (0 locks).',
    ],
  );
});

it('a lease below the slowest run is a warning where that run was not renewed (C29)', () => {
  const slow = { ...finished, endedAt: ago(0) };
  assertWarning(
    { runs: [slow] },
    'lease',
    /A lease of 1h is below the slowest known run \(3h, run r1\).* See: leasehold advise nightly$/,
  );
  assert.deepEqual(warningsOf({ runs: [{ ...slow, renewedAt: ago(MINUTE) }] }), []);
});

it('a run past 50 % or 80 % of its lease is a warning', () => {
  const runOf = (ms: number): Run => ({ ...finished, startedAt: ago(ms), endedAt: ago(0) });
  assertWarning({ runs: [runOf(35 * MINUTE)] }, 'lease', /over 50 %/);
  assertWarning({ runs: [runOf(50 * MINUTE)] }, 'lease', /over 80 %/);
});

it('a lease that would block for hours after a crash is a warning', () => {
  assertWarning({ runs: [{ ...finished, leaseMs: 24 * HOUR }] }, 'lease', /A lease of 1d blocks every start/);
});

it('a stale lock is a warning with its holder and how long ago its lease ended', () => {
  const stale: LockStatus = {
    ...free,
    state: 'stale',
    holder: 'web1:7',
    leaseUntil: ago(2 * HOUR),
    since: ago(3 * HOUR),
  };
  assertWarning(
    { status: stale },
    'stale',
    /its lease ended 2h ago without a release \(holder web1:7\)\. The next start takes it over; if none comes, look at its schedule\.$/,
  );
  assertWarning(
    { status: { ...stale, leaseUntil: null, holder: null } },
    'stale',
    /at an unknown time .*holder unknown/,
  );
});

it('a stale lock whose latest start left it to a person is a warning with the command, as a shell takes it', () => {
  const stale: LockStatus = { ...free, lock: 'a b', state: 'stale', holder: 'web1:7', leaseUntil: ago(HOUR) };
  const hold: Run = { ...finished, outcome: 'skipped', reason: 'hold', fence: null, endedAt: null, status: null };
  const [found] = warningsOf({ status: stale, runs: [hold, finished] });
  assert.match(found?.message ?? '', /\(--on-stale hold\)\. .*: leasehold force-release 'a b' --reason TEXT --now$/);
  const [reclaims] = warningsOf({ status: stale, runs: [finished, hold] });
  assert.match(reclaims?.message ?? '', /The next start takes it over/);
});

it('a lock paused for over a day is a warning, and one of which nobody knows since when', () => {
  const paused = { ...free, paused: true };
  assertWarning(
    { status: paused, pausedAt: ago(50 * HOUR) },
    'paused',
    /it has been paused for 2d 2h\. To let starts in: leasehold resume nightly$/,
  );
  assertWarning(
    { status: paused },
    'paused',
    /it is paused, since when is not recorded\. To let starts in: leasehold resume nightly$/,
  );
  assert.deepEqual(warningsOf({ status: paused, pausedAt: ago(HOUR) }), []);
});

it('three skips in a row are a warning, two are not', () => {
  const held: LockStatus = {
    ...free,
    state: 'held',
    holder: 'web1:7',
    since: ago(2 * HOUR),
    ageMs: 2 * HOUR,
    skipsInRow: 3,
  };
  assertWarning({ status: held }, 'skips', /3 starts in a row were skipped because of holder web1:7 for 2h/);
  assertWarning(
    { status: { ...free, skipsInRow: 3 } },
    'skips',
    /3 starts in a row were skipped because of a run that has ended since, and none has got through yet\. See: leasehold why nightly$/,
  );
  assert.deepEqual(warningsOf({ status: { ...held, skipsInRow: 2 } }), []);
});

it('a lock that is held and was not renewed for longer than a lease is a warning', () => {
  const held: LockStatus = { ...free, state: 'held', holder: 'web1:7', since: ago(3 * HOUR), ageMs: 3 * HOUR };
  const running: Run = { ...finished, startedAt: ago(3 * HOUR), endedAt: null, status: null, renewedAt: ago(2 * HOUR) };
  assertWarning(
    { status: held, runs: [running] },
    'renewal',
    /web1:7 has not renewed it for 2h, longer than a lease of 1h, and it is still held\. See: leasehold events --lock nightly$/,
  );
  assert.deepEqual(warningsOf({ status: held, runs: [{ ...running, renewedAt: ago(MINUTE) }] }), []);
});

it('a command to be copied has the name as a shell takes it', () => {
  const named = { ...free, lock: 'a b', paused: true, skipsInRow: 3 };
  const said = warningsOf({ status: named }).map(({ message }) => message.slice(message.indexOf('leasehold ')));
  assert.deepEqual(said, ["leasehold resume 'a b'", "leasehold why 'a b'"]);
});
