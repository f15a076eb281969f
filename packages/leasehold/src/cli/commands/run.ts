import type { Command } from 'commander';
import type { HolderInfo } from '../../domain/lock-state.ts';
import { checkName } from '../../domain/limits.ts';
import type { CommandContext } from '../context.ts';
import { SIGNAL_BASE } from '../exit-codes.ts';
import { describeFailure } from '../failure.ts';
import { type GuardPlan, runGuarded } from '../guard/guard.ts';
import { Holding } from '../guard/holding.ts';
import { createGuardLog } from '../guard/log.ts';
import { appendReport, reportOfFailure } from '../guard/report.ts';
import { refuseSuspension, relaySignals } from '../guard/signals.ts';
import { usageError, withGlobalOptions } from '../options.ts';
import { probeSettings } from '../probe-settings.ts';
import { withStore } from '../session.ts';
import { StoreWait } from '../store-wait.ts';
import { type RunCommandOptions, startOptions, withGuardOptions, withStartOptions } from './run-options.ts';

/** `run`: guards a command. See `guard/guard.ts` for what happens on each path. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .description('guard a command: it never runs twice at a time')
    .usage('NAME [options] -- CMD [ARG…]')
    // Said in our words: who forgets the -- is to be told of it.
    .allowExcessArguments()
    .argument('<name>', 'the lock', (text: string) => checkName(text));
  withGlobalOptions(withGuardOptions(withStartOptions(command))).action(
    async (lock: string, options: RunCommandOptions) => {
      const guarded = commandToGuard(context, command.args.slice(1));
      const plan = await planOf(context, lock, guarded, options);
      await guardCommand(context, options, plan);
    },
  );
}

function commandToGuard({ guarded }: CommandContext, strayWords: readonly string[]): readonly string[] {
  if (guarded === null || guarded.length === 0) {
    throw usageError('run needs a command after --, for example: leasehold run nightly -- ./job.sh');
  }
  if (guarded[0] === '') throw usageError('the command after -- is an empty word; look at the variable it came from');
  const [stray] = strayWords;
  if (stray !== undefined) throw usageError(`"${stray}" is one word too many before --`);
  return guarded;
}

async function planOf(
  context: CommandContext,
  lock: string,
  command: readonly string[],
  options: RunCommandOptions,
): Promise<GuardPlan> {
  const { maxHold, stall, report, quietSkips, skipExitCode, tagOutput } = options;
  const holding = new Holding(context.clock, { maxHoldMs: maxHold ?? null, stallMs: stall ?? null });
  const start = await startOptions(options, context, holderInfoOf(context, options));
  const isLimited = maxHold !== undefined || stall !== undefined;
  return {
    lock,
    command,
    start: { ...start, ...(isLimited ? { withholdRenewal: () => holding.withhold() } : {}) },
    isRepeatable: options.runId !== undefined,
    onLost: options.onLost,
    holding,
    watchesOutput: stall !== undefined,
    tagsOutput: tagOutput ?? false,
    quietSkips: quietSkips ?? null,
    skipExitCode: skipExitCode ?? null,
    report: report ?? null,
  };
}

/**
 * This process, so that a probe can ask after it. No child is named yet: if we are killed before that, there
 * may be one all the same. A command that goes on without its lease must not have it extended.
 */
function holderInfoOf(context: CommandContext, { onLost }: RunCommandOptions): HolderInfo {
  const info = { ...context.processIdentity(), probe: 'process' };
  return onLost === 'warn' ? { ...info, extendable: false } : info;
}

async function guardCommand(context: CommandContext, options: RunCommandOptions, plan: GuardPlan): Promise<void> {
  const { host, clock } = context;
  const tell = (message: string): Promise<unknown> => host.writeError(`leasehold: ${message}\n`);
  const relay = relaySignals(host);
  refuseSuspension(host, (message) => void tell(message));
  const log = createGuardLog((message) => void tell(message));
  const { interrupted } = relay;
  const storeWait = new StoreWait({ waitMs: options.storeWait ?? 0, clock, say: tell, interrupted });
  try {
    await withStore(context, options, (session) => runGuarded({ context, session, plan, relay, log, storeWait }), {
      startsWork: true,
      probes: probeSettings(options, host),
      lock: plan.lock,
      logger: log,
      storeWait,
    });
  } catch (error) {
    // Nothing has been started. A signal that ended the wait for the store ends us as it would have.
    const { line, exitCode: code } = describeFailure(error);
    const exitCode = relay.ended === null ? code : SIGNAL_BASE + host.signalNumber(relay.ended);
    const { runId } = plan.start;
    if (plan.report !== null) {
      const failure = reportOfFailure({ lock: plan.lock, runId, message: line }, exitCode);
      await appendReport(plan.report, failure, clock, tell);
    }
    if (relay.ended === null) throw error;
    context.finish(exitCode);
  }
}
