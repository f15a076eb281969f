/** Why a run did or didn't start: every sentence once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LeaseholdEvent, LockStatus } from '../../src/domain/answers.ts';
import type { Run } from '../../src/domain/run.ts';
import { explainNow, explainThen, lossOf } from '../../src/domain/why.ts';

const AT = new Date('2026-01-05T12:00:00Z');
const UNTIL = new Date('2026-01-05T13:00:00Z');

const FREE: LockStatus = {
  lock: 'job',
  state: 'free',
  holder: null,
  holderInfo: null,
  since: null,
  ageMs: null,
  usualMs: null,
  leaseUntil: null,
  remainingMs: null,
  skipsInRow: 0,
  lastSuccessAt: null,
  nextSlotAt: null,
  paused: false,
};
const HELD: LockStatus = { ...FREE, state: 'held', holder: 'host:1', since: AT, leaseUntil: UNTIL };

const RUN: Run = {
  runId: 'run-1',
  lock: 'job',
  outcome: 'acquired',
  reason: null,
  slotAt: null,
  holder: 'host:1',
  holderInfo: null,
  trigger: null,
  fence: 1,
  startedAt: AT,
  endedAt: null,
  status: null,
  leaseMs: 3_600_000,
  renewedAt: null,
  ageMs: null,
  previousRunId: null,
  message: 'Acquired lock "job" for 1h, until 2026-01-05T13:00:00.000Z (fence 1).',
};

describe('the lock as it is now', () => {
  const now = (
    status: LockStatus | null,
    latest: Run | null = null,
    forcedFrom: Run | null = null,
  ): [boolean | null, string] => {
    const { starts, message } = explainNow('job', status, { latest, forcedFrom });
    return [starts, message];
  };

  it('would start where no start has asked for it yet', () => {
    assert.deepEqual(now(null), [true, 'A start of lock "job" would proceed now: no start has asked for it yet.']);
  });

  it('would start where it is free, or stale', () => {
    assert.deepEqual(now(FREE), [true, 'A start of lock "job" would proceed now: it is free.']);
    assert.deepEqual(now({ ...HELD, state: 'stale' }), [
      true,
      'A start of lock "job" would proceed now: the lease of holder host:1 ended 2026-01-05T13:00:00.000Z without a release, and would be reclaimed.',
    ]);
  });

  it('would not start where it is stale and its latest start left it to a person, who is told the command', () => {
    const stale: LockStatus = { ...HELD, state: 'stale' };
    const hold: Run = { ...RUN, outcome: 'skipped', reason: 'hold', fence: null };
    assert.deepEqual(now(stale, hold), [
      false,
      'A start of lock "job" like its latest one would be skipped now, since it holds (--on-stale hold): the lease of holder host:1 ended 2026-01-05T13:00:00.000Z without a release, and waits for a person; its latest start: run run-1 of 2026-01-05T12:00:00.000Z did not start; when the old run is surely over: leasehold force-release job --reason TEXT --now',
    ]);
    assert.equal(now(stale, { ...hold, reason: 'contended' })[0], true);
    assert.equal(now(FREE, hold)[0], true, 'what it met is over');
    assert.match(now({ ...stale, paused: true }, hold)[1], /would be skipped now: it is paused/);
  });

  it('would start after a force-release, beside a run that may still be running', () => {
    assert.deepEqual(now(FREE, null, RUN), [
      true,
      'A start of lock "job" would proceed now: it was force-released, and would be reclaimed; its run run-1 of holder host:1 may still be running.',
    ]);
  });

  it('would not start where somebody has it, it cools, drains, or is paused in any state', () => {
    const sentences: [LockStatus, string][] = [
      [HELD, 'holder host:1 has it, and its lease ends 2026-01-05T13:00:00.000Z unless renewed'],
      [{ ...FREE, state: 'cooling' }, 'its last run asked for a pause after it'],
      [{ ...HELD, state: 'draining' }, 'it was force-released and waits for holder host:1 to stop'],
      [{ ...FREE, paused: true }, 'it is paused'],
      [{ ...HELD, paused: true }, 'it is paused'],
    ];
    for (const [status, reason] of sentences) {
      assert.deepEqual(now(status), [false, `A start of lock "job" would be skipped now: ${reason}.`]);
    }
  });

  it('says that a start may find out more where the holder can be asked after', () => {
    assert.equal(
      now({ ...HELD, holderInfo: { probe: 'process', pid: 1 } })[1],
      'A start of lock "job" would be skipped now: holder host:1 has it, and its lease ends 2026-01-05T13:00:00.000Z unless renewed, or earlier if a start finds that it has ended.',
    );
  });

  it('says unknown of what a row written by hand does not say', () => {
    const [, message] = now({ ...HELD, holder: null, leaseUntil: null });
    assert.match(message, /holder unknown has it, and its lease ends unknown unless renewed/);
  });

  it('tells of the latest start as well, one that is under way and one that did not start', () => {
    assert.equal(
      now(HELD, RUN)[1],
      'A start of lock "job" would be skipped now: holder host:1 has it, and its lease ends 2026-01-05T13:00:00.000Z unless renewed; its latest start: run run-1 of 2026-01-05T12:00:00.000Z started: Acquired lock "job" for 1h, until 2026-01-05T13:00:00.000Z (fence 1); no end of it is recorded.',
    );
    const skip: Run = { ...RUN, outcome: 'skipped', reason: 'paused', fence: null };
    assert.equal(
      now(
        { ...FREE, paused: true },
        { ...skip, message: 'Skipped lock "job": it is paused; to go on: leasehold resume job' },
      )[1],
      'A start of lock "job" would be skipped now: it is paused; its latest start: run run-1 of 2026-01-05T12:00:00.000Z did not start: Skipped lock "job": it is paused; to go on: leasehold resume job',
      'a command to be copied has no full stop behind it',
    );
  });
});

describe('a time that is past', () => {
  it('has no start that is recorded: it says how far back was looked', () => {
    assert.deepEqual(explainThen('job', AT, null, 1_000), {
      starts: null,
      message: 'No start of lock "job" is recorded at or before 2026-01-05T12:00:00.000Z, among the newest 1000.',
    });
  });

  it('has a run that started, and its end with a status or without', () => {
    const ended = { ...RUN, endedAt: UNTIL };
    const begin =
      'run run-1 of 2026-01-05T12:00:00.000Z started: Acquired lock "job" for 1h, until 2026-01-05T13:00:00.000Z (fence 1); ';
    assert.deepEqual(explainThen('job', AT, { ...ended, status: 'success' }, 1), {
      starts: true,
      message: `${begin}it ended 2026-01-05T13:00:00.000Z with success.`,
    });
    assert.equal(
      explainThen('job', AT, ended, 1).message,
      `${begin}it ended 2026-01-05T13:00:00.000Z without a status.`,
    );
    assert.equal(explainThen('job', AT, RUN, 1).message, `${begin}no end of it is recorded.`);
  });

  it('has a run that lost its lock, and why, as far as an event of that very run says so', () => {
    const lost = (data: LeaseholdEvent['data'], patch: Partial<LeaseholdEvent> = {}): string | null => {
      const event: LeaseholdEvent = {
        eventId: 1,
        at: UNTIL,
        kind: 'lease.lost',
        severity: 'warning',
        lock: 'job',
        pool: null,
        recordId: null,
        runId: 'run-1',
        holder: 'host:1',
        message: 'So it was.',
        data,
        ...patch,
      };
      return lossOf(RUN, [event]);
    };
    const givenUp = { reason: 'given_up', detail: 'its lease was not renewed in time' };
    assert.equal(lost(givenUp), 'it lost the lock: its lease was not renewed in time');
    assert.equal(lost({ reason: 'expired' }), 'it lost the lock (expired)');
    assert.equal(lost({ reason: 'released' }), null, 'a renewal after its own release');
    for (const other of [{ lock: 'other' }, { runId: 'run-2' }, { holder: 'host:2' }])
      assert.equal(lost(givenUp, other), null);
    assert.match(
      explainThen('job', AT, { ...RUN, endedAt: UNTIL, status: 'failure' }, 1, lost(givenUp)).message,
      /\(fence 1\); it lost the lock: its lease was not renewed in time; it ended 2026-01-05T13:00:00.000Z with failure\.$/,
    );
    assert.match(
      explainNow('job', FREE, { latest: RUN, loss: lost({ reason: 'taken_over' }), forcedFrom: null }).message,
      /; it lost the lock \(taken_over\); no end/,
    );
  });

  it('has a start of each outcome: skipped and done ones did not start, reclaimed and bypassed ones did', () => {
    const starts = (outcome: Run['outcome']): boolean | null =>
      explainThen('job', AT, { ...RUN, outcome, message: 'So it was.' }, 1).starts;
    assert.deepEqual((['acquired', 'reclaimed', 'bypassed', 'skipped', 'already_ran'] as const).map(starts), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
