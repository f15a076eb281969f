/** Histories of which the auditor has something to say, one for each sentence. */
import type { Finding, Rule } from '../../src/audit/model/finding.ts';
import type { HistoryRun } from '../../src/audit/model/run.ts';
import type { RuleContext } from '../../src/audit/rules/rule.ts';
import { AUDIT_RULES } from '../../src/audit/rules/rules.ts';
import { cronSchedule, DAY, everyMs, HOUR, known, MINUTE, NOW, run, runsAt, SECOND, START, workflow } from './stage.ts';

/** The one finding of this rule, or the one of several whose message begins so. */
export function finding(rule: Rule, context: RuleContext, begins = ''): Finding {
  const found = AUDIT_RULES.flatMap((judge) => judge(context)).find(
    (each) => each.rule === rule && each.message.startsWith(begins),
  );
  if (found === undefined) throw new Error(`no ${rule} that begins "${begins}"`);
  return found;
}

const UNTIL = { nowMs: START + 30 * HOUR };
const hourly = (tookMs: number, given: Partial<HistoryRun> = {}): HistoryRun[] =>
  runsAt(everyMs(HOUR, 30), tookMs, given);

/** Hourly, 20 minutes each, but for one of 70. */
const slowMorning = (): HistoryRun[] =>
  hourly(20 * MINUTE).map((each, at) =>
    at === 20 ? { ...each, endedAtMs: (each.startedAtMs ?? 0) + 70 * MINUTE } : each,
  );

const pairs = (versions: readonly (string | null)[]): HistoryRun[] =>
  everyMs(HOUR, 30).flatMap((ms, at) =>
    versions.map((versionId, nth) =>
      run({ runId: `${at}-${nth}`, startedAtMs: START + ms + nth, endedAtMs: START + ms + nth, versionId }),
    ),
  );

const summerTime = Date.UTC(2026, 2, 29, 1);
/** Daily at 02:30 in Berlin, whose clocks skip it once. */
const skippedDay = (): HistoryRun[] =>
  everyMs(DAY, 40, summerTime - 20 * DAY + 30 * MINUTE - START)
    .map((ms) => (START + ms > summerTime + HOUR ? ms - HOUR : ms))
    .toSpliced(20, 1)
    .map((ms, at) => run({ runId: String(at), startedAtMs: START + ms, endedAtMs: START + ms + MINUTE }));

const winterTime = Date.UTC(2026, 9, 25, 1);
const silentHour = (): HistoryRun[] =>
  [...everyMs(10 * SECOND, 900, -9_000 * SECOND), ...everyMs(10 * SECOND, 900, HOUR)].map((ms, at) =>
    run({ runId: String(at), startedAtMs: winterTime + ms, endedAtMs: winterTime + ms + SECOND }),
  );

const lateOnce = (): HistoryRun[] =>
  runsAt(
    everyMs(HOUR, 30).map((ms, at) => (at === 10 ? ms + 65 * MINUTE : ms)),
    MINUTE,
  );

/** Each hour but for the first three of a day. */
const byDay = (): HistoryRun[] =>
  runsAt(
    everyMs(HOUR, 5 * 24).filter((ms) => ms % DAY >= 3 * HOUR),
    MINUTE,
  );

