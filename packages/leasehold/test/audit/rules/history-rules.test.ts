/** Where the rules about histories stay silent, and how loud they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import type { FoundSchedule } from '../../../src/audit/model/schedule.ts';
import type { RuleContext } from '../../../src/audit/rules/rule.ts';
import { overlapPredicted } from '../../../src/audit/rules/history/overlap-predicted.ts';
import { slotMissed } from '../../../src/audit/rules/history/slot-missed.ts';
import { triggerDuplicate } from '../../../src/audit/rules/history/trigger-duplicate.ts';
import { AUDIT_RULES } from '../../../src/audit/rules/rules.ts';
import { finding, SAMPLES } from '../history-samples.ts';
import { cronSchedule, DAY, everyMs, HOUR, known, MINUTE, run, runsAt, SECOND, START, workflow } from '../stage.ts';

/** `rule severity` of all that is more than a note. */
const loud = (context: RuleContext): string[] =>
  AUDIT_RULES.flatMap((rule) => rule(context))
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, severity }) => `${rule} ${severity}`);

const until = (hours: number): { nowMs: number } => ({ nowMs: START + hours * HOUR });

test('a healthy history has nothing to say', () => {
  assert.deepEqual(loud(known(runsAt(everyMs(HOUR, 200), 10 * MINUTE), until(200))), []);
});

test('no run at all has nothing to say of its history', () => {
  assert.deepEqual(
    AUDIT_RULES.flatMap((rule) => rule(known([], { definition: workflow() }))),
    [],
  );
});

test('one run has no overlap, no slot, and a note that it is one', () => {
  const found = AUDIT_RULES.flatMap((rule) => rule(known([run()])));
  assert.deepEqual(
    found.map(({ rule, severity }) => `${rule} ${severity}`),
    ['history.incomplete info'],
  );
});

test('an overlap is critical while one of the newest hundred does it, and a warning after that', () => {
  const overlapping = runsAt([0, 30 * MINUTE], HOUR);
  const after = (count: number): HistoryRun[] =>
    runsAt(everyMs(DAY, count, DAY), MINUTE).map((each) => ({ ...each, runId: `later ${each.runId}` }));
  const severityAfter = (count: number): string =>
    finding('overlap.observed', known([...overlapping, ...after(count)])).severity;
  assert.deepEqual([severityAfter(99), severityAfter(100)], ['critical', 'warning']);
});

test('an overlap that rests on a crashed run alone is a warning, and so is one of webhooks', () => {
  const crashed = [
    run({ result: 'crashed', endedAtMs: START + HOUR }),
    run({ runId: '2', startedAtMs: START + MINUTE }),
  ];
  assert.equal(finding('overlap.observed', known(crashed)).severity, 'warning');
  const webhooks = runsAt([0, MINUTE], HOUR, { cause: 'webhook' });
  assert.equal(finding('overlap.observed', known(webhooks)).severity, 'warning');
});

test('half of the gap is room enough, a millisecond more is a warning, and the whole gap is room for the slowest run', () => {
  const withP95 = (tookMs: number): string[] => loud(known(runsAt(everyMs(HOUR, 30), tookMs), until(30)));
  assert.deepEqual(withP95(30 * MINUTE), []);
  assert.deepEqual(withP95(30 * MINUTE + 1), ['overlap.predicted warning']);
  assert.deepEqual(withP95(HOUR), ['overlap.predicted warning']);
  const slow = runsAt(everyMs(HOUR, 30), MINUTE);
  const last = slow[29];
  assert.ok(last !== undefined);
  slow[29] = { ...last, endedAtMs: (last.startedAtMs ?? 0) + HOUR + 1 };
  assert.deepEqual(loud(known(slow, until(31))), ['overlap.predicted critical']);
});

test('a crashed run, whose end nobody knows, predicts nothing', () => {
  const runs = runsAt(everyMs(HOUR, 30), MINUTE);
  const last = runs[29];
  assert.ok(last !== undefined);
  runs[29] = { ...last, result: 'crashed', endedAtMs: (last.startedAtMs ?? 0) + 9 * HOUR };
  const context = known(runs, until(40));
  assert.deepEqual([context.history.figures.slowestMs, overlapPredicted(context)], [9 * HOUR, []]);
});

