import { type Connection, connectionLock } from './sql-connection.ts';
import { type OurCall, ourCall } from './sql-ours.ts';
import { isOneFigure } from './sql-sums.ts';
import { plainSql, TEXT, VALUE, wordsOf } from './sql-words.ts';

/**
 * Reads SQL just well enough to say what it touches. The first keyword isn't enough: a `with` may insert, a node may
 * hold several statements (one that creates a table and one that selects from it), and comments and texts may hold
 * anything. What n8n fills in (`{{ }}`) is a value nobody knows.
 */
export interface SqlFacts {
  readonly reads: readonly (string | null)[];
  readonly writes: readonly { readonly table: string | null; readonly repeat: 'same' | 'again' }[];
  /** Takes rows and marks them in one go: `update … returning`, or rows locked `for update` and updated. */
  readonly isClaim: boolean;
  /** One of our own functions: `leasehold.acquire(…)`. */
  readonly ours: OurCall | null;
  /** A lock of the connection it is taken on, with nothing else in the statement. */
  readonly connection: Connection | null;
  readonly isLimited: boolean;
  /** Nothing but figures comes back: a sum, a count. */
  readonly isFigure: boolean;
  /** The whole text, or something in it that may write, is known only when it runs. */
  readonly isUnknown: boolean;
}

const LENGTH_MAX = 100_000;
const COMMANDS = /^(?:call|exec|execute|do|load|copy|import)$/;
const WRITES = /^(?:insert|update|delete|merge|truncate|replace)$/;

export function readSql(text: string): SqlFacts {
  const source = text.slice(0, LENGTH_MAX).replace(/^=/, '');
  const words = wordsOf(source);
  const plain = plainSql(source);
  const ours = ourCall(plain);
  const found: Found = { reads: [], writes: [], returns: false, locks: false, isUnknown: words.length === 0 };
  const statements = statementsOf(words);
  for (const statement of statements) readStatement(statement, found);
  const touches = found.reads.length + found.writes.length > 0;
  const updates = found.writes.some(({ repeat }) => repeat === 'same');
  return {
    reads: found.reads,
    writes: found.writes,
    isClaim: updates && (found.returns || found.locks),
    ours,
    connection: ours === null && !touches ? connectionLock(plain) : null,
    isLimited: words.some((word) => word === 'limit' || word === 'top' || word === 'fetch'),
    isFigure:
      found.reads.length > 0 &&
      found.writes.length === 0 &&
      statements.every((statement) => !statement.includes('from') || isOneFigure(statement)),
    isUnknown: ours === null && found.isUnknown,
  };
}

interface Found {
  readonly reads: (string | null)[];
  readonly writes: { table: string | null; repeat: 'same' | 'again' }[];
  returns: boolean;
  locks: boolean;
  isUnknown: boolean;
}

function statementsOf(words: readonly string[]): string[][] {
  const statements: string[][] = [[]];
  for (const word of words) {
    if (word === ';') statements.push([]);
    else statements.at(-1)?.push(word);
  }
  return statements.filter((statement) => statement.length > 0);
}

function readStatement(words: readonly string[], found: Found): void {
  const [first = ''] = words;
  if (
    /^(?:create|alter|drop|comment|grant|revoke|set|begin|commit|rollback|start|use|analyze|vacuum|declare)$/.test(
      first,
    )
  )
    return;
  if (COMMANDS.test(first) || first === VALUE) found.isUnknown = true;
  const own = new Set<string>();
  for (const [at, word] of words.entries()) {
    const before = words[at - 1] ?? '';
    // A verb stands at the start, after a bracket or, behind the parts of a `with`, after the last bracket.
    const isVerb = at === 0 || before === '(' || (before === ')' && first === 'with');
    if (isVerb && WRITES.test(word)) readWrite(words, at, found);
    else if (word === 'as' && words[at + 1] === '(') own.add(before === ')' ? '' : before);
    else if ((word === 'from' || word === 'join') && words[at - 1] !== 'delete' && words[at - 1] !== 'distinct')
      readTable(words, at + 1, { found, own });
    else if (word === 'returning' || word === 'output') found.returns = true;
    else if (word === 'for' && words[at + 1] === 'update') found.locks = true;
    else if (word === 'into' && first === 'select')
      found.writes.push({ table: tableAt(words, at + 1), repeat: 'again' });
  }
  // `select f(x)` may do anything; with no table it does nothing else.
  if (first === 'select' && !words.includes('from') && words.some((word, at) => word === '(' && isCall(words[at - 1])))
    found.isUnknown = true;
}

const HARMLESS =
  /^(?:now|count|coalesce|max|min|sum|avg|current_\w+|version|date_\w+|to_\w+|lower|upper|concat|round|exists)$/;

function isCall(name: string | undefined): boolean {
  return (
    name !== undefined &&
    /^\w[\w.]*$/.test(name) &&
    !HARMLESS.test(name) &&
    !/^(?:select|in|and|or|as|values)$/.test(name)
  );
}

function readWrite(words: readonly string[], at: number, found: Found): void {
  const [verb = '', next = ''] = words.slice(at, at + 2);
  const start = /^(?:into|from|table|only|ignore|low_priority)$/.test(next) ? at + 2 : at + 1;
  const keyed = verb !== 'insert' || words.includes('conflict') || words.includes('duplicate') || next === 'ignore';
  found.writes.push({ table: tableAt(words, start), repeat: keyed ? 'same' : 'again' });
}

function readTable(words: readonly string[], at: number, into: { found: Found; own: ReadonlySet<string> }): void {
  const table = words[at] ?? '';
  if (table === '(' || table === 'lateral' || words[at + 1] === '(' || into.own.has(table)) return;
  into.found.reads.push(tableAt(words, at));
}

function tableAt(words: readonly string[], at: number): string | null {
  const word = words[at] === 'only' || words[at] === 'into' ? words[at + 1] : words[at];
  return word === undefined || !/^[\w"`[]/.test(word) || word === TEXT ? null : word;
}
