import type { Command, Option } from 'commander';
import { checkName } from '../../domain/limits.ts';
import type { AcquireOptions } from '../../engine/api.ts';
import type { HolderInfo } from '../../domain/lock-state.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { refuseSuspension, relaySignals } from '../guard/signals.ts';
import { runGuarded } from '../guard/guard.ts';
import { createGuardLog } from '../guard/log.ts';
import {
  parseChoice,
  parseHolder,
  parseLease,
  parseReason,
  parseRunId,
  parseSlot,
  parseTrigger,
  parseWait,
  usageError,
  withGlobalOptions,
} from '../options.ts';
import { withStore } from '../session.ts';
import { bypassOption } from './acquire.ts';

interface RunCommandOptions extends GlobalOptions {
  readonly lease: number;
  readonly onBusy: 'skip' | 'wait';
  readonly wait?: number;
  readonly onLost: 'stop' | 'warn';
  readonly onStale: 'reclaim' | 'hold';
  readonly holder?: string;
  readonly bypass?: boolean;
  readonly reason?: string;
  readonly again?: boolean;
  readonly runId?: string;
  readonly slot?: Date;
  readonly trigger?: string;
}

/** `run`'s lease unless given; with a heartbeat it only says how long a crash blocks the next start. */
const LEASE_MS_DEFAULT = 300_000;
/** `--wait` unless given. */
const WAIT_MS_DEFAULT = 300_000;

function leaseOption(program: Command): Option {
  return program
    .createOption('--lease <duration>', 'renewed while the command runs: 1s to 31d')
    .argParser(parseLease)
    .default(LEASE_MS_DEFAULT, '5m');
}

/** `run`: guards a command. See `guard/guard.ts` for what happens on each path. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .description('guard a command: it never runs twice at a time')
    .usage('NAME [options] -- CMD [ARG…]')
    // Said in our words: who forgets the -- is to be told of it.
    .allowExcessArguments()
    .argument('<name>', 'the lock', (text: string) => checkName(text))
    .addOption(leaseOption(program))
    .option(
      '--on-busy <what>',
      'while another run holds the lock: skip or wait',
      parseChoice('on-busy', ['skip', 'wait']),
      'skip',
    )
    .option('--wait <duration>', 'with --on-busy wait: at most so long; default 5m', parseWait)
    .option(
      '--on-lost <what>',
      'when the lease is lost: stop the command or warn',
      parseChoice('on-lost', ['stop', 'warn']),
      'stop',
    )
    .option(
      '--on-stale <what>',
      'a lease that ended without release: reclaim, or hold for a person',
      parseChoice('on-stale', ['reclaim', 'hold']),
      'reclaim',
    )
    .option('--holder <id>', 'who holds it; default host:pid', parseHolder)
    .option('--run-id <id>', 'makes the start repeatable; default a random one', parseRunId)
    .option('--slot <iso>', 'the instant this start was scheduled for, with its zone', parseSlot)
    .option('--trigger <kind>', 'what started it: schedule, manual, webhook …', parseTrigger)
    .option('--again', 'a manual rerun of a slot that is done')
    .option('--bypass', 'run without the lock; needs --reason')
    .option('--reason <text>', 'why the lock is passed by', parseReason);
  withGlobalOptions(command).action(async (lock: string, options: RunCommandOptions) => {
    const guarded = commandToGuard(context, command.args.slice(1));
    const start = startOptions(options, context.processIdentity());
    const tell = (message: string): void => void context.host.writeError(`leasehold: ${message}\n`);
    const relay = relaySignals(context.host);
    refuseSuspension(context.host, tell);
    const log = createGuardLog(tell);
    const plan = { lock, command: guarded, start, onLost: options.onLost };
    await withStore(context, options, (session) => runGuarded({ context, session, plan, relay, log }), {
      startsWork: true,
      logger: log,
    });
  });
}

function commandToGuard({ guarded }: CommandContext, strayWords: readonly string[]): readonly string[] {
  if (guarded === null || guarded.length === 0) {
    throw usageError('run needs a command after --, for example: leasehold run nightly -- ./job.sh');
  }
  const [stray] = strayWords;
  if (stray !== undefined) throw usageError(`"${stray}" is one word too many before --`);
  return guarded;
}

function startOptions(options: RunCommandOptions, holderInfo: HolderInfo): AcquireOptions {
  if (options.wait !== undefined && options.onBusy !== 'wait') throw usageError('--wait belongs to --on-busy wait');
  return {
    leaseMs: options.lease,
    holderInfo,
    onStale: options.onStale,
    onBusy: options.onBusy === 'wait' ? { waitMs: options.wait ?? WAIT_MS_DEFAULT } : 'skip',
    ...(options.holder === undefined ? {} : { holder: options.holder }),
    ...(options.runId === undefined ? {} : { runId: options.runId }),
    ...(options.slot === undefined ? {} : { slotAt: options.slot }),
    ...(options.trigger === undefined ? {} : { trigger: options.trigger }),
    ...(options.again === true ? { again: true } : {}),
    ...bypassOption(options),
  };
}
