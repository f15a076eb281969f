import type { HistoryRun } from './run.ts';
import type { FoundWorkflow } from './workflow.ts';

/** Where readers put what they find, in any order, one at a time. Never throws. */
export interface AuditSink {
  run(run: HistoryRun, source: string): void;
  workflow(workflow: FoundWorkflow): void;
  /** Something that could not be read: `path` may name a line (`runs.csv:12`). One clear sentence. */
  unread(path: string, reason: string): void;
  /** A source that was read and has nothing in it: what `unread` says of it is no failure. */
  empty?(path: string): void;
  /** The column of a table that was taken for the host of each run, and the one of its workflow; null where none is. */
  hostColumn?(source: string, columns: HostColumn): void;
  /**
   * A part of a running system that could not be looked at: what `unread` says of it is a failure, whatever else was found, or a
   * check that runs each night would stay green for ever.
   */
  lost?(path: string, reason: string): void;
  /** A sentence about how complete the history of a source, or of one workflow of it, is. */
  limit(source: string, workflow: string | null, sentence: string): void;
  /** A time in which a workflow was switched off, where the source knows: nothing was to start then. */
  switchedOff?(source: string, workflow: string, time: OffTime): void;
}

/** Names as they stand in the table. */
export interface HostColumn {
  readonly host: string;
  readonly workflow: string | null;
}

/** Instants are ms since 1970, UTC. */
export interface OffTime {
  readonly fromMs: number;
  /** Null where it is off still. */
  readonly untilMs: number | null;
}