export const SAMPLES: Readonly<Record<string, () => Finding>> = {
  observed: () => finding('overlap.observed', known(slowMorning(), UNTIL)),
  crashed: () =>
    finding(
      'overlap.observed',
      known(
        slowMorning().map((each, at) => (at === 20 ? { ...each, result: 'crashed' } : each)),
        UNTIL,
      ),
    ),
  webhooks: () => finding('overlap.observed', known(hourly(90 * MINUTE, { cause: 'webhook' }), UNTIL)),
  slowest: () => finding('overlap.predicted', known(slowMorning(), UNTIL)),
  always: () =>
    finding('overlap.predicted', known(runsAt(everyMs(2 * HOUR, 30), 70 * MINUTE), { ...UNTIL, everyMs: HOUR })),
  half: () => finding('overlap.predicted', known(hourly(40 * MINUTE), UNTIL)),
  twice: () => finding('trigger.duplicate', known(pairs([null, null]), UNTIL)),
  versions: () => finding('trigger.duplicate', known(pairs(['v1', 'v2']), UNTIL)),
  close: () => finding('trigger.duplicate', known(runsAt([0, 500, 9 * HOUR, 13 * HOUR], SECOND), UNTIL)),
  inactive: () =>
    finding('trigger.duplicate', known(hourly(MINUTE), { ...UNTIL, definition: workflow({ isActive: false }) })),
  stuck: () =>
    finding('run.stuck', known([...hourly(MINUTE), run({ runId: 'ghost', endedAtMs: null, state: 'running' })], UNTIL)),
  waiting: () =>
    finding(
      'run.stuck',
      known([
        run({ runId: 'a', state: 'waiting', endedAtMs: null }),
        run({ runId: 'b', state: 'queued', endedAtMs: null }),
        run({ runId: 'c', startedAtMs: START + 40 * HOUR, endedAtMs: START + 40 * HOUR, cause: 'manual' }),
      ]),
    ),
  missed: () => finding('slot.missed', known(hourly(MINUTE).toSpliced(10, 3), UNTIL)),
  silent: () =>
    finding('slot.missed', known(hourly(MINUTE), { source: 'n8n:https://n8n.example.com', nowMs: START + 40 * HOUR })),
  notKept: () =>
    finding(
      'slot.missed',
      known(hourly(MINUTE).toSpliced(10, 3), {
        ...UNTIL,
        definition: workflow({
          historyLimits: ['Runs that went well are not kept.'],
          schedule: cronSchedule('0 * * * *'),
        }),
      }),
    ),
  interval: () => finding('slot.missed', known(hourly(MINUTE).toSpliced(10, 3), { ...UNTIL, everyMs: HOUR })),
  skipped: () =>
    finding('slot.missed', known(skippedDay(), { timezone: 'Europe/Berlin', nowMs: summerTime + 21 * DAY })),
  repeated: () => finding('slot.missed', known(silentHour(), { nowMs: winterTime + 4 * HOUR })),
  late: () => finding('slot.missed', known(lateOnce(), UNTIL)),
  closed: () => finding('slot.missed', known(byDay(), { nowMs: START + 4 * DAY + 22 * HOUR })),
  ended: () => finding('slot.missed', known(hourly(MINUTE), { nowMs: START + 40 * HOUR })),
  drift: () =>
    finding(
      'schedule.dst',
      known(runsAt(everyMs(DAY, 365, 9 * HOUR), MINUTE), { timezone: 'Europe/Berlin', nowMs: START + 365 * DAY }),
    ),
  clock: () =>
    finding(
      'history.clock',
      known([
        run({ runId: 'a', endedAtMs: START - 1 }),
        run({ runId: 'b', startedAtMs: NOW + HOUR, endedAtMs: NOW + HOUR }),
        run({ runId: 'c', endedAtMs: NOW + HOUR }),
        run({ runId: 'd', startedAtMs: null, isClockSuspect: true }),
      ]),
    ),
  offset: () =>
    finding(
      'history.clock',
      known(runsAt(everyMs(DAY, 20, 8 * HOUR), MINUTE), {
        definition: workflow({ schedule: cronSchedule('0 6 * * *') }),
      }),
    ),
  few: () => finding('history.incomplete', known([run()])),
  none: () => finding('history.incomplete', known([run({ state: 'running' })])),
  failures: () => finding('history.incomplete', known(hourly(MINUTE, { result: 'failure' }))),
  empty: () => finding('history.incomplete', known(hourly(5), UNTIL)),
  n8n: () => finding('overlap.observed', known(slowMorning(), { ...UNTIL, definition: workflow() })),
  make: () =>
    finding('overlap.observed', known(slowMorning(), { ...UNTIL, definition: workflow({ platform: 'make' }) })),
  zapier: () =>
    finding('overlap.observed', known(slowMorning(), { ...UNTIL, definition: workflow({ platform: 'zapier' }) })),
  cron: () =>
    finding('overlap.observed', known(slowMorning(), { ...UNTIL, definition: workflow({ platform: 'cron' }) })),
  noStart: () => finding('history.incomplete', known([...hourly(MINUTE), run({ runId: 'x', startedAtMs: null })])),
  clashing: () => finding('history.incomplete', known([...hourly(MINUTE), run({ startedAtMs: START + MINUTE })])),
};