test('how long a crashed run seems to have taken predicts nothing', () => {
  const runs = runsAt(everyMs(HOUR, 30), MINUTE);
  const crashed = run({ runId: 'x', startedAtMs: START + 40 * MINUTE, endedAtMs: START + 9 * HOUR, result: 'crashed' });
  assert.deepEqual(known([...runs, crashed], { everyMs: HOUR }).history.figures.slowestMs, 8 * HOUR + 20 * MINUTE);
  assert.ok(!loud(known([...runs, crashed], { everyMs: HOUR })).includes('overlap.predicted critical'));
  assert.ok(
    loud(known([...runs, { ...crashed, result: 'failure' }], { everyMs: HOUR })).includes('overlap.predicted critical'),
  );
});

test('a slot that gets one start more with every restart is told with its number of starts (C06)', () => {
  const runs = everyMs(HOUR, 30).flatMap((ms, at) =>
    Array.from({ length: 1 + Math.floor(at / 10) }, (_, nth) =>
      run({ runId: `${at}-${nth}`, startedAtMs: START + ms + nth * 40, endedAtMs: START + ms + nth * 40 }),
    ),
  );
  const context = known(runs, { ...until(30), definition: workflow({ schedule: cronSchedule('0 * * * *') }) });
  const { message, evidence } = finding('trigger.duplicate', context);
  assert.match(message, /^3 starts per slot in 20 of 30 slots/);
  assert.deepEqual([evidence[0]?.['starts'], evidence.at(-1)?.['starts']], [3, 2]);
});

test('runs that end at once are noted: what they start goes on unseen (C03)', () => {
  const { message } = finding('history.incomplete', known(runsAt(everyMs(HOUR, 30), 8), until(30)));
  assert.match(message, /^Runs end after 8ms: if the workflow starts work that it does not wait for/);
});

test('several rules that meet at one instant plan several starts there', () => {
  const rules = [...cronSchedule('0 * * * *').rules, ...cronSchedule('0 */6 * * *').rules];
  const schedule: FoundSchedule = { ...cronSchedule('0 * * * *'), rules };
  const starts = everyMs(HOUR, 48).flatMap((ms) => (ms % (6 * HOUR) === 0 ? [ms, ms + 5 * SECOND] : [ms]));
  const context = known(runsAt(starts, SECOND), { ...until(48), definition: workflow({ schedule }) });
  // The plan is warned of; the history, which keeps to it, is not.
  assert.deepEqual(loud(context), ['trigger.duplicate warning']);
  assert.deepEqual([triggerDuplicate(context), slotMissed(context)], [[], []]);
});

test('a schedule of 9:00 and 17:00 that nobody told is two slots a day, and no double start', () => {
  const starts = everyMs(DAY, 30).flatMap((ms) => [ms + 9 * HOUR, ms + 17 * HOUR]);
  assert.deepEqual(loud(known(runsAt(starts, MINUTE), until(30 * 24))), []);
});

test('starts by webhook, by hand and by repetition have no slots', () => {
  const causes = ['webhook', 'manual', 'retry', 'sub-workflow'] as const;
  const runs = causes.flatMap((cause) =>
    runsAt(everyMs(HOUR, 20).toSpliced(5, 6), 1, { cause }).map((each) => ({
      ...each,
      runId: `${cause}${each.runId}`,
    })),
  );
  assert.equal(known(runs, until(20)).slots, null);
});

test('a poll leaves no run where it found nothing, so its empty slots are none', () => {
  const schedule: FoundSchedule = { ...cronSchedule('0 * * * *'), kind: 'poll' };
  const runs = runsAt(everyMs(HOUR, 48).toSpliced(20, 5), MINUTE);
  assert.deepEqual(loud(known(runs, { ...until(48), definition: workflow({ schedule }) })), []);
});

test('starts that come at any time keep to no slots', () => {
  let seed = 7;
  let ms = 0;
  const starts = Array.from({ length: 300 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    ms += Math.round(-Math.log(seed / 2_147_483_647) * 10 * MINUTE);
    return ms;
  });
  assert.equal(known(runsAt(starts, SECOND, { cause: 'unknown' })).slots, null);
});

