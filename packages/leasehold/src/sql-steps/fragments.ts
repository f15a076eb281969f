import { type Dialect, quoteName, quoteText } from '../domain/own-table/names.ts';
import { OWN_COLUMNS, OWN_WORDS, type OwnColumn, type OwnTable } from '../domain/own-table/own-table.ts';

/**
 * What stands for each `{placeholder}` of a template: names always quoted, words always as literals. The rest of a
 * statement is in the `.sql` files; here is only what depends on how many columns and words there are.
 */

/** How a value's place is written: `$1`, `:'holder'` for psql, `:holder` for SQLite. */
export type Style = 'dollar' | 'psql' | 'sqlite';

/** A placeholder's text; its alias is the second word of `{keys t}`, empty where there is none. */
export type Fragment = (alias: string) => string;

/** The fragments of one table. Values are numbered as `values` lists them. */
export function fragmentsOf(table: OwnTable, style: Style, values: readonly string[]): ReadonlyMap<string, Fragment> {
  const { dialect } = table;
  return new Map<string, Fragment>([
    ...nameFragments(table),
    ...conditionFragments(table),
    ...valueFragments(table, style, values),
    ...(dialect === 'postgres' ? postgresFragments(table) : sqliteFragments(table)),
  ]);
}

type Fragments = readonly (readonly [string, Fragment])[];

function nameFragments({ dialect, schema, name, keys, order, columns, words, freeWords }: OwnTable): Fragments {
  const bare = quoteName(name);
  const full = nameOf(schema, name);
  const text = (value: string): string => quoteText(value, dialect);
  return [
    ['table', () => full],
    ['table as text', () => text(full)],
    ['bare table', () => bare],
    ['name as text', () => text(name)],
    ['schema as text', () => text(schema ?? 'main')],
    ['master', () => `${quoteName(schema ?? 'main')}.sqlite_master`],
    ['keys', (alias) => keys.map((key) => column(alias, key)).join(', ')],
    ['known keys', (alias) => keys.map((key) => `${column(alias, key)} is not null`).join(' and ')],
    ['order', (alias) => order.map((each) => column(alias, each)).join(', ')],
    ...OWN_COLUMNS.flatMap(
      (each): Fragments => [
        [each, () => quoteName(columns[each])],
        [`${each} as text`, () => text(columns[each])],
      ],
    ),
    ...OWN_WORDS.map((word) => [`=${word}`, () => text(words[word])] as const),
    ['=free', () => text(freeWords[0] ?? '')],
    ['known words', () => [...freeWords, ...Object.values(words)].map(text).join(', ')],
    ...(['free', 'late', 'token'] as const).map((index) => [`index ${index}`, () => indexName(index)] as const),
  ];

  /** PostgreSQL has an index beside its table by itself; in SQLite it is the index that names the file. */
  function indexName(index: string): string {
    const own = quoteName(cut(`leasehold_${index}_${name}`));
    return dialect === 'sqlite' && schema !== null ? `${quoteName(schema)}.${own}` : own;
  }
}

function nameOf(schema: string | null, name: string): string {
  return schema === null ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}

const INDEX_BYTES_MAX = 63;

/** As PostgreSQL would cut it, but at a whole character. */
function cut(name: string): string {
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(INDEX_BYTES_MAX));
  return name.slice(0, read);
}

function column(alias: string, name: string): string {
  return alias === '' ? quoteName(name) : `${alias}.${quoteName(name)}`;
}

function conditionFragments(table: OwnTable): Fragments {
  const { dialect, freeWords, words, columns, isNullFree, attemptsMax, redo, isBegunExplicitly } = table;
  const own = (alias: string, name: OwnColumn): string => column(alias, columns[name]);
  const text = (value: string): string => quoteText(value, dialect);
  const [now, yes] = dialect === 'postgres' ? ['clock_timestamp()', 'true'] : [NOW, '1'];
  // In SQLite a column takes any text, and one that is no instant would be later than all that are.
  const until: Fragment = (alias) =>
    dialect === 'postgres' ? own(alias, 'claimed_until') : `strftime(${FORMAT}, ${own(alias, 'claimed_until')})`;
  const isLate: Fragment = (alias) => `coalesce(${until(alias)} <= ${now}, ${yes})`;
  // Claimed without a token: by hand, or by older code of the table's owner. Nobody knows whether it began.
  const hasBegun: Fragment = (alias) =>
    `(${own(alias, 'begun_at')} is not null or ${own(alias, 'claim_token')} is null)`;
  const isFree: Fragment = (alias) => {
    const isKnown = `${own(alias, 'status')} in (${freeWords.map(text).join(', ')})`;
    return isNullFree ? `(${own(alias, 'status')} is null or ${isKnown})` : isKnown;
  };
  // Over, and never begun for certain: it has a token, and no begin under it.
  const isGivenUp: Fragment = (alias) =>
    `${own(alias, 'status')} = ${text(words.claimed)} and ${own(alias, 'claimed_until')} <= ${now} and ${own(alias, 'begun_at')} is null and ${own(alias, 'claim_token')} is not null`;
  // PostgreSQL takes a case of words alone for text, which no enum column takes: so it ends in the column itself.
  const afterBegun: Fragment = (alias) => {
    if (redo === 'ask') return text(words.review);
    const used = `coalesce(${own(alias, 'attempts')}, 0)`;
    const free = text(freeWords[0] ?? '');
    return `case when ${used} >= ${attemptsMax} then ${text(words.review)} when ${used} < ${attemptsMax} then ${free} else ${own(alias, 'status')} end`;
  };
  return [
    ['is late', isLate],
    ['has begun', hasBegun],
    ['is free', isFree],
    ['is given up', isGivenUp],
    ['may be claimed', (alias) => `(${isFree(alias)} or ${isGivenUp(alias)})`],
    ['after begun', afterBegun],
    ['attempts max', () => String(attemptsMax)],
    ['limit', () => String(table.limit)],
    ['begins at claim', () => (isBegunExplicitly ? '0' : '1')],
    ['sweep says', () => (redo === 'ask' ? BEGUN_IS_REVIEWED : `${BEGUN_IS_REDONE} ${attemptsMax} times.`)],
    ['rows there', () => (isNullFree ? ALL_ARE_FREE : `${NONE_IS_FREE} ${text(freeWords[0] ?? '')}.`)],
  ];
}

