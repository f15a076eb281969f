import type { RunTable } from '../collect/run-table.ts';

/**
 * Rows by start, then by id (numbers as numbers). Histories come sorted one way or the other, mostly; what doesn't is
 * sorted by digits of the milliseconds: a comparison for each pair would take a million ids apart again and again.
 */
export function byStart(rows: Int32Array, table: RunTable): Int32Array {
  const { startMs } = table;
  const order = orderOf(rows, startMs);
  if (order === 'ascending') return rows;
  if (order === 'descending') return rows.toReversed();
  const sorted = byDigits(rows, startMs);
  for (let from = 0; from < sorted.length; ) {
    const ms = Math.floor(startMs[sorted[from] ?? 0] ?? 0);
    let to = from + 1;
    while (to < sorted.length && Math.floor(startMs[sorted[to] ?? 0] ?? 0) === ms) to += 1;
    if (to - from > 1) {
      const same = sorted.subarray(from, to);
      same.set(same.toSorted((one, other) => (startMs[one] ?? 0) - (startMs[other] ?? 0) || byId(table, one, other)));
    }
    from = to;
  }
  return sorted;
}

function orderOf(rows: Int32Array, startMs: Float64Array): 'ascending' | 'descending' | 'none' {
  let [rises, falls] = [true, true];
  for (let at = 1; at < rows.length && (rises || falls); at += 1) {
    const [before = 0, here = 0] = [startMs[rows[at - 1] ?? 0], startMs[rows[at] ?? 0]];
    rises &&= before < here;
    falls &&= before > here;
  }
  if (rises) return 'ascending';
  return falls ? 'descending' : 'none';
}

const DIGIT = 1 << 12;

/** Stable, by whole milliseconds. */
function byDigits(rows: Int32Array, startMs: Float64Array): Int32Array {
  const earliestMs = rows.reduce((first, row) => Math.min(first, startMs[row] ?? first), Number.POSITIVE_INFINITY);
  // Whole, as the digits are: two fractions of one millisecond after it would else be one digit with the next.
  const firstMs = Math.floor(earliestMs);
  const spanMs = rows.reduce((span, row) => Math.max(span, (startMs[row] ?? firstMs) - firstMs), 0);
  let [from, to] = [rows.slice(), new Int32Array(rows.length)];
  for (let unit = 1; unit <= spanMs; unit *= DIGIT) {
    const ends = new Int32Array(DIGIT);
    const digitOf = (row: number): number => Math.floor(((startMs[row] ?? firstMs) - firstMs) / unit) % DIGIT;
    for (const row of from) ends[digitOf(row)] = (ends[digitOf(row)] ?? 0) + 1;
    for (let digit = 1; digit < DIGIT; digit += 1) ends[digit] = (ends[digit] ?? 0) + (ends[digit - 1] ?? 0);
    for (let at = from.length - 1; at >= 0; at -= 1) {
      const row = from[at] ?? 0;
      const digit = digitOf(row);
      const end = (ends[digit] ?? 0) - 1;
      ends[digit] = end;
      to[end] = row;
    }
    [from, to] = [to, from];
  }
  return from;
}

function byId({ ids }: RunTable, one: number, other: number): number {
  const [a, b] = [ids.text(one), ids.text(other)];
  const [numberA, numberB] = [Number(a), Number(b)];
  if (numberA !== numberB && !Number.isNaN(numberA) && !Number.isNaN(numberB)) return numberA - numberB;
  if (a === b) return one - other;
  return a < b ? -1 : 1;
}
