import { advise, type FinishedRun } from './advise.ts';
import type { LockStatus } from './answers.ts';
import { type Finding, ok, warning } from './doctor.ts';
import { formatDuration } from './duration.ts';
import { forceReleaseCommand, known, shellWord } from './messages.ts';
import { isOnHold, type Run } from './run.ts';

/**
 * What the record says of locks: leases that don't fit their runs, and locks that nobody has looked at. Clock:
 * the store's, given as `nowMs`.
 */

/** One lock with its newest starts. */
export interface LockFacts {
  readonly status: LockStatus;
  /** Newest first. */
  readonly runs: readonly Run[];
  /** When it was paused, by the newest event that says so; null where none does. */
  readonly pausedAt: Date | null;
}

const DAY_MS = 86_400_000;
/** Skips in a row that are no accident any more. */
const SKIPS_MAX = 3;

type Judge = (lock: LockFacts, nowMs: number) => string[];

/** Each check with what it says where no lock has it. */
const CHECKS: readonly [check: string, none: string, judge: Judge][] = [
  ['lease', 'The lease of each fits what its runs took', judgeLease],
  ['stale', 'None is stale', judgeStale],
  ['paused', 'None has been paused for more than a day', judgePaused],
  ['skips', 'None is being skipped over and over', judgeSkips],
  ['renewal', 'None is held without being renewed', judgeRenewal],
];

/** `of` says which locks these are, for example "3 locks". */
export function judgeLocks(locks: readonly LockFacts[], nowMs: number, of: string): Finding[] {
  return CHECKS.flatMap(([check, none, judge]) => {
    const found = locks.flatMap((lock) =>
      judge(lock, nowMs).map((message) => warning(check, `Lock "${lock.status.lock}": ${message}`)),
    );
    return found.length > 0 ? found : [ok(check, `${none} (${of}).`)];
  });
}

/** Runs that were renewed say nothing against their lease: it only has to outlast the gap between two renewals. */
function judgeLease({ status, runs }: LockFacts): string[] {
  const leaseMs = runs.find(hasHeld)?.leaseMs ?? null;
  const { warnings } = advise(runs.flatMap(unrenewedRun), { renewal: 'touch', gapMs: null }, leaseMs);
  return warnings.map((each) => `${each} See: leasehold advise ${shellWord(status.lock)}`);
}

function unrenewedRun(run: Run): FinishedRun[] {
  const { runId, startedAt, endedAt, renewedAt } = run;
  const isRenewed = renewedAt !== null && renewedAt.getTime() > startedAt.getTime();
  if (!hasHeld(run) || isRenewed || endedAt === null || run.status === null) return [];
  return [{ runId, startedAt, endedAt }];
}

function hasHeld({ outcome }: Run): boolean {
  return outcome === 'acquired' || outcome === 'reclaimed';
}

function judgeStale({ status: { lock, state, holder, leaseUntil }, runs }: LockFacts, nowMs: number): string[] {
  if (state !== 'stale') return [];
  const when =
    leaseUntil === null
      ? 'ended at an unknown time'
      : `ended ${formatDuration(Math.max(0, nowMs - leaseUntil.getTime()))} ago`;
  const what = `its lease ${when} without a release (holder ${known(holder)})`;
  if (isOnHold(runs[0] ?? null)) {
    const command = `${forceReleaseCommand(lock)} --now`;
    return [
      `${what}, and its latest start left it to a person (--on-stale hold). When the old run is surely over: ${command}`,
    ];
  }
  return [`${what}. The next start takes it over; if none comes, look at its schedule.`];
}

function judgePaused({ status: { lock, paused }, pausedAt }: LockFacts, nowMs: number): string[] {
  if (!paused) return [];
  if (pausedAt === null)
    return [`it is paused, since when is not recorded. To let starts in: leasehold resume ${shellWord(lock)}`];
  const ageMs = nowMs - pausedAt.getTime();
  if (ageMs <= DAY_MS) return [];
  return [`it has been paused for ${formatDuration(ageMs)}. To let starts in: leasehold resume ${shellWord(lock)}`];
}

function judgeSkips({ status: { lock, skipsInRow, holder, ageMs } }: LockFacts): string[] {
  if (skipsInRow < SKIPS_MAX) return [];
  const long = ageMs === null ? '' : ` for ${formatDuration(ageMs)}`;
  const who = holder === null ? 'a run that has ended since, and none has got through yet' : `holder ${holder}`;
  return [`${skipsInRow} starts in a row were skipped because of ${who}${long}. See: leasehold why ${shellWord(lock)}`];
}

/** A lease is renewed or it ends. One that did neither was extended by a probe, or written by hand. */
function judgeRenewal({ status, runs }: LockFacts): string[] {
  const { lock, state, since, ageMs, holder } = status;
  const run = runs.find((each) => hasHeld(each) && each.endedAt === null) ?? null;
  if (state !== 'held' || since === null || ageMs === null || run === null || run.leaseMs === null) return [];
  const silentMs = since.getTime() + ageMs - (run.renewedAt ?? since).getTime();
  if (silentMs <= run.leaseMs) return [];
  return [
    `holder ${known(holder)} has not renewed it for ${formatDuration(silentMs)}, longer than a lease of ${formatDuration(run.leaseMs)}, and it is still held. See: leasehold events --lock ${shellWord(lock)}`,
  ];
}
