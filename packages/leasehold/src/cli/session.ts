import { parseStoreUrl } from '../domain/store-url.ts';
import type { Leasehold } from '../engine/api.ts';
import { isLeaseholdError, LeaseholdError } from '../errors.ts';
import type { CommandContext, GlobalOptions, StoreOptions } from './context.ts';
import { SIGNAL_BASE } from './exit-codes.ts';
import { namingStore, oneLine, OutputLost } from './failure.ts';
import { isInMemory, storeUrl } from './store-location.ts';
import type { StoreWait } from './store-wait.ts';
import { keepUp } from './upkeep.ts';

/** One command's dealings with one store, and with the two streams. */
export interface Session {
  readonly leasehold: Leasehold;
  /** The store's URL as given; may hold credentials, so it is for the child and never for a message. */
  readonly url: string;
  readonly isJson: boolean;
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
  /** How long each duty at the end may take; left out: 1 s. */
  readonly upkeepMs?: number;
  /** Patience with a store that can't be reached; default none. */
  readonly storeWait?: StoreWait;
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
  try {
    if (how.startsWork === true && isInMemory(url)) {
      throw new LeaseholdError(
        'INVALID_ARGUMENT',
        'sqlite::memory: ends with this process, so it guards nothing; name a file: sqlite:PATH',
      );
    }
    const open = (): Promise<Leasehold> => context.openStore(url, how);
    const leasehold = await (how.storeWait === undefined ? open() : how.storeWait.for(open));
    try {
      const exitCode = await work(createSession(context, leasehold, url, name, options.json ?? false));
      context.finish(exitCode);
      // Whoever was ended by a signal is to end now.
      if (exitCode < SIGNAL_BASE && how.expectSchema !== false)
        await keepUp(leasehold, options, context.host, how.upkeepMs);
    } finally {
      // The work is done or refused; that the store would not close changes nothing about it.
      await leasehold.close().catch(() => {});
    }
  } catch (error) {
    throw explain(error, name, how.startsWork ?? false);
  }
}

function createSession(
  context: CommandContext,
  leasehold: Leasehold,
  url: string,
  name: string | null,
  isJson: boolean,
): Session {
  const { host } = context;
  const print = async (text: string): Promise<void> => {
    const errorCode = await host.writeOut(`${text}\n`);
    if (errorCode !== null && errorCode !== 'EPIPE') throw new OutputLost(errorCode);
  };
  return {
    leasehold,
    url,
    isJson,
    print,
    answer: (message) => print(namingStore(oneLine(message), name)),
    say: (message) => host.writeError(`leasehold: ${namingStore(oneLine(message), name)}\n`),
  };
}

function explain(error: unknown, name: string | null, startsWork: boolean): unknown {
  if (!isLeaseholdError(error) || error.code === 'INVALID_ARGUMENT') return error;
  const nothing = startsWork && error.code !== 'INTERNAL' && !/nothing was started/i.test(error.message);
  const message = nothing ? `${error.message.replace(/\.$/, '')}; nothing was started` : error.message;
  return new LeaseholdError(error.code, namingStore(message, name), { cause: error });
}

/** The store's name for messages; null where the URL makes no sense, which opening it will say. */
function storeName(url: string): string | null {
  try {
    return parseStoreUrl(url).name;
  } catch {
    return null;
  }
}
