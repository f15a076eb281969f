import type { Finding } from './finding.ts';
import type { FoundSchedule } from './schedule.ts';

/**
 * What is known of a workflow besides its runs: read from its definition (an n8n workflow, a Make blueprint, a Zap, a
 * line of a crontab). A definition and runs of the same id, or else of the same name, belong together.
 */
export interface FoundWorkflow {
  /** The platform's id; where it has none, its name; a line of a crontab is `PATH:LINE`. */
  readonly id: string;
  readonly name: string;
  /** Where it was read: a path, or an address without its secrets. */
  readonly source: string;
  readonly platform: 'n8n' | 'make' | 'zapier' | 'cron';
  /** Null where the definition doesn't say. */
  readonly isActive: boolean | null;
  /** When it was last edited, in ms UTC: its schedule says nothing of starts before. Left out where nobody says. */
  readonly changedAtMs?: number;
  /** Null where nothing starts it by itself. */
  readonly schedule: FoundSchedule | null;
  /** True where what starts it by itself is events alone, each of which brings a record. Left out where nobody knows. */
  readonly isByEvents?: boolean;
  /**
   * True where each start is handed records that no later start is handed again: by an event, or by a poll that remembers what it
   * has seen. A lock behind it would lose them. Left out where nobody knows.
   */
  readonly bringsRecords?: boolean;
  /** What the platform itself allows to run side by side, in words for the report; empty where it says nothing. */
  readonly paths: readonly FoundPath[];
  /** What the definition alone tells. */
  readonly findings: readonly Finding[];
  /** Keys of what it reads and of what it writes (kind, place and table, hashed where secret): who shares them shares a pool. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Longest wait inside it, which keeps a run open, in ms; 0 where there is none. */
  readonly waitMs: number;
  /** Waits of a fixed length that a start by the clock runs into; left out where its reader tells of none. */
  readonly waits?: readonly FoundWait[];
  /** Nodes that a start by the clock may wait at, and whose length only the run knows; left out where its reader tells of none. */
  readonly unknownWaits?: readonly string[];
  /** Locks whose lease is known; left out where its reader tells of none. */
  readonly locks?: readonly FoundLock[];
  /** The node whose lock stands before all that a run does; left out where none is known to. */
  readonly guardedBy?: string;
  /** Where successful or failed runs are not kept, so that history is not whole: sentences. */
  readonly historyLimits: readonly string[];
  /** That nothing starts it, since it is switched off or archived. Left out where it may run, or nobody knows. */
  readonly off?: 'off' | 'archived';
  /** What its reader keeps for a second look, once all files are read (`completeN8nWorkflows`); nobody else looks in. */
  readonly kept?: object;
}

/** A lock that each run takes, and how long it has it where nothing renews it. */
export interface FoundLock {
  /** Name of the node. */
  readonly node: string;
  readonly leaseMs: number;
}

/** Waits that lie one after the other on a way: a run is open for their sum at least. */
export interface FoundWait {
  readonly steps: readonly { readonly node: string; readonly waitMs: number }[];
  /** True where each run goes this way, as far as nothing stops it before. */
  readonly isCertain: boolean;
}

/** One way from a read to the first write that marks what was read. */
export interface FoundPath {
  /** Name of the node. */
  readonly read: string;
  /** Name of the node that marks; null where nothing does. */
  readonly firstWrite: string | null;
  /** Nodes strictly between the two; null where nothing marks. */
  readonly steps: number | null;
  /** True where something that can't be taken back happens before the mark. */
  readonly effectBeforeMark: boolean;
}
