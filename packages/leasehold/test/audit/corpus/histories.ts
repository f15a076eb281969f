/** Histories as rows, with their figures reckoned by hand. */
import { DAY, HOUR, type Known, MINUTE, NOW, type Sample, SECOND } from './corpus.ts';
import { CRITICAL, csv, ndjson, type Row, rows } from './rows.ts';

const history = (name: string, list: readonly Row[], known: Known, given: Partial<Sample> = {}): Sample => ({
  name,
  files: { 'runs.ndjson': ndjson(list, name) },
  known,
  ...given,
});

/** 20 minutes each, and one that takes 70: the start after it falls into it. */
const story = (slowAt: number): readonly Row[] =>
  rows(214, HOUR, 20 * MINUTE).map((row, at) => (at === slowAt ? { ...row, endMs: row.startMs + 70 * MINUTE } : row));

/** At :22, :23, :34 and :57: the second starts in the first, the third in the second. */
const FOUR: readonly Row[] = rows(48, HOUR, 0).flatMap(({ startMs }, slot) =>
  [
    [22, 5],
    [23, 12],
    [34, 3],
    [57, 2],
  ].map(([at = 0, took = 0], index) => ({
    id: String(slot * 4 + index),
    startMs: startMs + at * MINUTE,
    endMs: startMs + (at + took) * MINUTE,
  })),
);

const GAPS: readonly Row[] = rows(120, HOUR, MINUTE).filter((_, at) => at < 50 || at > 52);
/** The clocks of Berlin went back at 01:00 UTC; the hour after that is the repeated one. */
const REPEATED_MS = Date.UTC(2025, 9, 26, 1);
const SILENT: readonly Row[] = rows(6 * 360, 10 * SECOND, 2 * SECOND, REPEATED_MS - 3 * HOUR).filter(
  ({ startMs }) => startMs < REPEATED_MS || startMs >= REPEATED_MS + HOUR,
);
/** 02:30 in Berlin: 01:30 UTC in winter, 00:30 in summer; on the 29th of March 2026 there is no such time. */
const SKIPPED: readonly Row[] = rows(41, DAY, MINUTE, Date.UTC(2026, 2, 9, 1, 30)).flatMap((row, at) =>
  at === 20 ? [] : at < 20 ? [row] : [{ ...row, startMs: row.startMs - HOUR, endMs: row.endMs - HOUR }],
);

/** 40 customers, one each minute, 20 minutes each: nobody is worked twice. */
const CUSTOMERS = rows(40, MINUTE, 20 * MINUTE)
  .map(({ startMs, endMs }, at) => {
    const [startedAt, stoppedAt] = [startMs, endMs].map((ms) => new Date(ms ?? 0).toISOString());
    return `${JSON.stringify({ id: at + 1, name: `customer-${10_001 + at}`, startedAt, stoppedAt })}\n`;
  })
  .join('');

