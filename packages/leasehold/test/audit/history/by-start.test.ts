/** Rows by start and id, in whatever order they were found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RunTable } from '../../../src/audit/collect/run-table.ts';
import { byStart } from '../../../src/audit/history/by-start.ts';
import { run, START } from '../stage.ts';

function sorted(runs: readonly (readonly [runId: string, startMs: number])[]): string[] {
  const table = new RunTable();
  for (const [runId, startMs] of runs) table.add(run({ runId, startedAtMs: START + startMs }), 0);
  const rows = Int32Array.from({ length: table.count }, (_, row) => row);
  return [...byStart(rows, table)].map((row) => table.ids.text(row));
}

test('rows come by start, then by id as a number, whatever order they were found in', () => {
  const start = fc.oneof(
    fc.nat(20),
    fc.nat(10 ** 9),
    fc.integer({ min: 0, max: 10 ** 11 }),
    fc.double({ min: 0, max: 50, noNaN: true }),
  );
  const runs = fc.uniqueArray(fc.tuple(fc.nat(10_000), start), { maxLength: 200, selector: ([id]) => id });
  fc.assert(
    fc.property(runs, (given) => {
      const expected = given.toSorted(([a, one], [b, other]) => START + one - (START + other) || a - b);
      assert.deepEqual(
        sorted(given.map(([id, ms]) => [String(id), ms])),
        expected.map(([id]) => String(id)),
      );
    }),
    { numRuns: 300 },
  );
});

test('ids that are no numbers come by their letters, after one start', () => {
  assert.deepEqual(
    sorted([
      ['b', 5],
      ['a', 5],
      ['c', 1],
    ]),
    ['c', 'a', 'b'],
  );
});

test('rows that came newest first are turned round', () => {
  assert.deepEqual(
    sorted([
      ['3', 30],
      ['2', 20],
      ['1', 10],
    ]),
    ['1', '2', '3'],
  );
});

test('fractions of a millisecond are in order, too, where the first start is one', () => {
  assert.deepEqual(
    sorted([
      ['0', 1],
      ['1', 0.125],
      ['2', 1],
    ]),
    ['1', '0', '2'],
  );
});
