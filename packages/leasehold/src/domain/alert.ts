import type { LeaseholdEvent, Severity } from './answers.ts';

/**
 * Alerts: which events become one, when it is tried again, and when it is given up.
 *
 * Identity: an alert by its `alertId`, random and the same at every attempt; receivers drop a second one of that
 * id. Its event's number would be no such id: two stores may send to one channel. `dedupKey` is another thing: all
 * alerts of one episode have it in common.
 *
 *   pending ── taken by a deliverer (a short lease) ── every channel confirmed ──► delivered
 *      ▲                        │
 *      └── backoff, 30 s to 1 h ┴── failed, and 24 h since its event ──► dead, told as `alert.dead`
 *
 * Crash: a deliverer that dies between sending and settling leaves a lease that ends; then the alert is sent
 * once more. At least once, never at most once.
 */

/** An alert as channels get it: an event, and how its receiver knows it again. */
export interface Alert extends LeaseholdEvent {
  readonly alertId: string;
  /** What the alerts of one episode have in common: its kind, its lock, and the run that it is about. */
  readonly dedupKey: string;
}

/** Time after an event in which its alert is tried, before it is declared dead. */
export const ALERT_DEAD_AFTER_MS: number = 24 * 3_600_000;
export const ALERT_BACKOFF_MS_MIN = 30_000;
export const ALERT_BACKOFF_MS_MAX = 3_600_000;
/** Ends an alert whose event lies in the future by a faulty clock. 24 h of backoff are 30 attempts. */
export const ALERT_ATTEMPTS_MAX = 100;
export const ALERTS_TAKEN_MAX = 100;
/** A deliverer's lease is never longer; one that ends later was written by a faulty clock and counts for nothing. */
export const ALERT_LEASE_MS_MAX = 300_000;
/** What is kept of an error, in characters. */
export const ALERT_ERROR_LENGTH_MAX = 500;

/** What of an event decides whether it alerts. */
export interface AlertSource {
  readonly kind: string;
  readonly severity: Severity;
  readonly lock: string | null;
  readonly pool?: string | null;
  readonly recordId?: string | null;
  readonly runId: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Warnings and worse alert. That an alert is dead does not: it would be undeliverable itself. */
export function isAlerting({ kind, severity }: Pick<AlertSource, 'kind' | 'severity'>): boolean {
  return severity !== 'info' && kind !== 'alert.dead';
}

/**
 * Kind, lock and run of the episode, quoted so that no two can be mixed up. The skips of one run are one episode,
 * whoever was skipped: their event names that run as `currentRunId`. Of records the pool is the episode, and of an effect
 * that took place twice the record. `leasehold._dedup_key` gives the same.
 */
export function dedupKeyOf({ kind, lock, pool = null, recordId = null, runId, data }: AlertSource): string {
  const current = data?.['currentRunId'];
  const episode = typeof current === 'string' ? current : runId;
  const parts = [lock, episode, pool, kind === 'effect.doubled' ? recordId : null];
  return [kind, ...parts.filter((part) => part !== null).map((part) => JSON.stringify(part))].join(' ');
}

/** True where one alert tells of many: none is written while one of its key waits that nobody has taken. */
export function isSharedAlert({ pool = null }: Pick<AlertSource, 'pool'>): boolean {
  return pool !== null;
}

/** How long after its nth attempt an alert is tried again, unless its channel asks for more time. */
export function backoffMs(attempts: number): number {
  return Math.min(ALERT_BACKOFF_MS_MAX, ALERT_BACKOFF_MS_MIN * 2 ** Math.max(0, attempts - 1));
}

export type FailureDecision = { readonly kind: 'retry'; readonly nextAttemptAt: number } | { readonly kind: 'dead' };

/** After an attempt that not every channel has confirmed. `retryAfterMs` is the longest that a channel asked for. */
export function decideFailure(
  alert: { readonly eventAt: number; readonly attempts: number },
  retryAfterMs: number,
  now: number,
): FailureDecision {
  if (now - alert.eventAt >= ALERT_DEAD_AFTER_MS || alert.attempts >= ALERT_ATTEMPTS_MAX) return { kind: 'dead' };
  const waitMs = Math.min(ALERT_BACKOFF_MS_MAX, Math.max(backoffMs(alert.attempts), retryAfterMs));
  return { kind: 'retry', nextAttemptAt: now + waitMs };
}

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 };

/** Which alerts a channel wants. */
export interface AlertFilter {
  /** This and worse. */
  readonly minSeverity: 'warning' | 'critical';
  /** Null for all kinds. */
  readonly kinds: readonly string[] | null;
}

export function isWanted({ minSeverity, kinds }: AlertFilter, alert: Pick<AlertSource, 'kind' | 'severity'>): boolean {
  return RANK[alert.severity] >= (RANK[minSeverity] ?? RANK.warning) && (kinds?.includes(alert.kind) ?? true);
}
