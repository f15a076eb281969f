/** Histories in which each run has a name of its own: of the job where it shows, else no history of workflows. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { type Given, type Recorded, readFile } from './stage.ts';

const START = Date.UTC(2026, 2, 1);

/** A run of 90 s each minute. */
function rowsOf(count: number, nameOf: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => {
    const startMs = START + at * 60_000;
    const [start, end] = [startMs, startMs + 90_000].map((ms) => new Date(ms).toISOString());
    return `${JSON.stringify({ id: String(at), name: nameOf(at), startedAt: start, stoppedAt: end })}\n`;
  }).join('');
}

const read = (test: TestContext, text: string, given?: Given): Promise<Recorded> =>
  readFile(test, 'runs.ndjson', text, given);
const workflowsOf = ({ runs }: Recorded): number => new Set(runs.map(({ workflow }) => workflow)).size;

/** A made-up ending of letters and digits, the same each time. */
const madeUp = (at: number, length: number): string =>
  [...createHash('sha256').update(String(at)).digest().subarray(0, length)]
    .map((byte) => 'bcdfghjklmnpqrstvwxz2456789'[byte % 27])
    .join('');
const words = (at: number): string =>
  String(at).replaceAll(
    /\d/g,
    (digit) => ['red', 'hat', 'sun', 'oak', 'ice', 'fig', 'elm', 'bee', 'cup', 'jar'][Number(digit)] ?? '',
  );

describe('a name that is another one for each run', () => {
  it('is read by the job before its number, or before its made-up ending', async (test) => {
    for (const nameOf of [
      (at: number) => `report-${29_000_001 + at}`,
      (at: number) => `night-report-${29_000_001 + at}-${madeUp(at, 5)}`,
      (at: number) => `report-${madeUp(at, 9)}-${madeUp(at + 7, 5)}`,
    ]) {
      const found = await read(test, rowsOf(200, nameOf));
      assert.equal(workflowsOf(found), 1, nameOf(1));
      assert.match(found.limits.join('\n'), /"name" is another one in each row: what stands before/);
    }
  });

  it('stays the name of a workflow where its ending is a word or a number of a few digits', async (test) => {
    for (const nameOf of [(at: number) => `backup-host${at + 1}`, (at: number) => `backup-${words(at)}`]) {
      assert.equal(workflowsOf(await read(test, rowsOf(60, nameOf))), 60, nameOf(1));
    }
  });

  it('is told, with what to do, where no workflow has two runs', async (test) => {
    const { runs, unread } = await read(test, rowsOf(60, words));
    assert.equal(runs.length, 60);
    assert.deepEqual(unread, [
      'runs.ndjson: No workflow has two runs: "name" is another one in each row, so nothing could be compared; where it names runs, say which column names the workflow, --map workflow=COLUMN.',
    ]);
    assert.deepEqual((await read(test, `${rowsOf(60, words)}${rowsOf(1, words)}`)).unread, []);
  });

  it('is refused where a thousand rows have one each, and read where --map says that it is the workflow', async (test) => {
    const text = rowsOf(2_500, words);
    const { runs, unread } = await read(test, text);
    assert.deepEqual([runs.length, unread.length], [0, 1]);
    assert.match(
      unread[0] ?? '',
      /^runs\.ndjson: "name" is another one in each row, so it names runs and not workflows/,
    );
    assert.equal((await read(test, text, { map: 'name=name' })).runs.length, 2_500);
    assert.equal((await read(test, text, { map: 'workflow=name' })).runs.length, 2_500);
  });
});
