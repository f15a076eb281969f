import { isWanted } from '../domain/alert.ts';
import { alertText } from '../domain/alert-messages.ts';
import { type ClockReading, elapsedMs } from '../domain/timing.ts';
import type { TakenAlert } from '../ports/alert-store.ts';
import type { Channel, ChannelMessage, SendAnswer } from '../ports/channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Store } from '../ports/store.ts';

/**
 * Sends what is due in the outbox.
 *
 *   take a few, for a lease ── send each to every channel that wants it and has not confirmed it ── settle each
 *
 * Bounded in time as a whole: what is not taken stays for whoever comes next. A crash after a send and before its
 * settlement has the alert sent again when the lease ends, with the same id (see domain/alert.ts).
 */
export interface DeliveryParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly channels: readonly Channel[];
}

export interface DeliveryBounds {
  /** For all of it. */
  readonly forMs: number;
  /** For one request. */
  readonly sendMs: number;
  /** Takes no more alerts once it fires; what is under way ends by its own time. */
  readonly signal: AbortSignal | null;
}

/** What a delivery did. */
export interface DeliveryReport {
  /** Confirmed by every channel that wanted them. */
  readonly delivered: number;
  /** That no channel wanted. They are settled, and not tried again. */
  readonly unwanted: number;
  /** That will be tried again. */
  readonly failed: number;
  /** Given up, 24 h after their events. */
  readonly dead: number;
  /** What each channel that failed said last, by its name. No URLs, no secrets. */
  readonly failures: Readonly<Record<string, string>>;
}

/** Few at a time: they are sent at once, and what is taken and not sent is late by a lease. */
const BATCH = 10;
const LEASE_MS_MIN = 60_000;
/** Kept back from sending, so that what was sent can be settled: this, or a quarter where there is little time. */
const SETTLE_MS_MAX = 500;
const STORE_CALL_MS_MIN = 100;
const STORE_CALL_MS_MAX = 5_000;

/** Throws STORE_UNREACHABLE where the outbox can't be read; what a channel does is in the report. */
export async function deliver(parts: DeliveryParts, bounds: DeliveryBounds): Promise<DeliveryReport> {
  const tally = { delivered: 0, unwanted: 0, failed: 0, dead: 0, failures: {} };
  const round = new Round(parts, bounds, tally);
  if (parts.channels.length === 0) return tally;
  // Bounded by time, and because an alert that failed is not due again for half a minute.
  while (!round.isOver()) {
    const taken = await round.next();
    if (taken < BATCH) break;
  }
  return tally;
}

type Tally = { -readonly [K in keyof DeliveryReport]: DeliveryReport[K] } & { failures: Record<string, string> };

class Round {
  readonly #parts: DeliveryParts;
  readonly #bounds: DeliveryBounds;
  readonly #tally: Tally;
  readonly #begunAt: ClockReading;

  constructor(parts: DeliveryParts, bounds: DeliveryBounds, tally: Tally) {
    this.#parts = parts;
    this.#bounds = bounds;
    this.#tally = tally;
    this.#begunAt = parts.clock.read();
  }

  /** Also where too little time is left to send in: an attempt that can't succeed is none. */
  isOver(): boolean {
    return this.#leftMs() < 2 * this.#settleMs() || (this.#bounds.signal?.aborted ?? false);
  }

  #settleMs(): number {
    return Math.min(SETTLE_MS_MAX, this.#bounds.forMs / 4);
  }

  /** Answers how many were taken. */
  async next(): Promise<number> {
    const { store, ids } = this.#parts;
    const taker = ids.newId();
    const leaseMs = Math.max(LEASE_MS_MIN, 2 * this.#bounds.sendMs);
    const alerts = await store.takeAlerts({ taker, limit: BATCH, leaseMs }, { timeoutMs: this.#callMs() });
    const settled = await Promise.allSettled(alerts.map((alert) => this.#deliverOne(alert, taker)));
    const fault = settled.find((each) => each.status === 'rejected');
    if (fault !== undefined) throw fault.reason;
    return alerts.length;
  }

  async #deliverOne(alert: TakenAlert, taker: string): Promise<void> {
    const { store, channels } = this.#parts;
    const wanted = channels.filter((channel) => isWanted(channel.filter, alert));
    const open = wanted.filter((channel) => !alert.deliveredTo.includes(channel.name));
    const message = { ...alert, store: store.name, text: alertText(alert), attempt: alert.attempts };
    const sendMs = Math.max(1, Math.min(this.#bounds.sendMs, this.#leftMs() - this.#settleMs()));
    const answers = await Promise.all(
      open.map(async (channel) => ({ channel, answer: await sendWithin(channel, message, this.#parts.clock, sendMs) })),
    );
    const failures = answers.flatMap(({ channel, answer }) => (answer.confirmed ? [] : [{ channel, answer }]));
    for (const { channel, answer } of failures) this.#tally.failures[channel.name] = answer.said;
    const settled = await store.settleAlert(
      {
        alertId: alert.alertId,
        taker,
        deliveredTo: answers.filter(({ answer }) => answer.confirmed).map(({ channel }) => channel.name),
        error:
          failures.length === 0 ? null : failures.map((each) => `${each.channel.name}: ${each.answer.said}`).join('; '),
        retryAfterMs: Math.max(0, ...failures.map((each) => each.answer.retryAfterMs ?? 0)),
      },
      { timeoutMs: Math.max(SETTLE_MS_MAX, this.#callMs()) },
    );
    if (settled.outcome === 'delivered') this.#tally[wanted.length === 0 ? 'unwanted' : 'delivered'] += 1;
    else this.#tally[settled.outcome === 'dead' ? 'dead' : 'failed'] += 1;
  }

  #leftMs(): number {
    return this.#bounds.forMs - elapsedMs(this.#begunAt, this.#parts.clock.read());
  }

  #callMs(): number {
    return Math.max(STORE_CALL_MS_MIN, Math.min(STORE_CALL_MS_MAX, this.#leftMs()));
  }
}

/** Sends to one channel; never throws, and never takes longer, whatever the channel does. */
export async function sendWithin(
  channel: Channel,
  message: ChannelMessage,
  clock: Clock,
  ms: number,
): Promise<SendAnswer> {
  const late = new AbortController();
  const timeOut = Promise.withResolvers<SendAnswer>();
  const timer = clock.schedule(ms, () => {
    late.abort();
    // A channel that heeds the signal says itself what it waited for.
    const said = `no answer within ${Math.round(ms)} ms`;
    clock.schedule(50, () => timeOut.resolve({ confirmed: false, said, retryAfterMs: null }));
  });
  try {
    return await Promise.race([channel.send(message, late.signal), timeOut.promise]);
  } catch (error) {
    const said = `a fault of the channel itself (${error instanceof Error ? error.name : typeof error})`;
    return { confirmed: false, said, retryAfterMs: null };
  } finally {
    timer.cancel();
  }
}