test('starts that come closer than a second keep to no slots, however even they are', () => {
  for (const apartMs of [2, 20, 200]) {
    const bursts = everyMs(DAY, 3).flatMap((ms) => everyMs(apartMs, 300, ms));
    assert.equal(known(runsAt(bursts, 1, { cause: 'unknown' })).slots, null);
  }
  const eachSecond = known(runsAt(everyMs(SECOND, 300), 1)).slots;
  assert.deepEqual([eachSecond?.gapMs, eachSecond?.shared.length], [SECOND, 0]);
});

test('eight starts within some milliseconds of each hour are eight of one slot', () => {
  const starts = everyMs(HOUR, 30).flatMap((ms) => everyMs(3, 8, ms));
  const { slots } = known(runsAt(starts, 1), until(30));
  assert.deepEqual([slots?.gapMs, slots?.slotCount, slots?.shared.length], [HOUR, 30, 30]);
});

test('the slots of a long silence are counted on from the start before it', () => {
  // A plain timer that wanders over all of its period.
  const wandering = (fromMs: number): number[] =>
    everyMs(1_500, 2_000, fromMs).map((ms, at) => ms + ((at * at * 37) % 700));
  const { slots } = known(runsAt([...wandering(0), ...wandering(150 * DAY)], 1));
  const [longest] = slots?.empty.toSorted((one, other) => other.count - one.count) ?? [];
  assert.ok(slots !== null && longest !== undefined && longest.beforeMs !== null);
  const near = (ms: number): boolean => ms > 0 && ms <= 2 * slots.gapMs;
  assert.deepEqual([near(longest.firstMs - longest.afterMs), near(longest.beforeMs - longest.lastMs)], [true, true]);
});

test('a schedule that was changed is judged by what it is now', () => {
  const starts = [...everyMs(HOUR, 100), ...everyMs(5 * MINUTE, 300, 100 * HOUR)];
  const context = known(runsAt(starts, MINUTE), { nowMs: START + 100 * HOUR + 300 * 5 * MINUTE });
  assert.deepEqual([context.slots?.gapMs, context.slots?.slotCount, loud(context)], [5 * MINUTE, 300, []]);
});

test('a schedule that is switched off misses nothing', () => {
  const other = run({ workflow: 'other', startedAtMs: START + 90 * DAY, endedAtMs: START + 90 * DAY });
  const definition = workflow({ isActive: false, schedule: cronSchedule('0 * * * *') });
  assert.deepEqual(loud(known([...runsAt(everyMs(HOUR, 48), MINUTE), other], { definition })), []);
});

test('of each instant that can not be believed it is said why', () => {
  const zero = run({ runId: 'z', startedAtMs: 0 });
  const evidence = [SAMPLES['clock']?.(), finding('history.clock', known([zero]))].flatMap(
    (found) => found?.evidence ?? [],
  );
  assert.deepEqual(
    evidence.map(({ runId, why }) => `${String(runId)} ${String(why)}`),
    [
      'a ended before it started',
      'b starts in the future',
      'c ends in the future',
      'd an instant that can not be read',
      'z starts at an instant that means nothing',
    ],
  );
});

test('a wait that the definition shows does not make a run stuck', () => {
  const waiting = run({ runId: 'w', state: 'waiting', endedAtMs: null, cause: 'manual' });
  const runs = [...runsAt(everyMs(HOUR, 72), MINUTE), waiting];
  assert.deepEqual(loud(known(runs, { ...until(72), definition: workflow({ waitMs: 2 * DAY }) })), []);
  assert.deepEqual(loud(known(runs, { ...until(72), definition: workflow() })), ['run.stuck warning']);
});

test('a run whose end can not be believed is no second start of a slot, and its slot is not called missed', () => {
  const hourly = runsAt(everyMs(HOUR, 50), MINUTE);
  const before = (ms: number, runId: string): HistoryRun =>
    run({ runId, startedAtMs: START + ms, endedAtMs: START + ms - 10 * MINUTE });
  const extra = [10, 20, 30].map((hour) => before(hour * HOUR + SECOND, `extra ${hour}`));
  assert.deepEqual(loud(known([...hourly, ...extra], until(50))), ['history.clock warning']);
  const instead = [10, 20, 30].map((hour) => before(hour * HOUR, `instead ${hour}`));
  const others = hourly.filter((_, at) => ![10, 20, 30].includes(at));
  assert.deepEqual(loud(known([...others, ...instead], until(50))), ['history.clock warning']);
});
