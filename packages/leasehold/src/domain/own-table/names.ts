import { LeaseholdError } from '../../errors.ts';
import { checkName } from '../limits.ts';

/**
 * Names and words of somebody's own table, on their way into SQL text.
 *
 * A name is taken as it is written and always quoted, so nothing in it can be read as SQL, and nothing folds it to
 * lower case. Two things could still lead elsewhere and are refused: a name that PostgreSQL would cut to 63 bytes,
 * which may be another table's, and what a platform would put a value in the place of (`$1`, `{{ }}`), since those
 * replace it inside of quotes as well.
 */
export type Dialect = 'postgres' | 'sqlite';

/** PostgreSQL cuts a longer name without a word. */
const POSTGRES_NAME_BYTES_MAX = 63;

/** One name: quoted, in which `""` is a quotation mark, or bare. */
const NAME = /"(?:[^"]|"")+"|[^".,]+/y;

/** Replaced by n8n's driver ($1) and by the platforms themselves ({{ }}), wherever it stands. */
const REPLACED_BY_PLATFORMS = /\$\d|\{\{/;

/**
 * Reads names between separators: `orders`, `sales.orders`, `"My Schema"."my.table"`, `a,"b,c"`. What is not in double
 * quotes is taken as it stands too. Throws INVALID_ARGUMENT, naming `label`.
 */
export function parseNames(text: string, separator: '.' | ',', label: string): readonly string[] {
  const names: string[] = [];
  let at = 0;
  for (;;) {
    NAME.lastIndex = at;
    const found = NAME.exec(text)?.[0];
    if (found === undefined) throw unreadable(text, label);
    names.push(nameOf(found, label));
    at += found.length;
    if (at === text.length) return names;
    if (text[at] !== separator) throw unreadable(text, label);
    at += 1;
  }
}

function nameOf(written: string, label: string): string {
  if (written.startsWith('"')) return written.slice(1, -1).replaceAll('""', '"');
  if (written === written.trim()) return written;
  throw refusal(
    `${label}: ${JSON.stringify(written)} has a space at its edge; remove it, or write the name in double quotes`,
  );
}

/** Checks one name. Throws INVALID_ARGUMENT. */
export function checkSqlName(name: string, dialect: Dialect, label: string): string {
  checkName(name, label);
  const bytes = new TextEncoder().encode(name).length;
  if (dialect === 'postgres' && bytes > POSTGRES_NAME_BYTES_MAX) {
    throw refusal(`${label}: ${JSON.stringify(name)} is ${bytes} bytes long, and PostgreSQL would cut it at 63`);
  }
  return checkReplaced(name, label);
}

/** Checks one word that a column may hold. Throws INVALID_ARGUMENT. */
export function checkSqlWord(word: string, label: string): string {
  return checkReplaced(checkName(word, label), label);
}

function checkReplaced(text: string, label: string): string {
  if (!REPLACED_BY_PLATFORMS.test(text)) return text;
  throw refusal(`${label}: ${JSON.stringify(text)} has $1 or {{ in it, which platforms replace by a value; rename it`);
}

/** A name for either engine. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text for either engine. PostgreSQL reads a backslash as one only behind E, whatever its settings are. */
export function quoteText(text: string, dialect: Dialect): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return dialect === 'postgres' && text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

function unreadable(text: string, label: string): LeaseholdError {
  return refusal(
    `${label}: ${JSON.stringify(text)} can't be read; write NAME, SCHEMA.NAME or "My Schema"."my.table", and lists with commas`,
  );
}

function refusal(message: string): LeaseholdError {
  return new LeaseholdError('INVALID_ARGUMENT', message);
}
