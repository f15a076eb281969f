import { formatDuration } from '../../domain/duration.ts';
import type { AcquireAnswer } from '../../domain/answers.ts';
import type { RunStatus } from '../../domain/run.ts';
import { killGraceMs, safetyMarginMs } from '../../domain/timing.ts';
import type { AcquireOptions, Start } from '../../engine/api.ts';
import type { CommandContext } from '../context.ts';
import { EXIT, SIGNAL_BASE } from '../exit-codes.ts';
import { describeFailure } from '../failure.ts';
import { acquireJson } from '../output/json.ts';
import type { Session } from '../session.ts';
import { storeUrlForChild } from '../store-location.ts';
import type { StoreWait } from '../store-wait.ts';
import { type ChildEnd, startChild } from './child.ts';
import { exitCodeOfChild, notStartedMessage } from './child-end.ts';
import { accompany } from './company.ts';
import { childEnvironment } from './environment.ts';
import type { Holding } from './holding.ts';
import type { GuardLog } from './log.ts';
import { lossBeforeEnd } from './loss-before-end.ts';
import { exitCodeOfRefusal, isSkipSaid } from './refusal.ts';
import { findRepeat } from './repeat.ts';
import { appendReport, reportOfFailure, reportOfRun, type RunEnd } from './report.ts';
import type { SignalRelay } from './signals.ts';
import { stopLost, stopRest } from './stop.ts';
import { tellChild } from './tell-child.ts';

/**
 * One guarded run.
 *
 *   acquire ── refused ─────────────────────────────────► say why, 75 or 76
 *      │  ├─── told to end before the command exists ───► release, 128 + n
 *      │  └─── slept through the lease meanwhile ────────► release, 77
 *      ▼
 *   command runs, the engine renews ── ends ────────────► release, its own code
 *      │                            └─ ends, was told to ► stop what it left, release, its own code
 *      └── lease lost ── stop: TERM, grace, KILL ───────► release, 77
 *                   └─── warn: it goes on, then ends ───► release, its own code
 *
 * Identity: the start's token, kept by the engine. Clock: the engine's trust window says when the
 * lease is lost, a safety margin before it is; the grace between TERM and KILL is half that margin,
 * so that the command is gone before another may start. A wrapper that was itself stopped for
 * longer learns it on waking, and stops the command then.
 *
 * Crash: whatever kills the wrapper leaves a lease that ends by itself. Every path from a granted
 * start leads through the release; a store that can't be reached then is said on stderr and does not
 * change the exit code of the work, which is done.
 */
export interface GuardPlan {
  readonly lock: string;
  readonly command: readonly string[];
  readonly start: AcquireOptions & { readonly runId: string };
  /** True where somebody else may ask for the very same start: its run id was given and not made up here. */
  readonly isRepeatable: boolean;
  readonly onLost: 'stop' | 'warn';
  readonly holding: Holding;
  /** True where output of the command is a sign of life. */
  readonly watchesOutput: boolean;
  /** True where the run id goes before each line of output. */
  readonly tagsOutput: boolean;
  /** Of skips in a row only every nth is said; null for all. */
  readonly quietSkips: number | null;
  /** In place of 75; null for 75. */
  readonly skipExitCode: number | null;
  /** A file that gets one JSON object per run; null for none. */
  readonly report: string | null;
}

/** What a guarded run works with. */
export interface Guard {
  readonly context: CommandContext;
  readonly session: Session;
  readonly plan: GuardPlan;
  readonly relay: SignalRelay;
  readonly log: GuardLog;
  readonly storeWait: StoreWait;
}

/** Returns the exit code. Throws LeaseholdError only while nothing has been started. */
export async function runGuarded(guard: Guard): Promise<number> {
  const { context, session, plan } = guard;
  const end = await runOnce(guard);
  if (plan.report !== null) {
    const report = end.start === null ? null : await reportOfRun(session, end.start, end);
    const message = end.message ?? 'ended by a signal before the lock was granted';
    const unanswered = { lock: plan.lock, runId: plan.start.runId, message };
    await appendReport(plan.report, report ?? reportOfFailure(unanswered, end.exitCode), context.clock, (text) =>
      session.say(text),
    );
  }
  return end.exitCode;
}

async function runOnce(guard: Guard): Promise<RunEnd> {
  const { context, session, plan } = guard;
  const storeUrl = storeUrlForChild(session.url, context.host);
  const start = await acquireUnlessEnded(guard);
  if (start === null) return { start, exitCode: exitCodeOfInterruption(guard), lost: false };
  if (!start.proceed) {
    if (isSkipSaid(start, plan)) await session.say(start.message);
    await printRefusal(session, start);
    return {
      start,
      exitCode: isInterrupted(guard) ? exitCodeOfInterruption(guard) : exitCodeOfRefusal(start, plan),
      lost: false,
    };
  }
  const repeated = await skipOfRepeat(guard, start);
  if (repeated !== null) return repeated;
  plan.holding.begin();
  // From here on a reader of ours that has stalled must not keep us from renewing, nor from stopping.
  context.host.writeAside();
  if (start.outcome !== 'acquired') await session.say(start.message);
  await context.host.settleEvents();
  // No await between these looks and the child: a signal that comes later finds its group.
  const isLate = isTooLate(guard, start);
  if (!isLate && !isInterrupted(guard)) return superviseChild(guard, start, storeUrl);
  if (isLate)
    await session.say(`the lease of lock "${start.lock}" was over before the command could start; nothing was started`);
  await release(session, start, 'failure');
  return { start, exitCode: isLate ? EXIT.lost : exitCodeOfInterruption(guard), lost: isLate };
}

