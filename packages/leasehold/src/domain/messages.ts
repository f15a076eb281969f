import { formatDuration } from './duration.ts';
import type { ForceReleaseOutcome, LossReason, ReleaseOutcome } from './give-back.ts';
import { ageMs, isGivenBack, type LockState } from './lock-state.ts';
import type { PreviousLease, SkipReason } from './run.ts';

/**
 * The sentences that people read in logs, mails and tables. The SQL functions of the PostgreSQL
 * store write the same words (`_message_*`), and the conformance suite compares them, so that a
 * search for one finds it everywhere. No token ever stands in one.
 */

const iso = (instant: number | Date): string => new Date(instant).toISOString();
/** A holder or a run for people; empty in a row that was written by hand. */
export const known = (id: string | null): string => (id === null || id === '' ? 'unknown' : id);
const knownAge = (age: number | null): string => (age === null ? 'unknown' : formatDuration(age));

export function acquiredMessage(lock: string, fence: number, leaseMs: number, leaseUntil: number): string {
  return `Acquired lock "${lock}" for ${formatDuration(leaseMs)}, until ${iso(leaseUntil)} (fence ${fence}).`;
}

export function replayMessage(lock: string, runId: string, leaseUntil: number): string {
  return `Run ${runId} holds lock "${lock}" already, until ${iso(leaseUntil)}: the same start asked again.`;
}

/** `forced` is true after a force-release, `releasedItself` where the holder gave the lock back all the same. */
export function reclaimedMessage(
  lock: string,
  previous: PreviousLease,
  how: { forced: boolean; releasedItself: boolean },
): string {
  const subject = how.forced ? `lease of lock "${lock}" after a force-release` : `stale lease of lock "${lock}"`;
  const renewed = previous.renewedAt === null ? 'never renewed' : `last renewed ${iso(previous.renewedAt)}`;
  const hasEnded = previous.probe?.startsWith('ended: ') === true;
  const unreleased = hasEnded
    ? 'the previous run has ended without releasing it'
    : 'the previous run may still be running';
  const end = how.releasedItself ? 'the previous run has released it itself' : unreleased;
  return (
    `Reclaimed ${subject}: previous holder ${known(previous.holder)}, lease age ${knownAge(previous.ageMs)}, ` +
    `${renewed}, probe ${previous.probe ?? 'none'}; ${end}.`
  );
}

/** `detail` is what the probe said of the holder. */
export function extendedMessage(lock: LockState, detail: string, leaseUntil: number): string {
  return (
    `Extended the lease of lock "${lock.name}" until ${iso(leaseUntil)}: ` +
    `holder ${known(lock.holder)} has not renewed it in time, and is alive (${detail}).`
  );
}

export function skippedMessage(lock: LockState, reason: SkipReason, runId: string, now: number): string {
  const name = `"${lock.name}"`;
  const holder = known(lock.holder);
  const force = forceReleaseCommand(lock.name);
  const end = lock.leaseUntil === null ? 'unknown' : iso(lock.leaseUntil);
  const age = knownAge(ageMs(lock.since, now));
  switch (reason) {
    case 'held':
      return (
        `Skipped lock ${name}: previous run still running (holder ${holder}, for ${age}, lease ends ${end}, ` +
        `skip ${lock.skipsInRow} in a row); to release it by force: ${force}`
      );
    case 'hold':
      return `Skipped lock ${name}: its lease is stale (holder ${holder}, age ${age}) and waits for a person; when the old run is surely over: ${force} --now`;
    case 'draining':
      return `Skipped lock ${name}: it was force-released and waits for holder ${holder} to stop, at the latest until ${iso(earlierOf(lock.drainUntil, lock.leaseUntil) ?? now)}.`;
    case 'cooling':
      return `Skipped lock ${name}: its last run asked for a pause after it; it is free from ${iso(lock.freeAt ?? now)}; to free it by force: ${force}`;
    case 'paused':
      return `Skipped lock ${name}: it is paused; to go on: leasehold resume ${shellWord(lock.name)}`;
    case 'contended':
      return `Skipped lock ${name}: another transaction kept its row locked for too long; nothing was started.`;
    case 'run_ended':
      return `Skipped lock ${name}: run ${runId} had it and its lease is over; a new start needs a new run id.`;
  }
}

