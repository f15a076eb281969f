import { readFileSync } from 'node:fs';
import { LeaseholdError } from '../errors.ts';

/**
 * Reads a `.sql` file of named statements. A block begins with a line `-- name: some_name` and ends
 * before the next; comments above the first block belong to the file.
 *
 * Exactly the names asked for must be there, once each: a statement without a caller, or a caller
 * without a statement, is INTERNAL at start-up rather than a surprise later.
 */
export function loadSqlBlocks<Name extends string>(file: URL, names: readonly Name[]): Readonly<Record<Name, string>> {
  const blocks = parseSqlBlocks(readFileSync(file, 'utf8'));
  const unasked = [...blocks.keys()].filter((name) => !names.includes(name as Name));
  const missing = names.filter((name) => !blocks.has(name));
  if (unasked.length > 0 || missing.length > 0) {
    throw new LeaseholdError(
      'INTERNAL',
      `${file.pathname}: statements without a caller: ${unasked.join(', ') || 'none'}; callers without a statement: ${missing.join(', ') || 'none'}`,
    );
  }
  return Object.fromEntries(blocks) as Record<Name, string>;
}

/** The statements of a text by their names, without their terminating semicolon. Throws INTERNAL for a name used twice. */
export function parseSqlBlocks(text: string): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const part of text.split(/^-- name: /m).slice(1)) {
    const end = part.indexOf('\n');
    const name = part.slice(0, end).trim();
    if (blocks.has(name)) throw new LeaseholdError('INTERNAL', `SQL block ${name} is there twice`);
    blocks.set(
      name,
      part
        .slice(end + 1)
        .trim()
        .replace(/;$/, ''),
    );
  }
  return blocks;
}
