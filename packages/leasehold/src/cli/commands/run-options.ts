import type { Command } from 'commander';
import type { HolderInfo } from '../../domain/lock-state.ts';
import type { AcquireOptions } from '../../engine/api.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { drainGraceMs } from '../guard/stop.ts';
import {
  parseChoice,
  parseHolder,
  parseLease,
  parseMaxHold,
  parseReason,
  parseRunId,
  parseStall,
  parseStoreWait,
  parseTrigger,
  parseWait,
  parseWhole,
  usageError,
} from '../options.ts';
import { bypassOption } from './acquire.ts';
import { type SlotCommandOptions, slotOptions, withSlotOptions } from './schedule-options.ts';

/** What `run` takes. */
export interface RunCommandOptions extends GlobalOptions, SlotCommandOptions {
  readonly lease: number;
  readonly onBusy: 'skip' | 'wait';
  readonly wait?: number;
  readonly onLost: 'stop' | 'warn';
  readonly onStale: 'reclaim' | 'hold';
  readonly holder?: string;
  readonly bypass?: boolean;
  readonly reason?: string;
  readonly runId?: string;
  readonly trigger?: string;
  readonly maxHold?: number;
  readonly stall?: number;
  readonly storeWait?: number;
  readonly quietSkips?: number;
  readonly skipExitCode?: number;
  readonly report?: string;
  readonly tagOutput?: boolean;
}

/** `run`'s lease unless given; with a heartbeat it only says how long a crash blocks the next start. */
const LEASE_MS_DEFAULT = 300_000;
/** `--wait` unless given. */
const WAIT_MS_DEFAULT = 300_000;
const QUIET_SKIPS_MAX = 1_000_000;

/** Adds the options that say how the lock is asked for. */
export function withStartOptions(command: Command): Command {
  const lease = command
    .createOption('--lease <duration>', 'renewed while the command runs: 1s to 31d')
    .argParser(parseLease)
    .default(LEASE_MS_DEFAULT, '5m');
  const onBusy = parseChoice('on-busy', ['skip', 'wait']);
  const onStale = parseChoice('on-stale', ['reclaim', 'hold']);
  command
    .addOption(lease)
    .option('--on-busy <what>', 'while another run holds the lock: skip or wait', onBusy, 'skip')
    .option('--wait <duration>', 'with --on-busy wait: at most so long; default 5m', parseWait)
    .option(
      '--on-stale <what>',
      'a lease that ended without release: reclaim, or hold for a person',
      onStale,
      'reclaim',
    )
    .option(
      '--store-wait <duration>',
      'wait so long for a store that can not be reached; default not at all',
      parseStoreWait,
    )
    .option('--holder <id>', 'who holds it; default host:pid', parseHolder)
    .option('--run-id <id>', 'makes the start repeatable; default a random one', parseRunId)
    .option('--trigger <kind>', 'what started it: schedule, manual, webhook …', parseTrigger);
  return withSlotOptions(command)
    .option('--bypass', 'run without the lock; needs --reason')
    .option('--reason <text>', 'why the lock is passed by', parseReason);
}

/** Adds the options that say how the command is guarded, and what is said of it. */
export function withGuardOptions(command: Command): Command {
  const onLost = parseChoice('on-lost', ['stop', 'warn']);
  const quiet = parseWhole('quiet-skips', 1, QUIET_SKIPS_MAX);
  return command
    .option('--on-lost <what>', 'when the lease is lost: stop the command or warn', onLost, 'stop')
    .option(
      '--max-hold <duration>',
      'renew no longer than this, 1s or longer; then the lease runs out and is lost; default no limit',
      parseMaxHold,
    )
    .option(
      '--stall <duration>',
      'renew no longer than this, 1s or longer, without output or progress of the command; default no limit',
      parseStall,
    )
    .option('--quiet-skips <n>', 'of skips in a row while a run is at work, say only every nth; default each', quiet)
    .option(
      '--skip-exit-code <n>',
      'exit code of a skip in place of 75: 0 to 255',
      parseWhole('skip-exit-code', 0, 255),
    )
    .option('--report <file>', 'append one JSON object per run to it')
    .option('--tag-output', "put the run id before every line of the command's output");
}

/** What the store is asked. Throws INVALID_ARGUMENT for options that don't go together. */
export async function startOptions(
  options: RunCommandOptions,
  context: CommandContext,
  holderInfo: HolderInfo,
): Promise<AcquireOptions & { readonly runId: string }> {
  if (options.wait !== undefined && options.onBusy !== 'wait') throw usageError('--wait belongs to --on-busy wait');
  return {
    leaseMs: options.lease,
    graceMs: drainGraceMs(options.lease),
    holderInfo,
    onStale: options.onStale,
    onBusy: options.onBusy === 'wait' ? { waitMs: options.wait ?? WAIT_MS_DEFAULT } : 'skip',
    // Chosen here, so that asking once more after an outage is the same start.
    runId: options.runId ?? context.ids.newId(),
    ...(options.holder === undefined ? {} : { holder: options.holder }),
    ...(options.trigger === undefined ? {} : { trigger: options.trigger }),
    ...(await slotOptions(options, context)),
    ...bypassOption(options),
  };
}
