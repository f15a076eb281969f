/** A backlog, a trigger that fires twice and hours in which nothing is planned look alike, and are told apart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import { slotMissed } from '../../../src/audit/rules/history/slot-missed.ts';
import { triggerDuplicate } from '../../../src/audit/rules/history/trigger-duplicate.ts';
import type { RuleContext } from '../../../src/audit/rules/rule.ts';
import { cronSchedule, DAY, everyMs, HOUR, known, MINUTE, run, runsAt, SECOND, START, workflow } from '../stage.ts';

const GAP = 5 * MINUTE;
const WEEK = 7 * DAY;

/** `severity message` of what is said of slots. */
const said = (context: RuleContext): string[] =>
  [...triggerDuplicate(context), ...slotMissed(context)].map(({ severity, message }) => `${severity} ${message}`);

const late = (count: number): string =>
  `info ${count} starts came so late that they fell into a later slot: a backlog, and no extra start.`;

/** Every five minutes, one at a time: those that are due while one runs wait in line. The tenth takes `longMs`. */
function inLine(count: number, longMs: number, tookMs: number): HistoryRun[] {
  let freeMs = 0;
  return everyMs(GAP, count).map((dueMs, at) => {
    const startMs = Math.max(dueMs, freeMs);
    freeMs = startMs + (at === 10 ? longMs : tookMs);
    return run({ runId: String(at), startedAtMs: START + startMs, endedAtMs: START + freeMs });
  });
}

const ends = (count: number): { nowMs: number } => ({ nowMs: START + count * GAP });

test('starts that waited behind a long run are a backlog, whether or not the schedule is known', () => {
  const runs = inLine(300, 61 * MINUTE, 30 * SECOND);
  assert.deepEqual(said(known(runs, ends(300))), [late(12)]);
  assert.deepEqual(said(known(runs, { ...ends(300), everyMs: GAP })), [late(12)]);
  const schedule = cronSchedule('*/5 * * * *');
  assert.deepEqual(said(known(runs, { ...ends(300), definition: workflow({ schedule }) })), [late(12)]);
});

test('a line that takes hours to catch up is a backlog to its end, and so is one of runs of a second', () => {
  const slow = said(known(inLine(300, 61 * MINUTE, 4 * MINUTE), ends(300)));
  assert.deepEqual([slow.length, slow[0]?.endsWith('a backlog, and no extra start.')], [1, true]);
  assert.deepEqual(said(known(inLine(300, 61 * MINUTE, SECOND), ends(300))), [late(11)]);
});

test('a silence that is caught up with at once, start for start, is a backlog', () => {
  const starts = everyMs(GAP, 300).map((ms, at) => (at >= 100 && at < 112 ? 112 * GAP + (at - 100) : ms));
  assert.deepEqual(said(known(runsAt(starts, 30 * SECOND), ends(300))), [late(12)]);
});

test('a trigger that fires twice is no backlog, though the second run waits for the first', () => {
  const twice = everyMs(GAP, 100).flatMap((ms) => [ms, ms + SECOND]);
  const [first] = said(known(runsAt(twice, SECOND), ends(100)));
  assert.match(first ?? '', /^critical 2 starts per slot in 100 of 100 slots/);
  // Neither is it after a silence that had more slots.
  const silent = twice.toSpliced(100, 20);
  const said2 = said(known(runsAt(silent, SECOND), { ...ends(100), everyMs: GAP }));
  assert.match(said2[0] ?? '', /^critical 2 starts per slot in 90 of 100 slots/);
  assert.match(said2[1] ?? '', /^warning 10 slots of 100 had no start/);
});

test('a slot that was skipped while a run went on for the whole gap is missed, though every run follows the one before', () => {
  const runs = runsAt(everyMs(GAP, 100).toSpliced(50, 4), GAP - 100);
  assert.match(said(known(runs, { ...ends(100), everyMs: GAP }))[0] ?? '', /^warning 4 slots of 100 had no start/);
});

