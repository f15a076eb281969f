import type { Alert } from '../domain/alert.ts';
import type { CallOptions } from './store.ts';

/**
 * The outbox, as the part of a store that deliverers work with. Alerts are written by the calls that raise
 * their events, in the same transaction.
 *
 * Identity: an alert by its id; a deliverer by its token, of which each call of `takeAlerts` has a new one.
 * Clock: the store's. Crash: see `domain/alert.ts`.
 */
export interface AlertStore {
  /**
   * Alerts that are due, for this deliverer alone until its lease ends; those that were due first come first. Each
   * counts as attempted. Alerts that nobody tried in the 24 h after their events are declared dead first, at most
   * 1,000 a call, by one event.
   */
  takeAlerts(request: TakeAlertsRequest, call?: CallOptions): Promise<TakenAlert[]>;
  /**
   * What became of one. That channels have confirmed is stored whoever says it; a failure only from the
   * deliverer that has the alert: a late one changes nothing (`not_taken`). Repeatable.
   */
  settleAlert(request: SettleAlertRequest, call?: CallOptions): Promise<SettleAlertAnswer>;
  alertCounts(call?: CallOptions): Promise<AlertCounts>;
}

export interface TakeAlertsRequest {
  /** A new random id. */
  readonly taker: string;
  /** 1 to 100. */
  readonly limit: number;
  /** How long this deliverer may keep them: 1 s to 5 min. */
  readonly leaseMs: number;
}

export interface TakenAlert extends Alert {
  /** This one included. */
  readonly attempts: number;
  /** Channels that have confirmed it before. */
  readonly deliveredTo: readonly string[];
}

export interface SettleAlertRequest {
  readonly alertId: string;
  readonly taker: string;
  /** Channels that have confirmed it now; those of earlier attempts stay. */
  readonly deliveredTo: readonly string[];
  /** Null where no channel is left to be tried: it is delivered. Else why not, without secrets. */
  readonly error: string | null;
  /** The longest that a channel asked to be left alone for; 0 where none did. Drawn in to 1 h. */
  readonly retryAfterMs: number;
}

export interface SettleAlertAnswer {
  /** `delivered`, `retry` at `nextAttemptAt`, `dead`, or `not_taken`: it is another deliverer's, settled, or gone. */
  readonly outcome: 'delivered' | 'retry' | 'dead' | 'not_taken';
  readonly nextAttemptAt: Date | null;
}

/** How the outbox stands. */
export interface AlertCounts {
  readonly pending: number;
  readonly dead: number;
  /** The instant of the oldest event whose alert is pending; null where none is. */
  readonly oldestPendingAt: Date | null;
  /** Those of the pending ones whose latest known attempt failed. */
  readonly failing: number;
  /** Why, of the newest of these: what each channel said, without secrets; null where none is failing. */
  readonly lastError: string | null;
}