/** Null where the start is this process's own. Its lock is not released: it is another's, who is at work. */
async function skipOfRepeat({ context, session, plan }: Guard, start: Start): Promise<RunEnd | null> {
  if (!plan.isRepeatable) return null;
  const skip = await findRepeat(session, start, context.processIdentity());
  if (skip === null) return null;
  await session.say(skip.message);
  await printRefusal(session, skip);
  return { start: null, exitCode: exitCodeOfRefusal(skip, plan), lost: false, message: skip.message };
}

/** A stdout that can't be written changes nothing about a refusal, whose exit code says it. */
async function printRefusal(session: Session, answer: AcquireAnswer): Promise<void> {
  if (session.isJson) await session.print(acquireJson(answer)).catch(() => {});
}

/** This process may have slept between the answer and now: a command started then would run beside another. */
function isTooLate({ plan }: Guard, start: Start): boolean {
  return start.outcome !== 'bypassed' && start.trustRemainingMs() <= safetyMarginMs(plan.start.leaseMs);
}

/** Null where a signal ended the wait. */
async function acquireUnlessEnded(guard: Guard): Promise<Start | null> {
  const { session, plan, relay, storeWait } = guard;
  try {
    const ask = { ...plan.start, signal: relay.interrupted };
    return await storeWait.for(() => session.leasehold.lock(plan.lock).acquire(ask));
  } catch (error) {
    if (isInterrupted(guard)) return null;
    throw error;
  }
}

function isInterrupted({ relay }: Guard): boolean {
  return relay.ended !== null;
}

function exitCodeOfInterruption({ context, relay }: Guard): number {
  return relay.ended === null ? EXIT.internal : SIGNAL_BASE + context.host.signalNumber(relay.ended);
}

async function superviseChild(guard: Guard, start: Start, storeUrl: string): Promise<RunEnd> {
  const { context, session, plan, relay } = guard;
  const { host } = context;
  const isPiped = plan.tagsOutput || plan.watchesOutput;
  const child = startChild(plan.command, childEnvironment(host.env, start, storeUrl), { isPiped });
  if (child.groupId !== null) relay.attach(child.groupId);
  guard.log.open();
  void tellChild(guard, child, start);
  // A fault of ours must not end the wrapper: its command would go on unguarded.
  host.onFault((error) => void session.say(describeFailure(error).line));

  const company = accompany(guard, child, start);
  const isLost = await lossBeforeEnd(child, start.signal, host);
  const isStopped = isLost && plan.onLost === 'stop';
  // TERM goes out before anything is said: a reader of stderr that has stalled must not hold it up.
  const stopped = isStopped ? stopLost(guard, child) : Promise.resolve();
  if (isLost) await sayLost(guard, start);
  await stopped;
  const end = isStopped ? child.end : await child.ended;
  if (!isStopped) await stopRest(guard, child);
  relay.detach();

  if (end?.kind === 'not_started') await session.say(notStartedText(plan, end.errorCode));
  await release(session, start, isStopped ? 'failure' : statusOf(end));
  await company.end();
  const exitCode = isStopped || end === null ? EXIT.lost : exitCodeOfChild(end, host);
  return { start, exitCode, lost: isLost };
}

async function sayLost({ session, plan }: Guard, start: Start): Promise<void> {
  const reason: unknown = start.signal.reason;
  const message = reason instanceof Error ? withoutOrder(reason.message) : `Lost lock "${plan.lock}"`;
  const grace = formatDuration(killGraceMs(plan.start.leaseMs));
  const next =
    plan.onLost === 'stop'
      ? `stopping the command (TERM now, KILL after ${grace})`
      : 'the command goes on without it (--on-lost warn)';
  await session.say(`${message}; ${next}`);
}

/** The engine tells whoever reads it to stop; here it is the wrapper that sees to that, and says so. */
function withoutOrder(message: string): string {
  return message
    .replace(/\.$/, '')
    .replace(/; stop$/, '')
    .replace('; stop, another', '; another');
}

function statusOf(end: ChildEnd | null): RunStatus {
  return end?.kind === 'exited' && end.code === 0 ? 'success' : 'failure';
}

function notStartedText({ command }: GuardPlan, errorCode: string): string {
  return notStartedMessage(command[0] ?? '', command.length - 1, errorCode);
}

/** Says what a release answers unless it is the plain one; never throws. */
async function release(session: Session, start: Start, status: RunStatus): Promise<void> {
  try {
    const answer = await start.release({ status });
    if (answer.outcome !== 'released' && start.outcome !== 'bypassed') await session.say(answer.message);
  } catch (error) {
    const { line } = describeFailure(error);
    await session.say(`could not release lock "${start.lock}": ${line}`);
  }
}
