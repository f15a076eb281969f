import type { LockState } from '../../../domain/lock-state.ts';
import type { Store } from '../../../ports/store.ts';

/** What a store can be put through beyond its port. Absent from `missing`: it can. */
export type Capability =
  /** `another` gives a client of its own: closing it leaves the store to the others. */
  | 'second_client'
  /** `writeLock`, `deleteLock` and `changeRows`: rows as a faulty clock, a restore or a person leaves them. */
  | 'hand_written_rows';

/** How a store is brought under the conformance suite. */
export interface StoreHarness {
  /** Stands before every test, for example `SQLite, file`. */
  readonly name: string;
  /** What this store can't be put through, each with the reason that is printed with the skipped tests. */
  readonly missing?: Readonly<Partial<Record<Capability, string>>>;
  /**
   * How the store's time is moved. `clock`: it stands still but for `advance`, so that every number is
   * compared exactly. `rows`: its clock runs and can't be set, so `advance` moves every stored
   * instant into the past instead; then numbers may differ by the time that calls take.
   */
  readonly time: 'clock' | 'rows';
  /** A store with its schema, and no row in it. */
  open(): Promise<StoreUnderTest>;
  /** Called once after the last test. */
  end?(): Promise<void>;
}

/** One empty store, and what a test may do to it beside calling it. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Another client of the same store; the suite closes it. Without `second_client`: the same one again. */
  another(): Promise<Store>;
  /** Lets `ms` pass on the store's clock. */
  advance(ms: number): Promise<void>;
  /** The store's clock, in ms since 1970. */
  now(): Promise<number>;
  /** Writes the named fields of a lock's row as they are; a new row has the values of `newLockState` elsewhere. */
  writeLock(name: string, patch: Partial<LockState>): Promise<void>;
  /** Removes a lock's row and leaves its runs and events, as a failover to a late replica does. */
  deleteLock(name: string): Promise<void>;
  /** Changes rows of pools and their records as a person's SQL would. */
  changeRows(change: RowChange): Promise<void>;
  close(): Promise<void>;
}

/** Every row of a table whose columns have the values of `where`. Columns are those of both engines; an instant is a `Date`. */
export interface RowChange {
  readonly table: 'pools' | 'records' | 'claims' | 'former_owners';
  readonly where: Readonly<Record<string, string>>;
  /** What the named columns become; none: the rows go. */
  readonly set: Readonly<Record<string, string | number | boolean | Date | null>>;
}
