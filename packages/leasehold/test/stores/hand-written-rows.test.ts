/**
 * Odd stored states beyond the row of one lock (for which see the conformance suite): runs, slots and events
 * as a restore, a crash of somebody else's program or a person's SQL leaves them. The same on both engines.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AcquireAnswer } from '../../src/domain/answers.ts';
import { isLeaseholdError } from '../../src/errors.ts';
import { ENGINES, type LaidOpen } from './hand-written.ts';
import { start } from './postgres/database.ts';

const HOUR = 3_600_000;
const SLOT = Date.UTC(2026, 2, 29);

function granted(answer: AcquireAnswer): Extract<AcquireAnswer, { token: string }> {
  assert.ok('token' in answer, answer.message);
  return answer;
}

/** A run that says it is under way and has nothing else to say, as old as `startedAt`. */
function runningRun(open: LaidOpen, runId: string, startedAt: number): Promise<void> {
  return open.write(`insert into @runs (run_id, lock, holder, outcome, started_at, message)
    values ('${runId}', 'job', 'by-hand', 'acquired', #${startedAt}#, 'by hand')`);
}

/** Statements that must be refused, and the name of what refuses them. */
function impossible(isSqlite: boolean): [statement: string, says: RegExp][] {
  // Beyond what Date can hold; PostgreSQL's own timestamps go further, and have no end.
  const never = isSqlite ? ['9000000000000000'] : ["timestamptz 'infinity'", '#568971820800000#'];
  const taken = /unique|duplicate key/i;
  const of = (table: string, column: string, value: string): string => `update @${table} set ${column} = ${value}`;
  const run = 'insert into @runs (run_id, lock, holder, outcome, started_at, token, message)';
  const event = 'insert into @events (at, kind, severity, message) values';
  const instants = {
    locks: ['since', 'lease_until', 'renewed_at', 'free_at', 'drain_until', 'paused_at', 'last_success_at'],
    runs: ['started_at', 'ended_at', 'slot_at', 'renewed_at', 'lost_at'],
  };
  return [
    [of('locks', 'fence', '-1'), /locks_counts_are_exact/],
    [of('locks', 'fence', '9007199254740992'), /locks_counts_are_exact/],
    [of('locks', 'skips_in_row', '-1'), /locks_counts_are_exact/],
    [of('locks', 'lease_ms', '-1'), /locks_durations_are/],
    [of('locks', 'grace_ms', '-1'), /locks_durations_are/],
    [of('runs', 'outcome', "'maybe'"), /runs_outcome_known/],
    [of('runs', 'status', "'maybe'"), /runs_status_known/],
    ["insert into @locks (name) values ('job')", taken],
    [`${run} select run_id, lock, holder, outcome, started_at, null, message from @runs`, taken],
    [`${run} select 'other', lock, holder, outcome, started_at, token, message from @runs`, taken],
    [`${event} (#0#, 'odd', 'loud', 'x')`, /events_severity_known/],
    ...never.flatMap((instant): [string, RegExp][] => [
      ...Object.entries(instants).flatMap(([table, columns]) =>
        columns.map((column): [string, RegExp] => [
          of(table, column, instant),
          new RegExp(`${table}_instants_are_dates`),
        ]),
      ),
      [`insert into @slots (lock, slot_at) values ('job', ${instant})`, /slots_instants_are_dates/],
      [`${event} (${instant}, 'odd', 'info', 'x')`, /events_at_is_a_date/],
    ]),
  ];
}

