import { parseStoreUrl } from '../domain/store-url.ts';
import type { Leasehold } from '../engine/api.ts';
import { isLeaseholdError, LeaseholdError } from '../errors.ts';
import { CommandAlerts, failureText } from './alerts/delivery.ts';
import { tellStoreError } from './alerts/outage.ts';
import type { CommandContext, GlobalOptions, StoreOptions } from './context.ts';
import { EXIT, SIGNAL_BASE } from './exit-codes.ts';
import { namingStore, oneLine, OutputLost } from './failure.ts';
import { isInMemory, missingStore, namedStoreUrl, storeUrl } from './store-location.ts';
import { type Unheard, unheard } from './records/patience.ts';
import type { StoreWait } from './store-wait.ts';
import { keepUp } from './upkeep.ts';

/** One command's dealings with one store, and with the two streams. */
export interface Session {
  readonly leasehold: Leasehold;
  /** The store's URL as given; may hold credentials, so it is for the child and never for a message. */
  readonly url: string;
  readonly isJson: boolean;
  /** Delivers alerts that are due, for at most 2 s. Never throws. */
  deliver(signal?: AbortSignal): Promise<void>;
  /** This command's answer is a lease of which so much is left: it must not be spent on alerts. */
  spare(remainingMs: number): void;
  /** A line on stdout, as it is. Throws OutputLost where it can't be written; a reader that went away is no error. */
  print(text: string): Promise<void>;
  /** A message on stdout, naming the store. Throws as `print` does. */
  answer(message: string): Promise<void>;
  /** A message on stderr, with our name before it and the store's after it. */
  say(message: string): Promise<unknown>;
}

/** How a command deals with its store. */
export interface SessionOptions extends StoreOptions {
  /** True where the command starts work: an error then also says that nothing was started. */
  readonly startsWork?: boolean;
  /** True where it writes what others are to find: a store that ends with this process is refused. Default `startsWork`. */
  readonly isKept?: boolean;
  /** The pool that it works on: what expired claims left there is settled at its end. */
  readonly pool?: string;
  /** The lock that work is to be started under. */
  readonly lock?: string;
  /** How long each duty at the end may take; left out: 1 s. */
  readonly upkeepMs?: number;
  /**
   * Where the file of an embedded store is not there: `make` it, `refuse`, since a mistyped path would look like an
   * empty store for ever, or `tell`, which refuses only a store that somebody has named. Default: `make` where the
   * command starts work, else `refuse`.
   */
  readonly ifMissing?: 'make' | 'refuse' | 'tell';
  /** Patience with a store that can't be reached; default none. */
  readonly storeWait?: StoreWait;
  /** What an error means for the caller. */
  readonly unheard?: Unheard;
}

/**
 * Opens the store, does `work`, and closes it on every path. An error leaves with the store's name
 * in it.
 */
export async function withStore(
  context: CommandContext,
  options: GlobalOptions,
  work: (session: Session) => Promise<number>,
  how: SessionOptions = {},
): Promise<void> {
  const url = storeUrl(options, context.host);
  const name = storeName(url);
  const startsWork = how.startsWork ?? false;
  const { ifMissing = startsWork ? 'make' : 'refuse' } = how;
  if (ifMissing !== 'make' && (await isMissing(context, options, ifMissing))) return;
  const alerts = await CommandAlerts.open(context, options, startsWork);
  let isOpen = false;
  try {
    if ((how.isKept ?? startsWork) && isInMemory(url)) {
      throw new LeaseholdError(
        'INVALID_ARGUMENT',
        'sqlite::memory: ends with this process, so it guards nothing; name a file: sqlite:PATH',
      );
    }
    const open = (): Promise<Leasehold> => context.openStore(url, { ...how, channels: alerts.channels });
    const leasehold = await (how.storeWait === undefined ? open() : how.storeWait.for(open));
    isOpen = true;
    const session = createSession(context, { leasehold, alerts, url, name, isJson: options.json ?? false });
    try {
      const exitCode = await work(session);
      context.finish(exitCode);
      // Whoever was ended by a signal is to end now.
      if (exitCode < SIGNAL_BASE && how.expectSchema !== false) await keepUp(leasehold, options, context.host, how);
    } finally {
      // The work is done or refused; what becomes of its alerts, and that the store would not close, changes nothing about it.
      await session.deliver();
      await sayUndelivered(session, alerts, startsWork);
      await leasehold.close().catch(() => {});
    }
  } catch (error) {
    if (startsWork) await tellStoreError(context, alerts, { store: name, lock: how.lock ?? null }, error);
    throw explain(how.unheard === undefined ? error : unheard(error, how.unheard, isOpen), name, startsWork);
  }
}

/** True where that was said and is all there is to do. Throws STORE_UNREACHABLE where the command is refused for it. */
async function isMissing(context: CommandContext, options: GlobalOptions, how: 'refuse' | 'tell'): Promise<boolean> {
  const { host } = context;
  const missing = missingOf(storeUrl(options, host), context);
  if (missing === null) return false;
  if (how === 'refuse' || namedStoreUrl(options, host) !== null) {
    const message = `store ${missing} is not there; check its name. The first run, acquire or claim makes it`;
    throw new LeaseholdError('STORE_UNREACHABLE', message);
  }
  await host.writeError(
    `leasehold: No store yet: ${oneLine(missing)} is not there; the first run, acquire or claim makes it.\n`,
  );
  context.finish(EXIT.done);
  return true;
}

function missingOf(url: string, { host }: CommandContext): string | null {
  try {
    return missingStore(url, host);
  } catch {
    // Opening it says what is wrong with it.
    return null;
  }
}

/** Where people read it: a start's stderr, by cron's mail. */
async function sayUndelivered(session: Session, { failure }: CommandAlerts, startsWork: boolean): Promise<void> {
  const text = failure === null ? null : failureText(failure);
  if (text !== null && startsWork && !session.isJson) await session.say(text);
}

interface SessionParts {
  readonly leasehold: Leasehold;
  readonly alerts: CommandAlerts;
  readonly url: string;
  readonly name: string | null;
  readonly isJson: boolean;
}

function createSession({ host }: CommandContext, { leasehold, alerts, url, name, isJson }: SessionParts): Session {
  const print = async (text: string): Promise<void> => {
    const errorCode = await host.writeOut(`${text}\n`);
    if (errorCode !== null && errorCode !== 'EPIPE') throw new OutputLost(errorCode);
  };
  return {
    leasehold,
    url,
    isJson,
    deliver: (signal) => alerts.deliver(leasehold, signal),
    spare: (remainingMs) => alerts.spare(remainingMs),
    print,
    answer: (message) => print(namingStore(oneLine(message), name)),
    say: (message) => host.writeError(`leasehold: ${namingStore(oneLine(message), name)}\n`),
  };
}

/** The error with the store's name in it, and that nothing was started where that is so. */
export function explain(error: unknown, name: string | null, startsWork: boolean): unknown {
  if (!isLeaseholdError(error) || error.code === 'INVALID_ARGUMENT') return error;
  const nothing = startsWork && error.code !== 'INTERNAL' && !/nothing was started/i.test(error.message);
  const message = nothing ? `${error.message.replace(/\.$/, '')}; nothing was started` : error.message;
  return new LeaseholdError(error.code, namingStore(message, name), { cause: error });
}

/** The store's name for messages; null where the URL makes no sense, which opening it will say. */
export function storeName(url: string): string | null {
  try {
    return parseStoreUrl(url).name;
  } catch {
    return null;
  }
}
