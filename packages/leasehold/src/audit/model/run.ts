/**
 * One row of somebody's execution history, as every reader hands it over. Readers translate; they judge nothing:
 * which runs are counted is decided in `history/`, from these fields alone.
 */
export interface HistoryRun {
  /** The source's id of the workflow; where it has none, its name; where it has neither, the path of the file. */
  readonly workflow: string;
  /** Null where the source gives none. */
  readonly workflowName: string | null;
  /** Which host it ran on, where the source names one. */
  readonly host?: string;
  /** The source's id of the run; where it has none, where it was found (`line 12`). */
  readonly runId: string;
  /** Instants are ms since 1970, UTC; null where the source has none, or one that can't be read. */
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** `ended`, though its end may be unknown; the others are open: an `endedAtMs` of theirs counts for nothing. */
  readonly state: 'ended' | 'running' | 'waiting' | 'queued';
  readonly result: 'success' | 'failure' | 'crashed' | 'cancelled' | 'unknown';
  /** Until when it waits, where the source tells and it does wait; null where nothing but a call ends that. */
  readonly waitTillMs?: number | null;
  /** What started it. `trigger` is a schedule or a poll, `webhook` any event from outside; `unknown` is counted like a trigger. */
  readonly cause: 'trigger' | 'webhook' | 'manual' | 'retry' | 'sub-workflow' | 'unknown';
  /** The run that this one repeats. */
  readonly retryOf: string | null;
  /** True where rows of its id are parts of one run, from the first start to the last end. */
  readonly isPart?: boolean;
  /** Which version of the workflow ran. */
  readonly versionId: string | null;
  /** The instant that it was planned for, where the source tells it apart from the start. */
  readonly slotAtMs: number | null;
  /** True where an instant stood there but could not be read. */
  readonly isClockSuspect: boolean;
  /** True where its start is suspect since clocks showed that hour twice, and nothing tells which of the two is meant. */
  readonly isHourOpen?: boolean;
}
