import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { formatDuration, parseDuration } from '../../domain/duration.ts';
import {
  ATTEMPTS_MAX,
  CALL_TIMEOUT_MS_MAX,
  checkPoolSettings,
  checkVerifier,
  REDO_WINDOW_MS_MAX,
} from '../../domain/records/pool-settings.ts';
import type { PoolStatus, Redo } from '../../domain/records/record.ts';
import type { PoolChange } from '../../engine/records/api.ts';
import { LeaseholdError } from '../../errors.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseChoice, parseLease, parseReason, parseWhole, usageError, withGlobalOptions } from '../options.ts';
import { type Session, withStore } from '../session.ts';
import { absolutePath } from '../store-location.ts';
import { poolChangeJson, poolJson } from './json.ts';
import { changedText, poolTables } from './pool-text.ts';
import { parseClaimLimit, withPool } from './record-options.ts';

interface PoolCommandOptions extends GlobalOptions {
  readonly redo?: Redo;
  readonly redoWindow?: number | typeof NONE;
  readonly attempts?: number;
  readonly lease?: number;
  readonly limit?: number;
  readonly callTimeout?: number;
  readonly verifier?: string;
  readonly reason?: string;
}

/** `pool`: shows a pool, or changes what it is set to, which is an event. */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(program.command('pool').description('what a pool is set to and holds; or change it'))
    .option(
      '--redo <what>',
      'ask or safe: what to do with begun work of unknown outcome',
      parseChoice('redo', ['ask', 'safe']),
    )
    .option(
      '--redo-window <duration>',
      'with safe: harmless so long after the first begin; none: for ever',
      parseWindow,
    )
    .option('--attempts <n>', 'begins that a record gets, 1 to 100', parseWhole('attempts', 1, ATTEMPTS_MAX))
    .option('--lease <duration>', 'how long a claim lasts that names no other', parseLease)
    .option('--limit <n>', 'how many records a claim gets that names no other, 1 to 10000', parseClaimLimit)
    .option('--call-timeout <duration>', 'how long one call to the provider may take, 0s to 1h', parseCallTimeout)
    .option('--verifier <file>', 'what can ask the provider: a JSON object with a kind; none: nobody')
    .option('--reason <text>', 'why; stored with the event', parseReason);
  withGlobalOptions(command).action(async (pool: string, options: PoolCommandOptions) => {
    const change = changeOf(options, context.host);
    if (Object.keys(change).length > 0) {
      await withStore(context, options, (session) => configure(session, pool, change), {
        pool,
        ifMissing: 'make',
        isKept: true,
      });
      return;
    }
    if (options.reason !== undefined) throw usageError('--reason belongs to a change of the pool');
    await withStore(context, options, (session) => show(session, pool), { pool, ifMissing: 'tell' });
  });
}

const NONE = 'none';
const parseWindow = (text: string): number | typeof NONE =>
  text === NONE ? NONE : parseBounded(text, 'redo-window', 1, REDO_WINDOW_MS_MAX);
const parseCallTimeout = (text: string): number => parseBounded(text, 'call-timeout', 0, CALL_TIMEOUT_MS_MAX);

function parseBounded(text: string, label: string, min: number, max: number): number {
  const ms = parseDuration(text, label);
  if (ms >= min && ms <= max) return ms;
  throw usageError(`${label}: "${text}" must lie between ${formatDuration(min)} and ${formatDuration(max)}`);
}

/** Only what is named changes. Throws INVALID_ARGUMENT before a store is opened. */
function changeOf(options: PoolCommandOptions, host: CommandHost): PoolChange {
  const { redo, redoWindow, attempts, lease, limit, callTimeout, verifier, reason } = options;
  const settings = {
    ...(redo === undefined ? {} : { redo }),
    ...(redoWindow === undefined ? {} : { redoWindowMs: redoWindow === NONE ? null : redoWindow }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(lease === undefined ? {} : { leaseMs: lease }),
    ...(limit === undefined ? {} : { limit }),
    ...(callTimeout === undefined ? {} : { callTimeoutMs: callTimeout }),
    ...(verifier === undefined ? {} : { verifier: verifier === NONE ? null : readVerifier(verifier, host) }),
  };
  checkPoolSettings(settings);
  if (redo === 'ask' && typeof redoWindow === 'number') throw usageError('--redo-window belongs to --redo safe');
  return reason === undefined || Object.keys(settings).length === 0 ? settings : { ...settings, reason };
}

function readVerifier(file: string, host: CommandHost): string {
  try {
    return checkVerifier(
      readFileSync(absolutePath(file, host), 'utf8')
        .replace(/^\uFEFF/, '')
        .trim(),
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = error instanceof LeaseholdError ? message : `can't be read (${code ?? 'unknown error'})`;
    throw new LeaseholdError('INVALID_ARGUMENT', `verifier ${file}: ${what}`, { cause: error });
  }
}

async function configure(session: Session, pool: string, change: PoolChange): Promise<number> {
  const known = await session.leasehold.pool(pool).status();
  const answered = await session.leasehold.pool(pool).configure(change);
  const answer = { ...answered, message: changedText(answered, { isNew: known === null, change }) };
  if (session.isJson) await session.print(poolChangeJson(answer));
  else await session.answer(answer.message);
  return EXIT.done;
}

async function show(session: Session, pool: string): Promise<number> {
  const status: PoolStatus | null = await session.leasehold.pool(pool).status();
  if (status === null) {
    if (!session.isJson) await session.say(`Pool "${pool}" is not known: nothing has been enqueued or claimed.`);
  } else if (session.isJson) await session.print(poolJson(status));
  else await session.print(poolTables([status]).join('\n\n'));
  return EXIT.done;
}