/** Each hour from eight to five on weekdays, so many weeks long. */
const inBusinessHours = (weeks: number): number[] =>
  everyMs(HOUR, weeks * 7 * 24).filter((ms) => (ms / DAY) % 7 < 5 && (ms % DAY) / HOUR >= 8 && (ms % DAY) / HOUR < 18);
const CLOSED = / come at the same hours or weekdays again and again: taken for times at which nothing is planned\.$/;

test('nights and weekends in which a job that nobody told the schedule of never runs are no missed slots', () => {
  for (const weeks of [1, 2, 8]) {
    const [first, ...others] = said(
      known(runsAt(inBusinessHours(weeks), MINUTE), { nowMs: START + weeks * WEEK }),
    ).filter((sentence) => !sentence.includes('The history ends'));
    assert.deepEqual(
      [first?.startsWith('info '), CLOSED.test(first ?? ''), others],
      [true, true, []],
      `${weeks} weeks`,
    );
  }
});

test('a weekday job of once a day misses nothing at weekends', () => {
  const starts = everyMs(DAY, 56, 9 * HOUR).filter((ms) => Math.floor(ms / DAY) % 7 < 5);
  const found = said(known(runsAt(starts, MINUTE), { nowMs: START + 8 * WEEK }));
  assert.ok(
    found.every((sentence) => sentence.startsWith('info ')),
    found.join('\n'),
  );
});

test('within business hours a silence is missed slots, and so is one of three weeks of eight around the clock', () => {
  const withHole = inBusinessHours(8).filter((ms) => ms < 22 * DAY + 10 * HOUR || ms >= 22 * DAY + 14 * HOUR);
  assert.match(said(known(runsAt(withHole, MINUTE), { nowMs: START + 8 * WEEK }))[0] ?? '', /^warning 4 slots of /);
  const roundTheClock = everyMs(HOUR, 56 * 24).filter((ms) => ms < 14 * DAY || ms >= 35 * DAY);
  assert.match(
    said(known(runsAt(roundTheClock, MINUTE), { nowMs: START + 8 * WEEK }))[0] ?? '',
    /^warning 504 slots of 1,344 had no start/,
  );
});

test('an outage of five weeks of eight tells nothing of itself: all of its slots are missed', () => {
  const starts = everyMs(HOUR, 56 * 24).filter((ms) => ms < 14 * DAY || ms >= 49 * DAY);
  const found = said(known(runsAt(starts, MINUTE), { nowMs: START + 8 * WEEK }));
  assert.match(found[0] ?? '', /^warning 840 slots of 1,344 had no start/);
});

test('short runs that waited for a long one begin together, and are no double start', () => {
  const long = run({ runId: 'long', endedAtMs: START + HOUR });
  const waited = [SECOND, 2 * SECOND].map((ms, at) =>
    run({ runId: `w${at}`, startedAtMs: START + HOUR + ms, endedAtMs: START + HOUR + ms + 10 }),
  );
  assert.deepEqual(triggerDuplicate(known([long, ...waited])), []);
  // The same with nothing that held them up.
  assert.equal(triggerDuplicate(known(waited)).length, 1);
});

test('an outage of a night is missed slots while the other nights have starts', () => {
  const starts = everyMs(HOUR, 14 * 24).filter((ms) => ms < 6 * DAY || ms >= 6 * DAY + 8 * HOUR);
  assert.match(said(known(runsAt(starts, MINUTE), { nowMs: START + 2 * WEEK }))[0] ?? '', /^warning 8 slots of 336 /);
});

test('an end of summer time moves business hours by one, and nothing is missed for it', () => {
  const starts = inBusinessHours(16).map((ms) => (ms > 8 * WEEK ? ms + HOUR : ms));
  const found = said(known(runsAt(starts, MINUTE), { nowMs: START + 16 * WEEK }));
  assert.ok(
    found.every((sentence) => sentence.startsWith('info ')),
    found.join('\n'),
  );
});
