/** Executions of n8n beside their workflow, and histories of Make and Zapier, with figures reckoned by hand. */
import { type Drawn, HOURLY } from '../n8n/build.ts';
import { DAY, HOUR, type Known, MINUTE, n8n, NOW, type Sample, SECOND } from './corpus.ts';
import { CRITICAL, execution, iso, rows } from './rows.ts';

const EVERY_MINUTE: Drawn = {
  type: 'scheduleTrigger',
  typeVersion: 1.2,
  parameters: { rule: { interval: [{ field: 'minutes', minutesInterval: 1 }] } },
};
const EARLY: Drawn = {
  type: 'scheduleTrigger',
  typeVersion: 1.2,
  parameters: { rule: { interval: [{ triggerAtHour: 6 }] } },
};
const END: Drawn = { type: 'noOp' };

/** A definition of n8n, and its executions in a file beside it. */
function executed(
  name: string,
  start: Drawn,
  executions: readonly object[],
  known: Known,
  more: Record<string, unknown> = {},
): Sample {
  const data = executions.map((each) => ({ workflowId: name, ...each }));
  const drawing = { nodes: { Start: start, End: END }, flow: 'Start > End', ...more };
  return n8n(name, drawing, known, { files: { 'executions.json': { data, nextCursor: null } } });
}

const at = (minutes: number): string => iso(NOW - 30 * HOUR + minutes * MINUTE);

const EACH_HOUR = {
  id: '6',
  title: 'Leads',
  status: 'on',
  nodes: {
    7: {
      id: 7,
      parent_id: null,
      type_of: 'read',
      action: 'everyHour',
      selected_api: 'ScheduleCLIAPI@1.7.0',
      params: { moh: '0' },
      meta: { timezone: 'UTC' },
    },
    8: { id: 8, parent_id: 7, type_of: 'write', action: 'add_row', selected_api: 'GoogleSheetsV2CLIAPI@2.1.0' },
  },
};

