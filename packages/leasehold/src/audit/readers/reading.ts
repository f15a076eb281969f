import type { ColumnMap } from './table/column-map.ts';

/** What every reader is given besides its input and the sink. */
export interface ReadOptions {
  /** What counts as now: for the days of a live source, and for instants that can't be. */
  readonly nowMs: number;
  /** IANA name: of local times that name no zone; null where none was given. */
  readonly timezone: string | null;
  /** Which column is what, where its name doesn't tell: `--map start=Begin,end=Finish`; null where all is guessed. */
  readonly map: ColumnMap | null;
  /** How far back a live source is read, in days. */
  readonly days: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What comes on stdin, to its end. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** Waits, between two tries of a source that asked for it. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Calls `callback` once after `ms`, unless it is cancelled: how long an answer is waited for. */
  readonly schedule: (ms: number, callback: () => void) => { cancel(): void };
  /** Told how far a long reading is. */
  readonly progress: (line: string) => void;
  /** Told what people should know whatever the report says. */
  readonly warn: (line: string) => void;
}
