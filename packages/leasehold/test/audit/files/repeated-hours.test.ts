/**
 * Local times of an hour that clocks showed twice: told by the order of the rows or by the row itself, and else left out.
 * Clocks of Berlin go back at 2026-10-25T01:00:00Z.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import { historyClock } from '../../../src/audit/rules/history/history-clock.ts';
import { overlapObserved } from '../../../src/audit/rules/history/overlap-observed.ts';
import { slotMissed } from '../../../src/audit/rules/history/slot-missed.ts';
import { triggerDuplicate } from '../../../src/audit/rules/history/trigger-duplicate.ts';
import { known } from '../stage.ts';
import { readPiped } from './stage.ts';

const MINUTE = 60_000;
const BACK_MS = Date.parse('2026-10-25T01:00:00Z');

interface Row {
  readonly id: string;
  readonly job: string;
  readonly startMs: number;
  readonly endMs: number;
}

const onTheWall = (ms: number): string =>
  new Date(ms + (ms < BACK_MS ? 120 : 60) * MINUTE).toISOString().slice(0, 19).replace('T', ' ');

/** Each so many minutes after the one before, from the evening before on. */
function runsEvery(minutes: number, tookMinutes: number, job = 'sync', count = Math.floor(1_440 / minutes)): Row[] {
  return Array.from({ length: count }, (_, at) => {
    const startMs = Date.parse('2026-10-24T18:00:00Z') + at * minutes * MINUTE;
    return { id: `${job}-${at}`, job, startMs, endMs: startMs + tookMinutes * MINUTE };
  });
}

const csvOf = (rows: readonly Row[]): string =>
  [
    'id,job,start,end',
    ...rows.map(({ id, job, startMs, endMs }) => [id, job, onTheWall(startMs), onTheWall(endMs)].join(',')),
  ].join('\n');

async function read(
  rows: readonly Row[],
  text: string = csvOf(rows),
): Promise<{ runs: readonly HistoryRun[]; limits: readonly string[] }> {
  return readPiped(text, 4_096, { timezone: 'Europe/Berlin' });
}

const isOpen = ({ isHourOpen, isClockSuspect }: HistoryRun): boolean => isHourOpen === true && isClockSuspect;

/** Ids of runs that have another start or end than they had. */
const wrong = (rows: readonly Row[], runs: readonly HistoryRun[]): string[] =>
  runs
    .filter((run) => !isOpen(run))
    .filter(({ runId, startedAtMs, endedAtMs }) => {
      const row = rows.find(({ id }) => id === runId);
      return row?.startMs !== startedAtMs || row.endMs !== endedAtMs;
    })
    .map(({ runId }) => runId);

const byStart = (rows: readonly Row[]): Row[] => rows.toSorted((one, other) => one.startMs - other.startMs);

/** The same order each time, and none of time. */
const shuffled = (rows: readonly Row[]): Row[] => rows.flatMap((_, at) => rows[(at * 29) % rows.length] ?? []);

