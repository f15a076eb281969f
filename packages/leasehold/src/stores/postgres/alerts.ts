import type {
  AlertCounts,
  SettleAlertAnswer,
  SettleAlertRequest,
  TakeAlertsRequest,
  TakenAlert,
} from '../../ports/alert-store.ts';
import type { CallOptions } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { toEvent } from './events.ts';
import { instantOrNull, number, onlyRow, text, textOrNull } from './rows.ts';

export async function takeAlerts(
  connection: Connection,
  request: TakeAlertsRequest,
  call?: CallOptions,
): Promise<TakenAlert[]> {
  const { taker, limit, leaseMs } = request;
  const rows = await connection.call(CALLS.take_alerts, [taker, limit, leaseMs], call?.timeoutMs);
  return rows.map((row) => ({
    ...toEvent(row),
    alertId: text(row, 'alert_id'),
    dedupKey: text(row, 'dedup_key'),
    attempts: number(row, 'attempts'),
    deliveredTo: row['delivered_to'] as string[],
  }));
}

export async function settleAlert(
  connection: Connection,
  request: SettleAlertRequest,
  call?: CallOptions,
): Promise<SettleAlertAnswer> {
  const { alertId, taker, deliveredTo, error, retryAfterMs } = request;
  const values = [alertId, taker, deliveredTo, error, Math.round(retryAfterMs)];
  const row = onlyRow(await connection.call(CALLS.settle_alert, values, call?.timeoutMs));
  return {
    outcome: text(row, 'outcome') as SettleAlertAnswer['outcome'],
    nextAttemptAt: instantOrNull(row, 'next_attempt_at'),
  };
}

export async function alertCounts(connection: Connection, call?: CallOptions): Promise<AlertCounts> {
  const row = onlyRow(await connection.call(CALLS.alert_counts, [], call?.timeoutMs));
  return {
    pending: number(row, 'pending'),
    dead: number(row, 'dead'),
    oldestPendingAt: instantOrNull(row, 'oldest_pending_at'),
    failing: number(row, 'failing'),
    lastError: textOrNull(row, 'last_error'),
  };
}
