import { elapsedMs } from '../../domain/timing.ts';
import type { DeliveryReport } from '../../engine/deliver.ts';
import type { Leasehold } from '../../engine/api.ts';
import type { Channel } from '../../ports/channel.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { alertChannels } from './config.ts';

/**
 * Each command delivers what is due after its own work, so that alerts arrive where nothing else runs. It never
 * changes the exit code, and without a channel it does not even ask the store.
 */
const DELIVERY_MS_MAX = 2_000;
const DELIVERY_MS_MIN = 100;
const SEND_MS_MAX = 1_500;
/** Of a lease that this command hands out, so that its caller has the rest of it. */
const LEASE_SHARE = 10;

export class CommandAlerts {
  readonly channels: readonly Channel[];
  readonly #clock: Clock;
  #deliveryMs = DELIVERY_MS_MAX;
  #failure: DeliveryReport | null = null;
  #underWay: Promise<void> = Promise.resolve();

  private constructor(channels: readonly Channel[], clock: Clock) {
    this.channels = channels;
    this.#clock = clock;
  }

  /**
   * Reads the channels. A mistake in them refuses a command that starts work, before it does; any other command goes on
   * without them: a renewal must not fail for a channel's sake.
   */
  static async open(context: CommandContext, options: GlobalOptions, startsWork: boolean): Promise<CommandAlerts> {
    try {
      const specs = alertChannels(options, context.host);
      return new CommandAlerts(specs.length === 0 ? [] : await context.openChannels(specs), context.clock);
    } catch (error) {
      if (startsWork) throw error;
      return new CommandAlerts([], context.clock);
    }
  }

  /** The answer of this command is a lease with so much left: the caller waits for our end, so it must come soon. */
  spare(remainingMs: number): void {
    this.#deliveryMs = Math.max(DELIVERY_MS_MIN, Math.min(this.#deliveryMs, remainingMs / LEASE_SHARE));
  }

  /** The latest delivery that failed, unless a later one got through; null for none. */
  get failure(): DeliveryReport | null {
    return this.#failure;
  }

  /**
   * Without a channel it does nothing. One delivery at a time: the end of one that is under way counts for the time of
   * the next. What is not delivered stays in the outbox. Never throws.
   */
  async deliver(leasehold: Leasehold, signal?: AbortSignal): Promise<void> {
    if (this.channels.length === 0) return;
    const askedAt = this.#clock.read();
    await this.#underWay;
    const forMs = this.#deliveryMs - elapsedMs(askedAt, this.#clock.read());
    if (forMs < DELIVERY_MS_MIN) return;
    this.#underWay = this.#send(leasehold, forMs, signal);
    await this.#underWay;
  }

  async #send(leasehold: Leasehold, forMs: number, signal: AbortSignal | undefined): Promise<void> {
    const sendTimeoutMs = Math.min(SEND_MS_MAX, forMs);
    try {
      const report = await leasehold.deliverAlerts({
        forMs,
        sendTimeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
      if (report.failed + report.dead > 0) this.#failure = report;
      else if (report.delivered > 0) this.#failure = null;
    } catch {
      // The store is away: that is said by what the command itself asks of it.
    }
  }
}

/** One sentence on what did not arrive; null where all did. */
export function failureText({ failed, dead, failures }: DeliveryReport): string | null {
  const said = Object.entries(failures).map(([channel, words]) => `${channel}: ${words}`);
  if (failed + dead === 0) return null;
  const parts = [
    ...(failed === 0 ? [] : [`${alerts(failed)} could not be delivered yet, and will be tried again`]),
    ...(dead === 0 ? [] : [`${alerts(dead)} could not be delivered for 24h and will not be tried again`]),
  ];
  return `${parts.join('; ')} (${said.join('; ')})`;
}

function alerts(count: number): string {
  return count === 1 ? '1 alert' : `${count} alerts`;
}