export const EXECUTIONS: readonly Sample[] = [
  executed(
    'two-versions-side-by-side',
    HOURLY,
    rows(50, HOUR, MINUTE).flatMap((row, index) => [
      execution({ ...row, id: `${index}a` }, { workflowVersionId: 'v1' }),
      execution(
        { ...row, id: `${index}b`, startMs: row.startMs + 30 * SECOND, endMs: row.endMs + 30 * SECOND },
        { workflowVersionId: 'v2' },
      ),
    ]),
    {
      finds: ['trigger.duplicate critical', 'overlap.observed critical'],
      may: ['overlap.predicted'],
      history: { runs: 100, overlaps: 50 },
      says: { 'trigger.duplicate': /v1.*v2|v2.*v1/ },
    },
  ),
  executed(
    'switched-off-and-running',
    HOURLY,
    rows(50, HOUR, MINUTE).map((row) => execution(row)),
    {
      finds: ['trigger.duplicate'],
      history: { runs: 50, overlaps: 0 },
      says: { 'trigger.duplicate': /inactive|switched off/i },
    },
    { active: false },
  ),
  executed(
    'two-hours-and-forty-late',
    EARLY,
    rows(40, DAY, MINUTE, NOW - 40 * DAY + 6 * HOUR + 160 * MINUTE).map((row) => execution(row)),
    {
      finds: ['history.clock info'],
      says: { 'history.clock': /2h 40m/ },
    },
  ),
  executed(
    'a-drain-of-ninety-seconds',
    EVERY_MINUTE,
    rows(200, MINUTE, 90 * SECOND).map((row) => execution(row)),
    {
      finds: CRITICAL,
      history: { overlaps: 199, p95Ms: 90 * SECOND },
    },
  ),
  executed(
    'rows-of-every-kind',
    HOURLY,
    [
      ...rows(30, HOUR, 10 * MINUTE).map((row) => execution(row)),
      { id: 'm', mode: 'manual', status: 'success', startedAt: at(5), stoppedAt: at(65) },
      { id: 's', mode: 'integrated', status: 'success', startedAt: at(5), stoppedAt: at(65) },
      { id: 'r', mode: 'retry', retryOf: '3', status: 'success', startedAt: at(5), stoppedAt: at(65) },
      {
        id: 'w',
        mode: 'trigger',
        status: 'waiting',
        startedAt: at(29 * 60),
        stoppedAt: at(29 * 60 + 1),
        waitTill: at(40 * 60),
      },
      { id: 'o', mode: 'trigger', status: 'running', startedAt: at(29 * 60), stoppedAt: null },
      { id: 'q', mode: 'trigger', status: 'new', startedAt: null, stoppedAt: null },
      { id: 'c', mode: 'trigger', status: 'success', startedAt: at(100), stoppedAt: at(90) },
      {
        id: 'f',
        mode: 'trigger',
        status: 'success',
        startedAt: '2031-01-01T00:00:00.000Z',
        stoppedAt: '2031-01-01T00:01:00.000Z',
      },
    ],
    {
      finds: ['history.clock warning'],
      may: ['trigger.duplicate', 'history.incomplete', 'slot.missed', 'run.stuck'],
      history: { runs: 38, used: 30, overlaps: 0, maxConcurrent: 1, p50Ms: 10 * MINUTE, slowestMs: 10 * MINUTE },
      excluded: ['m manual', 's sub-workflow', 'r retry', 'w waiting', 'o open', 'q no-start', 'c clock', 'f clock'],
    },
  ),
  executed(
    'a-crash-that-nobody-ended',
    HOURLY,
    rows(50, HOUR, MINUTE).map((row, index) =>
      execution(index === 40 ? { ...row, endMs: row.startMs + 5 * HOUR } : row, {
        status: index === 40 ? 'crashed' : 'success',
      }),
    ),
    {
      finds: ['overlap.observed warning'],
      // The start at the very end of it doesn't fall into it.
      history: { overlaps: 4 },
    },
  ),
  executed(
    'webhooks-that-meet',
    { type: 'webhook' },
    rows(50, HOUR, 90 * MINUTE, NOW - 51 * HOUR).map((row) => execution(row, { mode: 'webhook' })),
    {
      finds: ['overlap.observed warning'],
      may: ['overlap.predicted'],
      history: { overlaps: 49 },
      schedule: null,
    },
  ),
  executed(
    'only-failures-are-kept',
    HOURLY,
    rows(20, 5 * HOUR, MINUTE).map((row) => execution(row, { status: 'error' })),
    {
      finds: ['history.incomplete warning'],
      history: { runs: 20, used: 20, overlaps: 0 },
    },
  ),
  {
    name: 'make-log',
    files: { 'logs.json': { scenarioLogs: makeLog(60, 16 * MINUTE), pg: { limit: 100 } } },
    id: '77',
    // Every 15 minutes, each 16 long.
    known: {
      finds: CRITICAL,
      may: ['history.incomplete', 'slot.missed'],
      history: { runs: 60, used: 60, overlaps: 59, maxConcurrent: 2 },
    },
  },
  {
    name: 'make-log-with-retries-and-hands',
    files: {
      'logs.json': {
        scenarioLogs: [
          ...makeLog(60, MINUTE),
          { imtId: '1_dlq.9.auto.r1', id: 'r1', timestamp: iso(NOW - DAY), duration: 5_000, status: 3, type: 'auto' },
          {
            imtId: '1_scenario.77.manual.m1',
            id: 'm1',
            timestamp: iso(NOW - DAY),
            duration: 5_000,
            status: 1,
            type: 'manual',
          },
          { imtId: 'x', timestamp: iso(NOW - DAY), type: 'edit', authorId: 3 },
        ],
      },
    },
    id: '77',
    known: {
      finds: [],
      may: ['history.incomplete', 'slot.missed'],
      history: { runs: 62, used: 60, overlaps: 0 },
      excluded: ['r1 retry', 'm1 manual'],
    },
  },
  // n8n calls what a message started `trigger`: each brought a record, which a lock would lose.
  ...['kafkaTrigger', 'rabbitmqTrigger', 'mqttTrigger', 'emailReadImap', 'postgresTrigger'].map((type) =>
    executed(
      `messages-that-meet-${type}`,
      { type, typeVersion: 1 },
      rows(40, 30 * SECOND, 40 * SECOND).map((row, index) =>
        execution({
          ...row,
          startMs: row.startMs + ((index * index * 7) % 25) * SECOND,
          endMs: row.endMs + 30 * SECOND,
        }),
      ),
      {
        finds: ['overlap.observed warning'],
        may: ['history.incomplete'],
        says: { 'overlap.observed': /Events from outside started \d+ of them/ },
      },
    ),
  ),
  {
    name: 'zap-runs',
    files: { 'runs.json': { data: zapRuns(40, HOUR, 20 * MINUTE), meta: { count: 40 } } },
    id: '5',
    known: { finds: [], may: ['history.incomplete'], history: { runs: 40, used: 40, overlaps: 0, p95Ms: 20 * MINUTE } },
  },
  {
    name: 'zap-runs-that-meet',
    files: { 'runs.json': { data: zapRuns(40, HOUR, 65 * MINUTE), meta: { count: 40 } } },
    id: '5',
    // Each brings a record of its own, which a lock would lose.
    known: {
      finds: ['overlap.observed warning'],
      may: ['history.incomplete'],
      history: { runs: 40, overlaps: 39 },
      says: { 'overlap.observed': /Events from outside started 39 of them/ },
    },
  },
  {
    name: 'zap-runs-of-a-schedule-that-meet',
    files: {
      'runs.json': { data: zapRuns(40, HOUR, 65 * MINUTE, 6), meta: { count: 40 } },
      'zapfile.json': { metadata: { version: 'gdpr_v1' }, zaps: [EACH_HOUR] },
    },
    id: '6',
    known: {
      finds: [...CRITICAL, 'guard.missing info'],
      may: ['history.incomplete', 'slot.missed'],
      history: { runs: 40, overlaps: 39 },
    },
  },
];

/** Newest first, as Make lists them; the timestamp is the start. */
function makeLog(count: number, duration: number): object[] {
  return rows(count, 15 * MINUTE, duration, NOW - (count + 2) * 15 * MINUTE)
    .map(({ id, startMs }) => ({
      imtId: `${startMs}_scenario.77.auto.e${id}`,
      id: `e${id}`,
      timestamp: iso(startMs),
      duration,
      status: 1,
      type: 'auto',
      instant: false,
      operations: 3,
    }))
    .toReversed();
}

function zapRuns(count: number, gapMs: number, tookMs: number, zap = 5): object[] {
  return rows(count, gapMs, tookMs, NOW - (count + 1) * gapMs).map(({ id, startMs, endMs }) => ({
    id: `r${id}`,
    zap_id: zap,
    zap_title: 'Leads',
    start_time: iso(startMs),
    end_time: iso(endMs),
    status: 'success',
    steps: [],
    data_in: { email: 'jo@example.com' },
  }));
}