export const HISTORIES: readonly Sample[] = [
  {
    name: 'customers-that-are-worked-once-each',
    files: { 'runs.ndjson': CUSTOMERS },
    id: 'customer-10001',
    known: { finds: [], may: ['history.incomplete'], history: { runs: 1, overlaps: 0 } },
  },
  history('one-slow-morning-lately', story(200), {
    finds: CRITICAL,
    history: {
      runs: 214,
      used: 214,
      overlaps: 1,
      overlapsLast100: 1,
      maxConcurrent: 2,
      p50Ms: 20 * MINUTE,
      p95Ms: 20 * MINUTE,
      slowestMs: 70 * MINUTE,
    },
    // Two gaps and a minute are more than 1.5 times the slowest run.
    leaseMs: 121 * MINUTE,
  }),
  history('one-slow-morning-long-ago', story(20), {
    finds: ['overlap.observed warning', 'overlap.predicted critical'],
    history: { overlaps: 1, overlapsLast100: 0 },
  }),
  history('well-within-its-hour', rows(60, HOUR, 10 * MINUTE), {
    finds: [],
    history: {
      runs: 60,
      used: 60,
      overlaps: 0,
      overlapsLast100: 0,
      maxConcurrent: 1,
      p50Ms: 10 * MINUTE,
      p95Ms: 10 * MINUTE,
      slowestMs: 10 * MINUTE,
    },
  }),
  history('over-half-of-its-hour', rows(60, HOUR, 40 * MINUTE), {
    finds: ['overlap.predicted warning'],
    history: { overlaps: 0 },
  }),
  history('ends-as-the-next-starts', rows(60, HOUR, HOUR), {
    finds: ['overlap.predicted warning'],
    history: { overlaps: 0, maxConcurrent: 1 },
  }),
  history('each-starts-in-the-one-before', rows(60, HOUR, 61 * MINUTE), {
    finds: CRITICAL,
    history: { overlaps: 59, overlapsLast100: 59, maxConcurrent: 2 },
  }),
  history('three-at-once', rows(60, HOUR, 150 * MINUTE, NOW - 62 * HOUR), {
    finds: CRITICAL,
    may: ['slot.missed'],
    history: { overlaps: 59, maxConcurrent: 3 },
  }),
  history(
    'no-interval-that-anybody-knows',
    rows(30, HOUR, 40 * MINUTE),
    { finds: ['overlap.predicted critical'], history: { overlaps: 0 } },
    {
      everyMs: 30 * MINUTE,
      known: { finds: ['overlap.predicted critical'], may: ['slot.missed'], history: { overlaps: 0 } },
    },
  ),
  history('a-single-run', rows(1, HOUR, 10 * MINUTE), {
    finds: [],
    may: ['history.incomplete'],
    history: { runs: 1, used: 1, overlaps: 0, p95Ms: 10 * MINUTE },
  }),
  history('four-starts-a-slot', FOUR, {
    finds: ['overlap.observed critical', 'trigger.duplicate critical'],
    may: ['overlap.predicted'],
    history: { runs: 192, used: 192, overlaps: 96, overlapsLast100: 50, maxConcurrent: 2 },
    says: { 'trigger.duplicate': /4 starts per slot/ },
  }),
  history('three-slots-left-out', GAPS, {
    finds: ['slot.missed warning'],
    history: { runs: 117, overlaps: 0 },
    says: { 'slot.missed': /^3 slots/ },
  }),
  history(
    'silent-for-the-repeated-hour',
    SILENT,
    { finds: ['slot.missed info'], says: { 'slot.missed': /DST repeat/ } },
    { timezone: 'Europe/Berlin' },
  ),
  history(
    'silent-for-an-hour-that-no-clock-explains',
    SILENT,
    { finds: ['slot.missed warning', 'slot.missed info'] },
    { timezone: 'UTC' },
  ),
  history(
    'a-night-that-the-clocks-skipped',
    SKIPPED,
    { finds: ['slot.missed info'], says: { 'slot.missed': /DST skip/ } },
    { timezone: 'Europe/Berlin' },
  ),
  history('a-timer-off-the-clock', rows(300, 5 * MINUTE, MINUTE, NOW - 300 * 5 * MINUTE + 137 * SECOND), {
    finds: [],
    history: { overlaps: 0 },
  }),
  history(
    'a-year-in-utc',
    rows(365, DAY, MINUTE, NOW - 365 * DAY + 6 * HOUR),
    { finds: ['schedule.dst info'], history: { overlaps: 0 } },
    { timezone: 'Europe/Berlin' },
  ),
  history(
    'open-for-three-months',
    [{ id: 'ghost', startMs: NOW - 100 * HOUR - 92 * DAY, endMs: null }, ...rows(100, HOUR, 10 * MINUTE)],
    {
      finds: ['run.stuck warning'],
      may: ['history.incomplete'],
      history: { runs: 101, used: 100, overlaps: 0, maxConcurrent: 1 },
      excluded: ['ghost open'],
    },
    {
      files: {
        'runs.ndjson': ndjson(
          [
            { id: 'ghost', startMs: NOW - 100 * HOUR - 92 * DAY, endMs: null, status: 'running' },
            ...rows(100, HOUR, 10 * MINUTE),
          ],
          'open-for-three-months',
        ),
      },
    },
  ),
  {
    name: 'a-table-of-semicolons',
    files: { 'laeufe.csv': `\uFEFF${csv(rows(30, HOUR, 10 * MINUTE), 'a-table-of-semicolons', ';')}` },
    known: { finds: [], history: { runs: 30, used: 30, p50Ms: 10 * MINUTE } },
  },
  {
    name: 'a-table-of-commas',
    files: { 'runs.csv': csv(rows(30, HOUR, 61 * MINUTE), 'a-table-of-commas', ',') },
    known: { finds: CRITICAL, history: { runs: 30, overlaps: 29 } },
  },
];