const BEGUN_IS_REVIEWED =
  'what never began is free again, what began goes to review, since nobody here can ask about it.';
const BEGUN_IS_REDONE =
  'what never began is free again, and so is what began, since it may be repeated, until it began';
const ALL_ARE_FREE = 'have no status and so ARE ALL FREE: give those that are done theirs before the first claim.';
const NONE_IS_FREE = 'keep having no status and are left alone until you queue them: status';

function valueFragments({ keys }: OwnTable, style: Style, values: readonly string[]): Fragments {
  const place = (name: string): string => {
    if (style === 'dollar') return `$${values.indexOf(name) + 1}`;
    return style === 'psql' ? `:'${name}'` : `:${name}`;
  };
  const names = keyValues(keys);
  return [
    ...values.map((name) => [`$${name}`, () => place(name)] as const),
    ['key', (alias) => keys.map((key, at) => `${column(alias, key)} = ${place(names[at] ?? '')}`).join(' and ')],
    ['ids example', () => (keys.length === 1 ? '[7, 8]' : '[[7, "a"], [8, "b"]], as --id-column says')],
  ];
}

/** What the values of a key are called: `id`, or `id1`, `id2` where it has several columns. */
export function keyValues(keys: readonly string[]): readonly string[] {
  return keys.length === 1 ? ['id'] : keys.map((_, at) => `id${at + 1}`);
}

function postgresFragments({ keys, schema, name, leaseMs, callTimeoutMs, isBegunExplicitly }: OwnTable): Fragments {
  const text = (value: string): string => quoteText(value, 'postgres');
  const span = (ms: number): string => `interval '${ms / 1_000} seconds'`;
  const pairs = keys.map((key, at) => `${text(key)}, ${keys.length === 1 ? 'item.value' : `item.value -> ${at}`}`);
  return [
    ['match', (alias) => matched(keys, 't', alias)],
    // For the types of its columns. Null where the table is empty; else what a domain that is never null asks for.
    ['any row', () => `(select leasehold_row from ${nameOf(schema, name)} as leasehold_row limit 1)`],
    ['json key', () => `jsonb_build_object(${pairs.join(', ')})`],
    ['keys as list', () => `array[${keys.map(text).join(', ')}]::text[]`],
    ['lease', () => span(leaseMs)],
    ['call timeout', () => span(callTimeoutMs)],
    ['begun at claim', () => (isBegunExplicitly ? 'null' : 'claim.at')],
  ];
}

/** `match t late` has two aliases in one; the first is always that of the table. */
function matched(keys: readonly string[], table: string, alias: string): string {
  const other = alias.split(' ').at(-1) ?? '';
  return keys.map((key) => `${column(table, key)} = ${column(other, key)}`).join(' and ');
}

const FORMAT = "'%Y-%m-%dT%H:%M:%fZ'";
/** The same text for the same instant, so that instants compare as texts. */
const NOW = `strftime(${FORMAT}, 'now')`;

function sqliteFragments({ keys, leaseMs, callTimeoutMs, isBegunExplicitly }: OwnTable): Fragments {
  const later = (ms: number): string => `strftime(${FORMAT}, 'now', '+${(ms / 1_000).toFixed(3)} seconds')`;
  const part = (at: number): string => (keys.length === 1 ? 'item.value' : `json_extract(item.value, '$[${at}]')`);
  return [
    ['json match', (alias) => keys.map((key, at) => `${column(alias, key)} = ${part(at)}`).join(' and ')],
    ['keys as list', () => quoteText(JSON.stringify(keys), 'sqlite')],
    ['now', () => NOW],
    ['now and lease', () => later(leaseMs)],
    ['now and call timeout', () => later(callTimeoutMs)],
    ['begun at claim', () => (isBegunExplicitly ? 'null' : NOW)],
  ];
}

/** For those who print: which style is a dialect's own. */
export function styleOf(dialect: Dialect, isPsql: boolean): Style {
  if (dialect === 'sqlite') return 'sqlite';
  return isPsql ? 'psql' : 'dollar';
}
