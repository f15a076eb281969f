import type { Command } from 'commander';
import { leaseWarning } from '../../domain/advise.ts';
import { checkName } from '../../domain/limits.ts';
import type { AcquireOptions } from '../../engine/api.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT, exitCodeOfAcquire, SIGNAL_BASE } from '../exit-codes.ts';
import { handOut } from '../hand-out.ts';
import { relaySignals, type SignalRelay } from '../guard/signals.ts';
import { parseHolder, parseLease, parseReason, parseRunId, usageError, withGlobalOptions } from '../options.ts';
import { probeSettings } from '../probe-settings.ts';
import { acquireJson } from '../output/json.ts';
import { type SlotCommandOptions, slotOptions, withSlotOptions } from './schedule-options.ts';
import { withStore, type Session } from '../session.ts';
import { upkeepMsWithin } from '../upkeep.ts';

interface AcquireCommandOptions extends GlobalOptions, SlotCommandOptions {
  readonly lease: number;
  readonly holder?: string;
  readonly runId?: string;
  readonly bypass?: boolean;
  readonly reason?: string;
}

/**
 * `acquire`: asks for a lock from any shell. The token stands alone on stdout and the message on
 * stderr, so that `TOKEN=$(leasehold acquire NAME --lease 10m)` is all a script needs. Nothing
 * renews the lease but `renew`; if the script dies, the lease ends by itself.
 */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('acquire')
    .description('ask for a lock; prints its token')
    .argument('<name>', 'the lock', (text: string) => checkName(text))
    .requiredOption('--lease <duration>', 'how long the lease lasts unless renewed: 1s to 31d', parseLease)
    .option('--holder <id>', 'who holds it; default host:pid of the calling process', parseHolder)
    .option('--run-id <id>', 'makes the call repeatable: the same id and holder get the same token', parseRunId)
    .option('--bypass', 'pass the lock by; needs --reason')
    .option('--reason <text>', 'why the lock is passed by', parseReason);
  withGlobalOptions(withSlotOptions(command)).action(async (name: string, options: AcquireCommandOptions) => {
    const request = await acquireRequest(options, context);
    const relay = relaySignals(context.host);
    await withStore(context, options, (session) => acquire(context, session, name, request, relay), {
      startsWork: true,
      probes: probeSettings(options, context.host),
      lock: name,
      upkeepMs: upkeepMsWithin(options.lease),
    });
  });
}

/** The process that holds is the one that goes on after this call: by default the caller, not ourselves. */
async function acquireRequest(options: AcquireCommandOptions, context: CommandContext): Promise<AcquireOptions> {
  const { host } = context;
  return {
    leaseMs: options.lease,
    holder: options.holder ?? `${host.hostName}:${host.parentPid}`,
    holderInfo: { host: host.hostName, pid: host.parentPid },
    renewal: 'touch',
    ...(options.runId === undefined ? {} : { runId: options.runId }),
    ...(await slotOptions(options, context)),
    ...bypassOption(options),
  };
}

/** `--bypass` and `--reason` come together or not at all. */
export function bypassOption(options: { readonly bypass?: boolean; readonly reason?: string }): {
  bypass?: { reason: string };
} {
  if (options.bypass === true) {
    if (options.reason === undefined) throw usageError('--bypass needs --reason TEXT');
    return { bypass: { reason: options.reason } };
  }
  if (options.reason !== undefined) throw usageError('--reason belongs to --bypass');
  return {};
}

/** The starts that are looked at, and of those that ended with success the newest that count. */
const LOOKED_AT = 200;
const RUNS_COUNTED = 50;

/** Nothing renews this lease by itself, so one below the slowest run is said at once (C29). The lock is held either way. */
async function warnOfLease(session: Session, lock: string, leaseMs: number): Promise<void> {
  const runs = await session.leasehold.runs({ lock, limit: LOOKED_AT }).catch(() => []);
  const successes = runs.flatMap(({ runId, startedAt, endedAt, status }) =>
    status === 'success' && endedAt !== null ? [{ runId, startedAt, endedAt }] : [],
  );
  const warning = leaseWarning(leaseMs, successes.slice(0, RUNS_COUNTED));
  if (warning !== null) await session.say(warning);
}

async function acquire(
  { host }: CommandContext,
  session: Session,
  name: string,
  request: AcquireOptions,
  relay: SignalRelay,
): Promise<number> {
  const start = await session.leasehold.lock(name).acquire(request);
  await host.settleEvents();
  const isGranted = start.outcome === 'acquired' || start.outcome === 'reclaimed';
  if (relay.ended !== null) {
    // The caller gave up while the store was asked: a lock whose token nobody gets must not stay.
    await start.release();
    return SIGNAL_BASE + host.signalNumber(relay.ended);
  }
  if (!session.isJson) await session.say(start.message);
  if (isGranted) {
    session.spare(start.remainingMs);
    const lost = await handOut(host, `${session.isJson ? acquireJson(start) : start.token}\n`);
    if (lost === null) {
      if (!session.isJson) await warnOfLease(session, name, request.leaseMs);
      return EXIT.done;
    }
    // A lock whose token nobody has would stay until its lease ends.
    await start.release();
    await session.say(`lock "${name}" was given back, because its token is lost: stdout ${lost}`);
    return EXIT.outputLost;
  }
  if (session.isJson) await session.print(acquireJson(start));
  return exitCodeOfAcquire(start);
}
