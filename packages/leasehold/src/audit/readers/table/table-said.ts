import { quoted } from '../../quoted.ts';
import { counted } from '../../words.ts';
import type { DurationUnit } from './durations.ts';

const UNIT_NAMES: Readonly<Record<DurationUnit, string>> = {
  ms: 'milliseconds',
  s: 'seconds',
  min: 'minutes',
  h: 'hours',
};

const NAMED_MAX = 3;

/** As a shell takes it for one word. */
export const quotedColumn = (column: string): string => (/^[\w-]+$/.test(column) ? column : `"${column}"`);

/** What is said about tables: of CSV, and of JSON objects with fields like columns. */
export const TABLE_SAID = {
  noSuchColumn: (name: string, names: string): string =>
    `--map names the column "${name}", which is not there; there are ${names}.`,
  noStart: (names: string): string =>
    `No column of start times was recognised among ${names}; name it, for example --map start=COLUMN,end=COLUMN.`,
  dayOrMonth: (column: string, example: string): string =>
    `In "${column}" nothing tells whether the day or the month comes first, as in "${example}"; say --map dates=dmy or --map dates=mdy.`,
  shortClock: (column: string): string => `Durations like 1:20 in "${column}" were read as minutes and seconds.`,
  noEnds: (column: string): string =>
    `There is no column of ends or durations beside "${column}": when runs ended is not known, and overlaps can't be seen.`,
  startFromEnd: (end: string, duration: string): string =>
    `There is no column of starts: a start is "${end}" less "${duration}".`,
  takenAsStart: (column: string): string =>
    `"${column}" was taken for the start of a run; where it is another instant, say --map start=COLUMN.`,
  takenAsEnd: (column: string): string =>
    `"${column}" was taken for the end of a run; where it is another instant, say --map end=COLUMN.`,
  unitAssumed: (column: string, unit: DurationUnit): string =>
    `"${column}" names no unit: its numbers were read as ${UNIT_NAMES[unit]}; where they are not, say --map unit=ms, s, min or h.`,
  runNames: (column: string, kept: readonly string[]): readonly string[] => [
    `"${column}" is another one in each row: what stands before its number was taken for the name of the workflow; where it is not, say --map name=COLUMN.`,
    ...(kept.length === 0
      ? []
      : [
          `In "${column}" the rows of ${quoted(kept, NAMED_MAX)} keep to no clock: each of their names was left as it is, a workflow of one run; where they are runs of one, say which column names it, --map workflow=COLUMN.`,
        ]),
  ],
  namesOfRuns: (column: string): string =>
    `"${column}" is another one in each row, so it names runs and not workflows, and no run can be compared with another: say which column names the workflow, --map workflow=COLUMN; where it is this one all the same, --map workflow=${quotedColumn(column)}.`,
  toldApart: (
    column: string,
    {
      kind,
      job,
      id,
    }: { readonly kind: 'workflows' | 'parts'; readonly job: string | null; readonly id: string | undefined },
  ): string =>
    kind === 'parts'
      ? `Rows with the same "${id ?? ''}" were taken for parts of one run, which "${column}" names: it lasts from the first start to the last end. Where each "${column}" is a job by itself, --map host=${quotedColumn(column)} judges them apart.`
      : `"${column}" tells rows apart that would overlap as one: each of its values was taken for a workflow of its own. Where they must not run at the same time, --map workflow=${job === null ? 'COLUMN' : quotedColumn(job)} judges them together.`,
  notLookedAt: (column: string): string =>
    `"${column}" may tell apart what overlaps here, and was not looked at: where its values are jobs of their own, --map host=${quotedColumn(column)} judges them apart.`,
  noTwoRuns: (column: string): string =>
    `No workflow has two runs: "${column}" is another one in each row, so nothing could be compared; where it names runs, say which column names the workflow, --map workflow=COLUMN.`,
  noHeader: (columns: string): string =>
    `There is no line of column names: ${columns}. Where that is wrong, say --map start=1,end=2.`,
  zoneUnknown: (count: number): string =>
    `Zone unknown: ${counted(count, 'time')} without a time zone, read as UTC; say --timezone if they are local.`,
  zoneGiven: (count: number, zone: string): string =>
    `${counted(count, 'time')} without a time zone, read as local time of ${zone}.`,
  repeatedHour: (count: number): string =>
    `${counted(count, 'run')} in an hour that clocks showed twice: the order of the rows, or the row itself, tells which of the two; where two ends fit, the earlier was taken.`,
  openHour: (count: number): string =>
    `${counted(count, 'run')} started in an hour that clocks showed twice, and nothing in the file tells in which of the two: left out.`,
  leftOutHour: (count: number): string =>
    `${counted(count, 'time')} in an hour that clocks left out: read as if they had been changed after it.`,
  badZone: (zone: string): string => `"${zone}" is no known time zone: the times of its rows were left out.`,
  workers: (column: string, count: number): string =>
    `"${column}" names ${count} and was not taken for the host of a run: runs of one workflow were judged together, whichever of them took it. If each of them works by a schedule of its own, say --map host=${quotedColumn(column)}.`,
  byRecord:
    "A Zap starts once for each record: its runs count as started by a record, but for those of a Zap that the account's export, read beside them, shows to be started by a schedule.",
  noRows: 'There is a line of column names and nothing below it.',
  oneWorkflow: 'The rows name no workflow: all of them were taken for runs of one.',
} as const;

/** What was taken for granted about times that name no zone. */
export function zoneSentences(
  { localCount, leftOutCount }: { readonly localCount: number; readonly leftOutCount: number },
  zone: string | undefined,
): readonly string[] {
  if (localCount === 0) return [];
  return [
    zone === undefined ? TABLE_SAID.zoneUnknown(localCount) : TABLE_SAID.zoneGiven(localCount, zone),
    ...(leftOutCount > 0 ? [TABLE_SAID.leftOutHour(leftOutCount)] : []),
  ];
}