/** `earlier` is the run that has done the slot. */
export function alreadyRanMessage(
  lock: string,
  slotAt: number,
  earlier: { runId: string | null; holder: string | null; endedAt: number | null },
): string {
  const end = earlier.endedAt === null ? 'unknown' : iso(earlier.endedAt);
  return (
    `Already ran: slot ${iso(slotAt)} of lock "${lock}" was done by run ${known(earlier.runId)} ` +
    `of holder ${known(earlier.holder)}, which ended ${end}; a manual rerun says again.`
  );
}

/** `reason`: for the event alone; who gave it knows it. The command stays at the end, to be copied. */
export function pausedMessage(name: string, wasPaused: boolean, reason: string | null = null): string {
  if (wasPaused) return `Lock "${name}" was paused already; its new starts are skipped.`;
  const why = reason === null ? '' : `; reason: ${reason}`;
  return `Paused lock "${name}": new starts are skipped, a run under way goes on${why}; to go on: leasehold resume ${shellWord(name)}`;
}

export function resumedMessage(name: string, wasPaused: boolean): string {
  return wasPaused ? `Resumed lock "${name}": starts are let in again.` : `Lock "${name}" was not paused.`;
}

export function bypassedMessage(lock: string, reason: string): string {
  return `Bypassed lock "${lock}" (${reason}): this run holds nothing; claims still protect its records.`;
}

export function renewedMessage(lock: string, leaseUntil: number): string {
  return `Renewed lock "${lock}" until ${iso(leaseUntil)}.`;
}

export function lostMessage(name: string, reason: LossReason, lock: LockState | null, now: number): string {
  switch (reason) {
    case 'expired':
      return `Lost lock "${name}": its lease ended ${formatDuration(now - (lock?.leaseUntil ?? now))} ago; stop, another run may start at any moment.`;
    case 'taken_over':
      return `Lost lock "${name}": run ${known(lock?.runId ?? null)} of holder ${known(lock?.holder ?? null)} took it over; stop.`;
    case 'force_released':
      return `Lost lock "${name}": it was force-released; stop.`;
    case 'released':
      return `Lost lock "${name}": this run has released it already.`;
    case 'unknown_token':
      return `Lost lock "${name}": no run of it has this token; stop, and check its name and the token.`;
  }
}

/** `words`: why its holder had given the lease up before it released the lock. */
export function givenUpMessage(name: string, words: string): string {
  return `Lost lock "${name}": ${words}.`;
}

export function releaseMessage(name: string, outcome: ReleaseOutcome, lock: LockState | null, now: number): string {
  switch (outcome) {
    case 'released':
      return `Released lock "${name}".`;
    case 'expired':
      return `Released lock "${name}" ${formatDuration(now - (lock?.leaseUntil ?? now))} after its lease had ended; nobody had taken it.`;
    case 'already_free':
      return `Lock "${name}" was free already.`;
    case 'not_holder':
      if (lock === null) return `Not released: lock "${name}" is not known to this store; check its name.`;
      return `Not released: this token does not hold lock "${name}"; its latest run is ${known(lock.runId)} of holder ${known(lock.holder)}.`;
  }
}

export function forceReleaseMessage(
  name: string,
  outcome: ForceReleaseOutcome,
  lock: LockState | null,
  drainUntil: number | null,
): string {
  switch (outcome) {
    case 'draining':
      return `Force-released lock "${name}": holder ${known(lock?.holder ?? null)} is told at its next renewal; the lock is free at the latest at ${iso(drainUntil ?? 0)}.`;
    case 'released':
      return lock !== null && isGivenBack(lock, drainUntil ?? 0)
        ? `Force-released lock "${name}": the pause after its run ${known(lock.runId)} is over, it is free now.`
        : `Force-released lock "${name}": it is free now; its run ${known(lock?.runId ?? null)} may still be running.`;
    case 'already_free':
      return lock === null
        ? `Nothing to release: lock "${name}" is not known to this store; check its name.`
        : `Nothing to release: lock "${name}" is free.`;
  }
}

/** What a force-release answers, with the reason that was given for it: for its event, and so for alerts. */
export function withReason(message: string, reason: string): string {
  return `${message.replace(/\.$/, '')}; reason: ${reason}`;
}

/** The command that takes a lock from its holder, to be copied. */
export function forceReleaseCommand(name: string): string {
  return `leasehold force-release ${shellWord(name)} --reason TEXT`;
}

/** A name as one word of a POSIX shell, quoted only where it must be. */
export function shellWord(name: string): string {
  return /^[A-Za-z0-9_.:/@%+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

function earlierOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
