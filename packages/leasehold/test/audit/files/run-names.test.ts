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

describe('names that are joined to those of a job', () => {
  interface Row {
    readonly name: string;
    readonly startMs: number;
    readonly tookMs: number;
  }
  const textOf = (rows: readonly Row[]): string =>
    rows
      .map(({ name, startMs, tookMs }, at) => {
        const [startedAt, stoppedAt] = [startMs, startMs + tookMs].map((ms) => new Date(ms).toISOString());
        return `${JSON.stringify({ id: String(at), name, startedAt, stoppedAt })}\n`;
      })
      .join('');
  const MINUTE = 60_000;
  const rows = (count: number, each: (at: number) => Row): Row[] => Array.from({ length: count }, (_, at) => each(at));
  const stamp = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
  /** The same at each call: no two gaps are alike. */
  const unevenly = (at: number): number => START + Math.round(at * 47 + 40 * Math.abs(Math.sin(at * at))) * MINUTE;

  it('keep to a clock, whatever the names end in and however long the runs take', async (test) => {
    for (const [nameOf, stepMs, tookMs] of [
      [(ms: number) => `backup-${stamp(ms)}`, 60 * MINUTE, 200 * MINUTE],
      [(ms: number) => `report-${ms / MINUTE}`, 60 * MINUTE, 200 * MINUTE],
      [(ms: number) => `sync-${ms / 1_000}`, 10 * MINUTE, 35 * MINUTE],
      [(ms: number) => `sync_pid${20_000 + (((ms / 7_777) % 9_000) | 0)}`, 10 * MINUTE, 15 * MINUTE],
      [(ms: number) => `nightly-${1_000 + (ms - START) / (24 * 60 * MINUTE)}`, 24 * 60 * MINUTE, 60 * MINUTE],
    ] as const) {
      const text = textOf(
        rows(40, (at) => ({ name: nameOf(START + at * stepMs), startMs: START + at * stepMs, tookMs })),
      );
      assert.equal(workflowsOf(await read(test, text)), 1, nameOf(START));
    }
    const twiceADay = rows(40, (at) => {
      const startMs = START + Math.floor(at / 2) * 24 * 60 * MINUTE + (at % 2 === 0 ? 9 : 17) * 60 * MINUTE;
      return { name: `mail-${stamp(startMs)}`, startMs, tookMs: 5 * MINUTE };
    });
    assert.equal(workflowsOf(await read(test, textOf(twiceADay))), 1);
  });

  it('are no customers that are worked once each, side by side or when they come', async (test) => {
    const sideBySide = rows(40, (at) => ({
      name: `customer-${10_001 + at}`,
      startMs: START + at * MINUTE,
      tookMs: 20 * MINUTE,
    }));
    const next = rows(40, (at) => ({ ...(sideBySide[at] ?? { name: '', startMs: 0 }), tookMs: 1.5 * MINUTE }));
    const whenTheyCome = rows(60, (at) => ({
      name: `order-${29_000_001 + 37 * at}`,
      startMs: unevenly(at),
      tookMs: 20 * MINUTE,
    }));
    const byDay = rows(60, (at) => ({
      name: `export-${stamp(unevenly(at))}`,
      startMs: unevenly(at),
      tookMs: 90 * MINUTE,
    }));
    for (const each of [sideBySide, next, whenTheyCome, byDay]) {
      const { runs, unread } = await read(test, textOf(each));
      assert.equal(new Set(runs.map(({ workflow }) => workflow)).size, each.length, each[0]?.name);
      assert.equal(unread.length, 1);
      assert.match(unread[0] ?? '', /No workflow has two runs: "name" is another one in each row/);
    }
  });

  it('are told apart from others of the same file, and that is said', async (test) => {
    const jobs = rows(60, (at) => ({
      name: `report-${START / MINUTE + 10 * at}`,
      startMs: START + at * 10 * MINUTE,
      tookMs: MINUTE,
    }));
    const orders = rows(30, (at) => ({ name: `order-${10_001 + 3 * at}`, startMs: unevenly(at), tookMs: 20 * MINUTE }));
    const found = await read(test, textOf([...jobs, ...orders]));
    assert.equal(workflowsOf(found), 1 + 30);
    assert.ok(
      found.limits.includes(
        'In "name" the rows of "order" keep to no clock: each of their names was left as it is, a workflow of one run; where they are runs of one, say which column names it, --map workflow=COLUMN.',
      ),
      found.limits.join('\n'),
    );
  });

  it('have no overlap from being joined alone, whenever runs start', async (test) => {
    let seed = 42;
    const chance = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    for (let round = 0; round < 40; round += 1) {
      const meanMs = (1 + chance() * 60) * MINUTE;
      let startMs = START;
      const each = rows(20 + Math.floor(chance() * 80), (at) => {
        startMs += Math.max(1_000, Math.round(-Math.log(1 - chance()) * meanMs));
        return {
          name: `thing-${10_001 + (round % 2 === 0 ? at : at * 37)}`,
          startMs,
          tookMs: Math.round(chance() * 3 * meanMs),
        };
      });
      assert.equal(workflowsOf(await read(test, textOf(each))), each.length, `round ${round}`);
    }
  });
});
