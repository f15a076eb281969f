/** The table of docs/clocks.md is worked out by hand for readers; this holds it against the functions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDuration } from '../../src/domain/duration.ts';
import { heartbeatEveryMs, killGraceMs, safetyMarginMs, storeTimeoutMs } from '../../src/domain/timing.ts';

const PAGE = new URL('../../../../docs/clocks.md', import.meta.url);
const HEADER = '| lease | store time-out | renews every | signal fires, TERM | KILL | lease ends |';

/** The cells of each row below the header, as they are written. */
function rowsOfTable(page: string): string[][] {
  const [, after] = page.split(`${HEADER}\n`);
  assert.ok(after !== undefined, `docs/clocks.md has the table "${HEADER}"`);
  const [table = ''] = after.split('\n\n');
  const [, ...rows] = table.split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function rowOf(lease: string): string[] {
  const leaseMs = parseDuration(lease.replace(' ', ''));
  const termMs = leaseMs - safetyMarginMs(leaseMs);
  const times = [storeTimeoutMs(leaseMs), heartbeatEveryMs(leaseMs), termMs, termMs + killGraceMs(leaseMs), leaseMs];
  return [lease, ...times.map((ms) => `${ms / 1_000} s`)];
}

test('the times in docs/clocks.md are those of domain/timing.ts', () => {
  const rows = rowsOfTable(readFileSync(PAGE, 'utf8'));
  assert.deepEqual(
    rows.map(([lease]) => lease),
    ['1 s', '10 s', '1 m', '5 m', '125 m'],
  );
  for (const row of rows) assert.deepEqual(row, rowOf(row[0] ?? ''));
});

test('a table with one wrong number is not the table of the functions', () => {
  const page = readFileSync(PAGE, 'utf8').replace('| 11.25 s |', '| 12 s |');
  assert.ok(rowsOfTable(page).some((row) => row.join() !== rowOf(row[0] ?? '').join()));
});
