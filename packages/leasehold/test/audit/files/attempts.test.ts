/** Columns that count the tries of a run. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { severe } from '../judged.ts';
import { known } from '../stage.ts';
import { readFile } from './stage.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();
const table = (column: string, rows: readonly string[]): string =>
  `${[`job,run_id,${column},start,end,status`, ...rows].join('\n')}\n`;

/** 200 runs, of which each tenth fails and is tried again two minutes later. */
const retried = (first: number): string[] =>
  Array.from({ length: 200 }, (_, nth) => [
    `sync,r${nth},${first},${at(nth * 15)},${at(nth * 15 + 1)},${nth % 10 === 0 ? 'failed' : 'success'}`,
    ...(nth % 10 === 0 ? [`sync,r${nth},${first + 1},${at(nth * 15 + 2)},${at(nth * 15 + 7)},success`] : []),
  ]).flat();

describe('a column that counts the tries of a run', () => {
  it('makes each further row of a run id a retry of it, whatever the column is called', async (test) => {
    for (const [column, first] of [
      ['attempt', 1],
      ['run_attempt', 1],
      ['try_number', 1],
      ['retry_count', 0],
      ['attemptsMade', 1],
    ] as const) {
      const { runs } = await readFile(test, 'runs.csv', table(column, retried(first)));
      const context = known(runs);
      assert.deepEqual(severe(context), [], column);
      assert.equal(context.history.counts.retry, 20, column);
      assert.equal(context.history.figures.used, 200, column);
      assert.equal(context.subject.group?.clashing, 0, column);
    }
  });

  it('in whichever order the rows stand', async (test) => {
    const { runs } = await readFile(test, 'runs.csv', table('attempt', retried(1).toReversed()));
    const { history } = known(runs);
    assert.deepEqual([history.counts.retry, history.figures.used], [20, 200]);
  });

  it('says nothing where each run has one row: the number tells how often it was tried in all', async (test) => {
    const rows = Array.from(
      { length: 50 },
      (_, nth) => `sync,r${nth},${1 + (nth % 3)},${at(nth * 15)},${at(nth * 15 + 20)},success`,
    );
    const { history } = known((await readFile(test, 'runs.csv', table('attempts', rows))).runs);
    assert.deepEqual([history.counts.retry, history.figures.overlaps], [0, 49]);
  });

  it('is the one that --map names', async (test) => {
    const { runs } = await readFile(test, 'runs.csv', table('nth', retried(1)), { map: 'attempt=nth' });
    assert.equal(known(runs).history.counts.retry, 20);
  });
});
