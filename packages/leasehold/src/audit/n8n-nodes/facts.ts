import type { LockCall } from './lock-terms.ts';
import type { Connection } from './sql-connection.ts';
import type { Question } from './sql-ours.ts';

/** What a node does, as far as its type, version and parameters tell. */
export interface NodeFacts {
  readonly does:
    | 'trigger'
    | 'read'
    | 'write'
    /** Asks a model or buys a computation: costs money, changes nothing. */
    | 'cost'
    | 'transform'
    | 'wait'
    | 'loop'
    /** Runs another workflow. */
    | 'call'
    /** May do anything: a type that the tables don't have, code that calls out, a command. */
    | 'unknown';
  /** For people: `gmail message/send`, `postgres insert`, `HTTP POST api.example.com`. */
  readonly label: string;
  /** Places that a list of records is read from. */
  readonly reads: readonly Place[];
  readonly writes: readonly Write[];
  /** Of a read: all there is, a part of it, or nobody can tell. */
  readonly bound: 'all' | 'limited' | 'unknown';
  readonly guard: GuardKind | null;
  /** Of a lock or claim of ours that goes on whatever it answers: what has to be asked behind it. `first`: of a counter. */
  readonly asks: Question | 'first' | null;
  /** How a lock of ours is asked for, prolonged or given back here; null where nothing of that is known. */
  readonly call: LockCall | null;
  /** Of a `connection-lock`. */
  readonly connection: Connection | null;
  /** True where the read can only be of one record that is already known: it starts no path. */
  readonly isLookup: boolean;
}

/** Where records are; two places may be one where what both name is the same. */
export interface Place {
  readonly system: string;
  /** The document, database or account; null where the file doesn't tell. */
  readonly base: string | null;
  /** The table, sheet, collection or kind of record; null where the file doesn't tell. */
  readonly table: string | null;
}

export interface Write extends Place {
  /**
   * What a repeat does: `same` leaves things as they are (an update by key), `again` adds one more that could be taken
   * out again, `leaves` goes to somebody outside and can't be taken back.
   */
  readonly repeat: 'same' | 'again' | 'leaves';
}

export type GuardKind =
  /** Ours: one run at a time. */
  | 'lock'
  /** Ours: each record once. */
  | 'claim'
  | 'release'
  /** SQL that takes rows and marks them in one statement. */
  | 'sql-claim'
  /** Ends with a connection or a transaction that no node of n8n keeps. */
  | 'connection-lock'
  /** Reads a row that says whether a run is under way, and writes it (`graph/flags.ts`). */
  | 'flag-get'
  | 'flag-set'
  | 'redis-get'
  | 'redis-set'
  | 'redis-incr'
  | 'redis-delete'
  | 'remove-duplicates'
  | 'static-data'
  /** Asks n8n whether another run is under way. */
  | 'asks-executions';

const NOTHING: NodeFacts = {
  does: 'transform',
  label: '',
  reads: [],
  writes: [],
  bound: 'unknown',
  guard: null,
  asks: null,
  call: null,
  connection: null,
  isLookup: false,
};

/** Operations come from files, too. */
const LABEL_MAX = 120;

export function factsWith(does: NodeFacts['does'], label: string, more: Partial<NodeFacts> = {}): NodeFacts {
  return { ...NOTHING, does, label: label.slice(0, LABEL_MAX), ...more };
}

/** Whether a write may go to where the read came from: nothing that both name differs. */
export function isSamePlace(one: Place, other: Place): boolean {
  if (one.system !== other.system) return false;
  return agrees(one.base, other.base) && agrees(one.table, other.table);
}

function agrees(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

/** A key for comparing workflows; null where the file names too little to say that two mean one thing. */
export function keyOf({ system, base, table }: Place): string | null {
  return base === null || table === null ? null : [system, base, table].join('\t');
}
