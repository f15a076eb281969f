/** What is drawn of one workflow. The report's numbers are never taken from it: of a long history it holds the newest part. */
export interface WorkflowPicture {
  /** At most 400, the newest of those that count, by start. */
  readonly runs: readonly PictureRun[];
  /** The smallest gap between two starts, planned or as the history shows it, in ms; null where nothing tells. */
  readonly gapMs: number | null;
  /** What the advised lease would have made of the same starts; null where there is none to advise. */
  readonly replay: Replay | null;
}

export interface PictureRun {
  readonly runId: string;
  readonly startMs: number;
  readonly endMs: number;
  /** True where it starts before an earlier run's end. */
  readonly isOverlap: boolean;
}

/** Each of `starts` would have been a run or a skip. */
export interface Replay {
  readonly leaseMs: number;
  readonly starts: number;
  readonly runs: number;
  readonly skips: number;
  readonly overlaps: number;
}
