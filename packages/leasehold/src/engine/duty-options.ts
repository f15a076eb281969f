/** What the duties of a store may take: those that no start waits for. */

/** How a duty that nobody waits for is done. */
export interface UpkeepOptions {
  /** How long it may take in all, in ms: 1 to 600,000, default 5,000. It stops before the next call to the store. */
  readonly timeoutMs?: number;
}

/** How long runs and events are kept, each 1 day to 100 years. */
export interface PruneOptions extends UpkeepOptions {
  /** Default 90 days from a run's end. */
  readonly runsMs?: number;
  /** Default 365 days. */
  readonly eventsMs?: number;
}

/** How long a delivery of alerts may take. */
export interface DeliverOptions {
  /** In total: 100 ms to 10 min, default 30 s. What is left over stays for the next call. */
  readonly forMs?: number;
  /** For one request: 100 ms to 1 min, default 10 s. */
  readonly sendTimeoutMs?: number;
  /** Takes no further alerts once it fires. */
  readonly signal?: AbortSignal;
}
