import assert from 'node:assert/strict';
import type { AlertCounts, SettleAlertAnswer, SettleAlertRequest, TakenAlert } from '../../../ports/alert-store.ts';
import type { Scene } from './scene.ts';
import { MINUTE } from './timeline.ts';

/** How an outbox stands that is empty. */
export const NO_ALERTS: AlertCounts = { pending: 0, dead: 0, oldestPendingAt: null, failing: 0, lastError: null };

/** A deliverer of one scene's alerts, under a token of its own. */
export class Deliverer {
  readonly #scene: Scene;
  readonly taker: string;

  constructor(scene: Scene, taker: string) {
    this.#scene = scene;
    this.taker = taker;
  }

  take(limit = 100, leaseMs: number = 5 * MINUTE): Promise<TakenAlert[]> {
    return this.#scene.store.takeAlerts({ taker: this.taker, limit, leaseMs });
  }

  async takeOne(): Promise<TakenAlert> {
    const [alert, ...rest] = await this.take();
    assert.ok(alert !== undefined && rest.length === 0, `one alert is due, not ${rest.length + (alert ? 1 : 0)}`);
    return alert;
  }

  confirm({ alertId }: TakenAlert, channel = 'ops'): Promise<SettleAlertAnswer> {
    return this.settle(alertId, { deliveredTo: [channel], error: null });
  }

  fail({ alertId }: TakenAlert, patch: Partial<SettleAlertRequest> = {}): Promise<SettleAlertAnswer> {
    return this.settle(alertId, { deliveredTo: [], error: 'ops: answered 500', ...patch });
  }

  settle(alertId: string, patch: Partial<SettleAlertRequest>): Promise<SettleAlertAnswer> {
    const request = { alertId, taker: this.taker, deliveredTo: [], error: null, retryAfterMs: 0, ...patch };
    return this.#scene.store.settleAlert(request);
  }
}
