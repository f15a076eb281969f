/** A workflow that was edited while its history ran: what it planned before is in no file, so nothing is held against it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDefinition } from '../../../src/audit/readers/n8n-workflow/read-definition.ts';
import { instantText } from '../../../src/audit/words.ts';
import { of, severe } from '../judged.ts';
import { cronSchedule, everyMs, HOUR, type Known, known, MINUTE, runsAt, START, workflow } from '../stage.ts';

const EDITED = START + 48 * HOUR;
/** Each six hours for two days, then each hour for two. */
const QUICKER = [...everyMs(6 * HOUR, 8), ...everyMs(HOUR, 48, 48 * HOUR)];
const hourly = (given: Partial<Parameters<typeof workflow>[0]> = {}): Known => ({
  definition: workflow({ schedule: cronSchedule('0 * * * *', { host: 'n8n' }), ...given }),
  nowMs: START + 96 * HOUR,
});

describe('a workflow that was edited', () => {
  it('has no missed slots before that, where its schedule was another one', () => {
    const runs = runsAt(QUICKER, MINUTE);
    assert.deepEqual(severe(known(runs, hourly())), ['slot.missed'], 'where nobody says when');
    assert.deepEqual(severe(known(runs, hourly({ changedAtMs: EDITED }))), []);
  });

  it('has no double starts before that either, and those after it at their places', () => {
    const twice = everyMs(30 * MINUTE, 96);
    const after = [...everyMs(HOUR, 40, 48 * HOUR), 60 * HOUR + 1_000, 61 * HOUR + 1_000].toSorted((a, b) => a - b);
    const quiet = runsAt([...twice, ...everyMs(HOUR, 40, 48 * HOUR)], MINUTE);
    assert.deepEqual(of('trigger.duplicate', known(quiet, hourly({ changedAtMs: EDITED }))), []);
    const [found] = of(
      'trigger.duplicate',
      known(runsAt([...twice, ...after], MINUTE), hourly({ changedAtMs: EDITED })),
    );
    assert.match(found?.message ?? '', /^2 starts per slot in 2 of 40 slots/);
    assert.deepEqual(
      found?.evidence.map(({ startedAt }) => startedAt),
      [61, 60].map((hour) => [0, 1_000].map((ms) => instantText(START + hour * HOUR + ms))),
    );
  });

  it('is said to be judged from then on only', () => {
    const context = known(runsAt(QUICKER, MINUTE), hourly({ changedAtMs: EDITED }));
    assert.deepEqual(
      of('history.incomplete', context).flatMap(({ evidence }) => evidence.map(({ limit }) => limit)),
      [
        'It was last changed at 2026-01-07T00:00:00Z: only starts since then are held against its schedule, since what it planned before is not known.',
      ],
    );
    const before = known(runsAt(QUICKER, MINUTE), hourly({ changedAtMs: START }));
    assert.deepEqual(of('history.incomplete', before), []);
  });

  it('and never started since then is told', () => {
    const runs = runsAt(everyMs(6 * HOUR, 8), MINUTE);
    const live = { source: 'n8n:https://n8n.test' };
    const [found, ...others] = of('slot.missed', known(runs, { ...hourly({ changedAtMs: EDITED }), ...live }));
    assert.deepEqual(
      [found?.severity, found?.message, found?.advice, others],
      [
        'warning',
        'Since it was last changed at 2026-01-07T00:00:00Z nothing started: 48 slots until the history ends.',
        'Look whether its trigger came back with the change: switch the workflow off and on, and wait for one slot.',
        [],
      ],
    );
    const off = known(runs, { ...hourly({ changedAtMs: EDITED, isActive: false }), ...live });
    assert.deepEqual(of('slot.missed', off), []);
    const justNow = known(runs, { ...hourly({ changedAtMs: START + 94 * HOUR }), ...live });
    assert.deepEqual(of('slot.missed', justNow), []);
  });

  it('keeps the slots that its history tells, where no schedule of its own is known', () => {
    const runs = runsAt(
      everyMs(HOUR, 40).filter((_, at) => at < 10 || at > 13),
      MINUTE,
    );
    const context = known(runs, { definition: workflow({ changedAtMs: START + 30 * HOUR }), nowMs: START + 40 * HOUR });
    assert.equal(of('slot.missed', context).filter(({ severity }) => severity === 'warning').length, 1);
  });

  it('is known by the instant that n8n gives, as text or as a number', () => {
    const changed = (updatedAt: unknown): number | null | undefined =>
      readDefinition({ id: '1', name: 'a', nodes: [], connections: {}, updatedAt }, 'a.json')?.changedAtMs;
    assert.equal(changed('2026-01-07T00:00:00.000Z'), EDITED);
    assert.equal(changed('2026-01-07 00:00:00'), EDITED);
    assert.equal(changed(EDITED), EDITED);
    assert.deepEqual([changed(undefined), changed('soon'), changed(null)], [null, null, null]);
  });
});
