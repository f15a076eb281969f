import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { dedupKeyOf, isWanted } from '../../domain/alert.ts';
import { storeUnreachableMessage } from '../../domain/alert-messages.ts';
import { sendWithin } from '../../engine/deliver.ts';
import type { LeaseholdError } from '../../errors.ts';
import type { Channel, ChannelMessage } from '../../ports/channel.ts';
import type { CommandContext } from '../context.ts';
import { namingStore, oneLine } from '../failure.ts';
import { defaultStoreFile } from '../store-location.ts';
import { Told } from './told.ts';

/**
 * A store that can't be reached can't hold an alert that says so: it goes to the channels directly (G9).
 *
 * Once an hour for each store, host and channel: a job of each minute must not page each minute. Its id is made of the
 * same three, so that one which comes twice in an hour is known as one by its receiver.
 */
const SEND_MS = 2_000;
const HOUR_MS = 3_600_000;

export interface Outage {
  /** The store, without credentials; null where its URL makes no sense. */
  readonly store: string | null;
  /** The lock that was asked for; null for none. */
  readonly lock: string | null;
  readonly error: LeaseholdError;
}

/** Never throws, and takes no longer than 2 s. */
export async function tellOutage(context: CommandContext, channels: readonly Channel[], outage: Outage): Promise<void> {
  const { wallMs } = context.clock.read();
  const message = messageOf(context, outage, wallMs);
  const told = new Told(toldFolder(context));
  const prefix = `store-unreachable-${digest(message.store).slice(0, 16)}-`;
  const sends = channels
    .filter((channel) => isWanted(channel.filter, message))
    .map(async (channel) => {
      const own = `${prefix}${channel.name}-`;
      const mark = `${own}${Math.floor(wallMs / HOUR_MS)}`;
      if (told.has(mark)) return;
      const answer = await sendWithin(channel, message, context.clock, SEND_MS);
      if (answer.confirmed) told.remember(mark, own);
    });
  await Promise.allSettled(sends);
}

function messageOf({ host }: CommandContext, { store: name, lock, error }: Outage, wallMs: number): ChannelMessage {
  const store = name ?? 'unknown';
  const hour = Math.floor(wallMs / HOUR_MS);
  const message = storeUnreachableMessage(host.hostName, namingStore(oneLine(error.message), name));
  const event = {
    eventId: 0,
    at: new Date(wallMs),
    kind: 'store.unreachable' as const,
    severity: 'critical' as const,
    lock,
    pool: null,
    recordId: null,
    runId: null,
    holder: `${host.hostName}:${host.pid}`,
    message,
    data: { code: error.code },
  };
  return {
    ...event,
    alertId: digest(JSON.stringify([store, host.hostName, hour])).slice(0, 32),
    // Of the store and not of the lock: all locks of it are out.
    dedupKey: dedupKeyOf({ ...event, lock: store, runId: host.hostName }),
    store,
    text: message,
    attempt: 1,
  };
}

/** Beside the store of a user who names none. */
function toldFolder({ host }: CommandContext): string | null {
  const file = defaultStoreFile(host);
  return file === null ? null : join(dirname(file), 'told');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
