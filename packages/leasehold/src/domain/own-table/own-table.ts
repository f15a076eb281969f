import { LeaseholdError } from '../../errors.ts';
import { LEASE_MS_MAX, LEASE_MS_MIN } from '../limits.ts';
import { checkSqlName, checkSqlWord, type Dialect, parseNames } from './names.ts';

/**
 * Somebody's own table, whose rows are claimed by plain SQL: which columns and words its statements use.
 *
 * A row is open (free or claimed), or settled. It is handed out only while its status is one of `freeWords`, or null
 * where that is said; so a row that nobody has queued, and a word that we do not know, are left alone. All words must
 * differ: were `done` one of the free ones, what is done would be handed out again.
 */
export interface OwnTable {
  readonly dialect: Dialect;
  /** Null: where the session looks for it. */
  readonly schema: string | null;
  readonly name: string;
  /** The columns that tell one row from all others. */
  readonly keys: readonly string[];
  /** The columns by whose order rows are handed out. */
  readonly order: readonly string[];
  readonly columns: Readonly<Record<OwnColumn, string>>;
  /** Status of rows that may be claimed; a row that comes back gets the first. */
  readonly freeWords: readonly string[];
  /** True: a row without a status may be claimed, too. */
  readonly isNullFree: boolean;
  readonly words: Readonly<Record<OwnWord, string>>;
  readonly leaseMs: number;
  readonly limit: number;
  /** Begins after which a failure is for a person. */
  readonly attemptsMax: number;
  /** What must remain of the lease at a begin. */
  readonly callTimeoutMs: number;
  /** False: a row counts as begun from the moment it is claimed. */
  readonly isBegunExplicitly: boolean;
  /** `safe`: its work may be repeated, so that a sweep queues again what it can't prove. */
  readonly redo: 'ask' | 'safe';
}

export const OWN_COLUMNS = [
  'status',
  'claimed_at',
  'claimed_by',
  'claim_token',
  'claimed_until',
  'begun_at',
  'attempts',
] as const;
export type OwnColumn = (typeof OWN_COLUMNS)[number];

export const OWN_WORDS = ['claimed', 'done', 'failed', 'review'] as const;
export type OwnWord = (typeof OWN_WORDS)[number];

/** What is asked for; what is left out has its default. Lists and names as `parseNames` reads them. */
export interface OwnTableRequest {
  readonly dialect: Dialect;
  readonly table: string;
  /** Default `id`. */
  readonly idColumn: string | undefined;
  /** Default: the columns of the id. */
  readonly orderColumn: string | undefined;
  /** Default: the names of the design. */
  readonly columns: Readonly<Partial<Record<OwnColumn, string>>>;
  /** Default `queued`. */
  readonly freeStatus: string | undefined;
  readonly isNullFree: boolean;
  readonly words: Readonly<Partial<Record<OwnWord, string>>>;
  readonly leaseMs: number;
  readonly limit: number;
  readonly attemptsMax: number;
  readonly callTimeoutMs: number;
  readonly isBegunExplicitly: boolean;
  readonly redo: 'ask' | 'safe';
}

/** Names that a quoted name reaches although the table has no such column, and that may change under a row. */
const SYSTEM_COLUMNS: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  postgres: new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']),
  sqlite: new Set(['rowid', 'oid', '_rowid_']),
};

/** What the statements call their own parts, and what they call: in SQLite a table hides a function of its name. */
const OUR_NAME: Readonly<Record<Dialect, RegExp>> = {
  postgres: /^leasehold_/i,
  sqlite: /^(?:leasehold_|json_each$|pragma_)/i,
};

/** Checks what is asked for. Throws INVALID_ARGUMENT. */
export function readOwnTable(request: OwnTableRequest): OwnTable {
  const { dialect, leaseMs, callTimeoutMs } = request;
  const { schema, name } = readTableName(request.table, dialect);
  const keys = readColumns(request.idColumn ?? 'id', dialect, 'id-column');
  const columns = mapEach(OWN_COLUMNS, (column) => {
    const label = `${column.replaceAll('_', '-')}-column`;
    return readColumns(request.columns[column] ?? column, dialect, label, 1)[0] ?? column;
  });
  assertDistinct([...keys, ...Object.values(columns)], dialect);
  const freeWords = splitWords(request.freeStatus ?? 'queued');
  const words = mapEach(OWN_WORDS, (word) => checkSqlWord(request.words[word] ?? word, `${word}-status`));
  assertWordsDiffer([...freeWords, ...Object.values(words)]);
  if (callTimeoutMs + LEASE_MS_MIN > leaseMs || leaseMs > LEASE_MS_MAX) {
    throw refusal('the lease must be longer than the call timeout by 1s or more, or no begin would be accepted');
  }
  const order = request.orderColumn === undefined ? [] : readColumns(request.orderColumn, dialect, 'order-column');
  return {
    ...request,
    schema,
    name,
    keys,
    // The id comes last, so that the order is always the same.
    order: [...order, ...keys.filter((key) => !order.includes(key))],
    columns,
    freeWords,
    words,
  };
}

function readTableName(text: string, dialect: Dialect): { schema: string | null; name: string } {
  const names = parseNames(text, '.', 'table').map((name) => checkSqlName(name, dialect, 'table'));
  const [first = '', second] = names;
  if (names.length > 2)
    throw refusal(`table: ${JSON.stringify(text)} has more than a schema and a name; write SCHEMA.NAME`);
  const name = second ?? first;
  if (OUR_NAME[dialect].test(name))
    throw refusal(`table: "${name}" is a name that the statements use themselves; rename it`);
  return { schema: second === undefined ? null : first, name };
}

function readColumns(text: string, dialect: Dialect, label: string, countMax = 16): readonly string[] {
  const names = parseNames(text, ',', label).map((name) => checkSqlName(name, dialect, label));
  if (names.length > countMax) throw refusal(`${label}: ${names.length} columns are named; at most ${countMax} can be`);
  const ours = names.find((name) => /^leasehold_/i.test(name));
  if (ours !== undefined) throw refusal(`${label}: "${ours}" is a name that the statements use themselves; rename it`);
  const system = names.find((name) => SYSTEM_COLUMNS[dialect].has(dialect === 'sqlite' ? name.toLowerCase() : name));
  if (system === undefined) return names;
  throw refusal(`${label}: "${system}" is the engine's own and may change under a row; name a column of the table`);
}

/** SQLite takes `Id` and `id` for one column. */
function assertDistinct(names: readonly string[], dialect: Dialect): void {
  const seen = new Set<string>();
  for (const name of names) {
    const form = dialect === 'sqlite' ? name.toLowerCase() : name;
    if (seen.has(form)) throw refusal(`column "${name}" is named twice; each part needs a column of its own`);
    seen.add(form);
  }
}

function splitWords(text: string): readonly string[] {
  return text.split(',').map((word) => checkSqlWord(word.trim(), 'free-status'));
}

/** Collations and fixed-width columns may take words for the same that differ in case or spaces at the end. */
function assertWordsDiffer(words: readonly string[]): void {
  const seen = new Set<string>();
  for (const word of words) {
    const form = word.trim().normalize('NFKC').toLowerCase();
    if (seen.has(form))
      throw refusal(`status "${word}" has two meanings; free, claimed, done, failed and review must differ`);
    seen.add(form);
  }
}

function mapEach<Name extends string>(names: readonly Name[], read: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string>;
}

function refusal(message: string): LeaseholdError {
  return new LeaseholdError('INVALID_ARGUMENT', message);
}
