import type { ClockReading } from '../domain/timing.ts';

/**
 * The host's clocks. Only `platform/` implements it for production; tests bring their own.
 */
export interface Clock {
  /** One moment on all three clocks. */
  read(): ClockReading;
  /** Names the current boot of this host; null where the system doesn't tell. */
  readonly bootId: string | null;
  /** Resolves after `ms`; rejects with the signal's reason if it fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `callback` once after `ms` on the monotonic clock; does not keep the process alive. */
  schedule(ms: number, callback: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}