for (const engine of ENGINES) {
  describe(`rows written by hand, ${engine.name}`, () => {
    it('runs that say they are running and hold nothing keep no start away, and are listed (C20)', async () => {
      await using open = await engine.open();
      await runningRun(open, 'never-finished', Date.now() - 9 * HOUR);
      await runningRun(open, 'of-tomorrow', Date.now() + 9 * HOUR);
      assert.equal((await open.store.acquire(start('job'))).outcome, 'acquired');
      const runs = await open.store.runs({ lock: 'job', runId: null, limit: 10 });
      assert.deepEqual(
        runs.map((run) => [run.holder, run.endedAt, run.leaseMs, run.holderInfo]),
        [
          ['holder-1', null, 60_000, null],
          ['by-hand', null, null, null],
          ['by-hand', null, null, null],
        ],
      );
    });

    it('a repeat of a run that was written without a token has ended, and the lock is free for others', async () => {
      await using open = await engine.open();
      await runningRun(open, 'r1', Date.now());
      const again = await open.store.acquire(start('job', { runId: 'r1', holder: 'by-hand' }));
      assert.ok(again.outcome === 'skipped' && again.reason === 'run_ended', again.message);
      assert.equal((await open.store.acquire(start('job'))).outcome, 'acquired');
    });

    it('a lease whose run was deleted is renewed and released; nobody is known to have ended', async () => {
      await using open = await engine.open();
      const { token, runId } = granted(await open.store.acquire(start('job')));
      await open.write('delete from @runs');
      const renewed = await open.store.renew({ lock: 'job', token, leaseMs: null, progress: null, holderInfo: null });
      assert.deepEqual([renewed.outcome, renewed.runId], ['renewed', runId]);
      assert.equal((await open.store.acquire(start('job'))).outcome, 'skipped');
      const released = await open.store.release({ lock: 'job', token, status: 'success', afterMs: 0, lost: null });
      assert.equal(released.outcome, 'released');
      const next = granted(await open.store.acquire(start('job')));
      assert.deepEqual([next.outcome, next.fence], ['acquired', 2]);
    });

    it('a stale lease whose run was deleted is reclaimed with what its lock says', async () => {
      await using open = await engine.open();
      const { token, runId } = granted(await open.store.acquire(start('job')));
      await open.write(`delete from @runs; update @locks set lease_until = #${Date.now() - 1_000}#`);
      const lost = await open.store.renew({ lock: 'job', token, leaseMs: null, progress: null, holderInfo: null });
      assert.ok(lost.outcome === 'lost' && lost.reason === 'expired', lost.message);
      const next = await open.store.acquire(start('job'));
      assert.ok(next.outcome === 'reclaimed' && next.previous.runId === runId, next.message);
    });

    it('a lock whose row was deleted goes on with its fences, and its holder is told', async () => {
      await using open = await engine.open();
      const { token } = granted(await open.store.acquire(start('job')));
      await open.write('delete from @locks');
      const lost = await open.store.renew({ lock: 'job', token, leaseMs: null, progress: null, holderInfo: null });
      assert.ok(lost.outcome === 'lost' && lost.reason === 'unknown_token', lost.message);
      assert.equal(granted(await open.store.acquire(start('job'))).fence, 2);
    });

    it('a slot of which nothing is known but that it is done is done', async () => {
      await using open = await engine.open();
      await open.write(`insert into @slots (lock, slot_at, is_done) values ('job', #${SLOT}#, ?true?)`);
      const answer = await open.store.acquire(start('job', { slotAt: new Date(SLOT) }));
      assert.ok(answer.outcome === 'already_ran', answer.message);
      assert.deepEqual(answer.earlier, { runId: null, holder: null, startedAt: null, endedAt: null });
      assert.match(answer.message, /was done by run unknown of holder unknown, which ended unknown;/);
    });

    it('a slot of which nothing is known but its instant is missed, and may be run', async () => {
      await using open = await engine.open();
      await open.write(`insert into @slots (lock, slot_at) values ('job', #${SLOT}#)`);
      const later = granted(await open.store.acquire(start('job', { slotAt: new Date(SLOT + HOUR) })));
      assert.deepEqual(later.missed, [new Date(SLOT)]);
      await open.store.release({ lock: 'job', token: later.token, status: null, afterMs: 0, lost: null });
      const answer = await open.store.acquire(start('job', { slotAt: new Date(SLOT) }));
      assert.deepEqual([answer.outcome, answer.missed], ['acquired', []]);
    });

    it('an event without data, of a kind that nobody knows, is listed', async () => {
      await using open = await engine.open();
      await open.write(`insert into @events (at, kind, severity, message) values (#0#, 'odd', 'info', 'by hand')`);
      const [event] = await open.store.events({ lock: null, kind: null, limit: 10 });
      assert.deepEqual([event?.kind, event?.data, event?.lock, event?.at], ['odd', null, null, new Date(0)]);
    });

    it('holder info that is no object is none', async () => {
      await using open = await engine.open();
      granted(await open.store.acquire(start('job', { holderInfo: { pid: 7 } })));
      await open.write(`update @locks set holder_info = '[1]'`);
      assert.equal((await open.store.status({ lock: 'job', limit: 1 }))[0]?.holderInfo, null);
    });

    it('what no decision could work with can not be written, not even by hand', async () => {
      await using open = await engine.open();
      granted(await open.store.acquire(start('job')));
      for (const [statement, says] of impossible(engine.name === 'SQLite'))
        await assert.rejects(open.write(statement), says, statement);
    });

    it('a lock that errors whatever is asked of it starves no other: they start, run and end (C22)', async () => {
      await using open = await engine.open();
      for (const name of ['bad', 'good', 'better']) {
        const { token } = granted(await open.store.acquire(start(name)));
        await open.store.release({ lock: name, token, status: 'success', afterMs: 0, lost: null });
      }
      await open.breakLock('bad');
      // More often than the store has connections: none of them may be left in a failed transaction.
      for (let round = 2; round <= 12; round += 1) {
        await assert.rejects(open.store.acquire(start('bad')), (error) => isLeaseholdError(error));
        await assert.rejects(open.store.pause({ lock: 'bad', reason: null }), (error) => isLeaseholdError(error));
        for (const name of ['good', 'better']) {
          const { token, fence } = granted(await open.store.acquire(start(name)));
          assert.equal(fence, round);
          await open.store.release({ lock: name, token, status: 'success', afterMs: 0, lost: null });
        }
      }
      const states = (await open.store.status({ lock: null, limit: 10 })).map(({ lock, state }) => [lock, state]);
      assert.deepEqual(states, [
        ['bad', 'free'],
        ['better', 'free'],
        ['good', 'free'],
      ]);
    });
  });
}