describe('an hour that clocks showed twice', () => {
  for (const [minutes, took] of [
    [10, 4],
    [30, 5],
    [30, 40],
    [60, 5],
    [60, 59],
  ] as const) {
    it(`is told by the order of runs of ${took} minutes each ${minutes}, oldest or newest first`, async () => {
      const rows = runsEvery(minutes, took);
      for (const order of [rows, rows.toReversed()]) {
        const { runs } = await read(order);
        assert.equal(runs.length, rows.length);
        assert.deepEqual([runs.filter(isOpen).length, wrong(rows, runs)], [0, []]);
      }
    });
  }

  it('is told for each workflow apart, however their rows are mixed', async () => {
    const rows = [...runsEvery(30, 5, 'a'), ...runsEvery(60, 20, 'b'), ...runsEvery(15, 3, 'c')];
    for (const order of [rows, byStart(rows), byStart(rows).toReversed()]) {
      const { runs } = await read(order);
      assert.deepEqual([runs.filter(isOpen).length, wrong(rows, runs)], [0, []]);
    }
  });

  it('stays open in a file that is in no order, and nothing is made of these runs', async () => {
    const rows = runsEvery(30, 5);
    const { runs, limits } = await read(shuffled(rows));
    assert.deepEqual([runs.filter(isOpen).length, wrong(rows, runs)], [4, []]);
    assert.deepEqual(limits.slice(1), [
      '4 runs started in an hour that clocks showed twice, and nothing in the file tells in which of the two: left out.',
    ]);
    const context = known(runs, { timezone: 'Europe/Berlin', nowMs: BACK_MS + 1_440 * MINUTE });
    assert.deepEqual(
      [
        overlapObserved(context),
        triggerDuplicate(context),
        slotMissed(context).filter(({ severity }) => severity !== 'info'),
      ],
      [[], [], []],
    );
    assert.deepEqual(
      context.history.figures.excluded.map(({ reason }) => reason),
      ['clock', 'clock', 'clock', 'clock'],
    );
    const [finding, ...others] = historyClock(context);
    assert.deepEqual(
      [finding?.severity, finding?.message, finding?.advice, others],
      [
        'info',
        '4 of 48 runs started in an hour that clocks showed twice, and neither the order of the rows nor the rows themselves tell in which of the two; they enter no figure.',
        'Export these times in UTC or with their offset, or sorted by their start.',
        [],
      ],
    );
    assert.equal(finding?.evidence[0]?.['why'], 'starts in an hour that came twice');
  });

  it('stays open in a file that is in no order, even where two rows of it look like the end of a pass', async () => {
    const rows = runsEvery(30, 5);
    const at = (time: string): Row | undefined =>
      rows.find(({ startMs }) => startMs === Date.parse(`2026-10-25T${time}:00Z`));
    const block = ['23:30', '01:30', '00:00', '02:00'].map((time) =>
      time === '23:30' ? rows.find(({ startMs }) => startMs === BACK_MS - 90 * MINUTE) : at(time),
    );
    const others = shuffled(rows).filter((row) => !block.includes(row));
    const { runs } = await read([...others, ...block.filter((row) => row !== undefined)]);
    assert.deepEqual([runs.filter(isOpen).length, wrong(rows, runs)], [4, []]);
  });

  it('stays open where one pass alone has runs: a day has one start at 02:30', async () => {
    const rows = runsEvery(1_440, 5, 'nightly', 3).map((row) => ({
      ...row,
      startMs: row.startMs + 6.5 * 60 * MINUTE,
      endMs: row.endMs + 6.5 * 60 * MINUTE,
    }));
    for (const order of [rows, rows.toReversed()]) {
      const { runs } = await read(order);
      assert.deepEqual(
        runs.filter(isOpen).map(({ runId }) => runId),
        ['nightly-0'],
      );
    }
  });

  it('is not told by one row out of its turn', async () => {
    const rows = runsEvery(10, 4).filter(({ startMs }) => startMs < BACK_MS - 60 * MINUTE || startMs >= BACK_MS);
    const swapped = rows.toSpliced(
      rows.findIndex(({ startMs }) => startMs >= BACK_MS),
      2,
      ...rows
        .filter(({ startMs }) => startMs >= BACK_MS)
        .slice(0, 2)
        .toReversed(),
    );
    const { runs } = await read(swapped);
    assert.deepEqual([runs.filter(isOpen).length, wrong(rows, runs)], [6, []]);
  });

  it('is told by a row with a duration, by an end before its start, and by a start behind it', async () => {
    const text = [
      'id,job,start,end,duration_s',
      'a,a,2026-10-25 02:30:00,2026-10-25 03:10:00,2400',
      'b,b,2026-10-25 02:30:00,2026-10-25 03:10:00,6000',
      'c,c,2026-10-25 02:10:00,2026-10-25 02:20:00,4200',
      'd,d,2026-10-25 02:50:00,2026-10-25 02:10:00,',
      'e,e,2026-10-25 01:50:00,2026-10-25 02:10:00,4800',
    ].join('\n');
    const { runs, limits } = await read([], text);
    assert.deepEqual(
      runs.map(({ startedAtMs, endedAtMs }) =>
        [startedAtMs, endedAtMs].map((ms) => new Date(ms ?? 0).toISOString().slice(11, 16)).join('-'),
      ),
      ['01:30-02:10', '00:30-02:10', '00:10-01:20', '00:50-01:10', '23:50-01:10'],
    );
    assert.deepEqual(limits.slice(1), [
      '5 runs in an hour that clocks showed twice: the order of the rows, or the row itself, tells which of the two; where two ends fit, the earlier was taken.',
    ]);
  });
});
