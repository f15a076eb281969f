/** What happened to others, as histories: what has to be found in each, and what must not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { of, one, severe } from '../judged.ts';
import {
  cronSchedule,
  DAY,
  everyMs,
  HOUR,
  known,
  MINUTE,
  NOW,
  run,
  runsAt,
  SECOND,
  START,
  workflow,
} from '../stage.ts';

test('a run that is running for three months is stuck, and overlaps nothing (C127)', () => {
  const runs = runsAt(everyMs(HOUR, 24 * 90), 20 * MINUTE);
  const ghost = run({ runId: 'ghost', startedAtMs: START + MINUTE, endedAtMs: null, state: 'running' });
  const context = known([...runs, ghost]);
  assert.equal(context.history.figures.overlaps, 0);
  assert.deepEqual(context.history.figures.excluded, [{ runId: 'ghost', reason: 'open' }]);
  const stuck = one('run.stuck', context);
  assert.match(
    stuck.message,
    /: 1 run, the oldest \(ghost, running\) for 89d 23h; those that ended took 20m at the 95th/,
  );
  assert.equal(stuck.evidence[0]?.['runId'], 'ghost');
});

test('a run that is open since three months before all others begins no slots (C127)', () => {
  const ghost = run({ runId: 'ghost', startedAtMs: START, endedAtMs: null, state: 'running' });
  const runs = runsAt(everyMs(HOUR, 48, 92 * DAY), 20 * MINUTE);
  for (const definition of [undefined, workflow({ schedule: cronSchedule('0 * * * *') })]) {
    const context = known([ghost, ...runs], definition === undefined ? {} : { definition });
    assert.deepEqual(severe(context), ['run.stuck']);
    assert.match(one('run.stuck', context).message, /: 1 run, the oldest \(ghost, running\) for 93d 23h;/);
  }
});

test('runs that are queued for months are stuck, those that began an hour ago are not (C127)', () => {
  const runs = runsAt(everyMs(HOUR, 24 * 90), 20 * MINUTE);
  const last = runs.at(-1)?.startedAtMs ?? 0;
  const queued = run({ runId: 'q', startedAtMs: START, endedAtMs: null, state: 'queued' });
  const young = run({ runId: 'young', startedAtMs: last - HOUR, endedAtMs: null, state: 'running' });
  const { evidence } = one('run.stuck', known([...runs, queued, young]));
  assert.deepEqual(
    evidence.map(({ runId }) => runId),
    ['q'],
  );
});

test('two starts per slot of two versions are told with their versions (C129)', () => {
  const slots = everyMs(HOUR, 48);
  const [a, b] = ['old', 'new'].map((versionId, at) =>
    runsAt(slots, MINUTE, { versionId }).map((each) => ({
      ...each,
      runId: `${versionId}-${each.runId}`,
      startedAtMs: (each.startedAtMs ?? 0) + at * 22,
      endedAtMs: (each.endedAtMs ?? 0) + at * 22,
    })),
  );
  for (const definition of [undefined, workflow({ schedule: cronSchedule('0 * * * *', { host: 'n8n' }) })]) {
    const found = one('trigger.duplicate', known([...(a ?? []), ...(b ?? [])], definition && { definition }));
    assert.equal(found.severity, 'critical');
    assert.match(found.message, /^2 starts per slot in 48 of 48 slots .*, of 2 versions of the workflow \(old, new\)/);
    assert.deepEqual(found.evidence[0]?.['versions'], ['old', 'new']);
  }
});

test('an inactive workflow that is still executed is told (C129)', () => {
  const definition = workflow({ isActive: false });
  const context = known(runsAt(everyMs(HOUR, 24), MINUTE), { definition });
  const found = one('trigger.duplicate', context);
  assert.match(found.message, /^Inactive workflow still executing: .* 24 times, last at 2026-01-05T23:00:00Z/);
  assert.equal(found.evidence[0]?.['inactive'], true);
  const others = run({ workflow: 'other', startedAtMs: NOW - HOUR, endedAtMs: NOW });
  const later = known([...runsAt(everyMs(HOUR, 24), MINUTE), others], { definition });
  assert.deepEqual(of('trigger.duplicate', later), [], 'it was switched off since');
});

test('four starts per slot are found, with and without their schedule, and overlaps by real intervals (C130)', () => {
  const took = [10, 20, 30, 5].map((seconds) => seconds * SECOND);
  const runs = everyMs(MINUTE, 60).flatMap((slot, at) =>
    [22, 23, 34, 57].map((second, nth) =>
      run({
        runId: `${at}-${nth}`,
        startedAtMs: START + slot + second * SECOND,
        endedAtMs: START + slot + second * SECOND + (took[nth] ?? 0),
      }),
    ),
  );
  const scheduled = workflow({ schedule: cronSchedule('* * * * *', { host: 'n8n' }) });
  for (const context of [known(runs), known(runs, { definition: scheduled })]) {
    assert.match(one('trigger.duplicate', context).message, /^4 starts per slot in 60 of 60 slots/);
    // :23 in :22's ten seconds, :34 in :23's twenty, :57 in :34's thirty.
    assert.equal(context.history.figures.overlaps, 180);
    assert.equal(context.history.figures.maxConcurrent, 2);
    assert.equal(of('overlap.observed', context)[0]?.severity, 'critical');
  }
});

test('three empty slots, and silence after, are missed (C131)', () => {
  const starts = [...everyMs(HOUR, 50), ...everyMs(HOUR, 50, 53 * HOUR)];
  const missed = one('slot.missed', known(runsAt(starts, MINUTE), { nowMs: START + 103 * HOUR }));
  assert.equal(missed.severity, 'warning');
  assert.match(missed.message, /^3 slots of 103 had no start/);
  assert.deepEqual(
    [missed.evidence[0]?.['firstSlotAt'], missed.evidence[0]?.['lastSlotAt'], missed.evidence[0]?.['slots']],
    ['2026-01-07T02:00:00Z', '2026-01-07T04:00:00Z', 3],
  );
  const other = run({ workflow: 'other', startedAtMs: START + 200 * HOUR, endedAtMs: START + 200 * HOUR });
  const silent = one('slot.missed', known([...runsAt(starts, MINUTE), other]));
  assert.match(silent.message, /^100 slots of 200 .* Since 2026-01-09T06:00:00Z nothing started: 97 slots until/);
});

test('of a live source the history goes on until now (C131)', () => {
  const runs = runsAt(everyMs(HOUR, 50), MINUTE);
  const live = known(runs, { source: 'n8n:https://n8n.example.com', nowMs: START + 60 * HOUR });
  assert.match(one('slot.missed', live).message, /Since 2026-01-07T01:00:00Z nothing started: 10 slots until/);
  const file = one('slot.missed', known(runs, { nowMs: START + 60 * HOUR }));
  assert.equal(file.severity, 'info');
  assert.match(file.message, /^The history ends at .* If it was taken later than that, its trigger has stopped/);
});

test('starts that are all 2 h 40 late are an offset, neither missed nor extra (C132)', () => {
  const definition = workflow({ schedule: cronSchedule('0 6 * * *') });
  const starts = everyMs(DAY, 60, 8 * HOUR + 40 * MINUTE);
  const context = known(runsAt(starts, MINUTE), { definition, nowMs: START + 61 * DAY });
  assert.deepEqual([of('slot.missed', context), of('trigger.duplicate', context)], [[], []]);
  const offset = one('history.clock', context);
  assert.equal(offset.severity, 'info');
  assert.match(offset.message, /^Every start comes 2h 40m after its planned instant/);
  assert.equal(offset.evidence[0]?.['offsetMs'], 2 * HOUR + 40 * MINUTE);
});

test('an offset that reaches into later slots is one all the same (C132)', () => {
  const definition = workflow({ schedule: cronSchedule('0 * * * *') });
  const starts = everyMs(HOUR, 60, 2 * HOUR + 40 * MINUTE);
  const context = known(runsAt(starts, MINUTE), { definition, nowMs: START + 63 * HOUR });
  assert.deepEqual([of('slot.missed', context), of('trigger.duplicate', context)], [[], []]);
  assert.match(one('history.clock', context).message, /comes 40m after its planned instant/);
});

test('where the source tells the slot of each run, an offset of any size is one, and a slot that two have is doubled (C132)', () => {
  const late = everyMs(HOUR, 60).map((ms, at) =>
    run({
      runId: String(at),
      slotAtMs: START + ms,
      startedAtMs: START + ms + 160 * MINUTE,
      endedAtMs: START + ms + 161 * MINUTE,
    }),
  );
  const context = known(late, { nowMs: START + 64 * HOUR });
  assert.deepEqual(
    [of('slot.missed', context).filter(({ severity }) => severity !== 'info'), of('trigger.duplicate', context)],
    [[], []],
  );
  assert.match(one('history.clock', context).message, /comes 2h 40m after its planned instant/);
  const again = late.slice(50).map((each) => ({
    ...each,
    runId: `again ${each.runId}`,
    startedAtMs: (each.startedAtMs ?? 0) + 20 * MINUTE,
    endedAtMs: (each.endedAtMs ?? 0) + 20 * MINUTE,
  }));
  const doubled = known([...late, ...again], { nowMs: START + 64 * HOUR });
  assert.match(one('trigger.duplicate', doubled).message, /^2 starts per slot in 10 of 60 slots/);
});
