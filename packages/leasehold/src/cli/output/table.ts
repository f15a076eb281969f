import { oneLine } from '../failure.ts';

/**
 * Rows as aligned text: two spaces between columns, nothing after the last one, no colours and no
 * width of a terminal, so that the same text stands in a mail and in a log.
 */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(oneLine));
  const widths = header.map((_, column) => Math.max(...lines.map((row) => width(row[column] ?? ''))));
  return lines.map((row) => formatRow(row, widths)).join('\n');
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))));
  return cells.join('  ').trimEnd();
}

/** Characters rather than UTF-16 units; wide scripts may still shift a column. */
function width(text: string): number {
  return Array.from(text).length;
}

/** An instant as people sort and compare it: `2026-11-30 09:00:05Z`; a dash for none. */
export function formatInstant(instant: Date | null): string {
  if (instant === null || Number.isNaN(instant.getTime())) return '-';
  return `${instant.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}
