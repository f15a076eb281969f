import type { LeaseholdEvent } from './answers.ts';
import { formatDuration } from './duration.ts';
import { ageMs, type LockState } from './lock-state.ts';
import { known, shellWord } from './messages.ts';

/**
 * What is said in alerts alone. The first two are the words of events, so PostgreSQL writes the same
 * (`_message_skip_streak`, `_message_alerts_dead`), and the conformance suite compares them.
 */

export function skipStreakMessage(lock: LockState, now: number): string {
  const age = ageMs(lock.since, now);
  const end = lock.leaseUntil === null ? 'unknown' : new Date(lock.leaseUntil).toISOString();
  return (
    `Lock "${lock.name}" is stuck behind its previous run: ${lock.skipsInRow} starts in a row were skipped ` +
    `(holder ${known(lock.holder)}, for ${age === null ? 'unknown' : formatDuration(age)}, lease ends ${end}); ` +
    `look at that run, and to release it by force: leasehold force-release ${shellWord(lock.name)} --reason TEXT`
  );
}

/** Of one alert that its channels never confirmed. */
export function alertDeadMessage(
  event: { readonly eventId: number; readonly kind: string; readonly lock: string | null },
  error: string,
): string {
  const of = event.lock === null ? '' : ` of lock "${event.lock}"`;
  return `An alert is dead: event ${event.eventId}, ${event.kind}${of}, could not be delivered for 24h (${error}); mend the channel and try it: leasehold alert test CHANNEL`;
}

/** Of alerts that nobody ever tried to deliver. */
export function alertsDeadMessage(count: number): string {
  return `${count} ${count === 1 ? 'alert is' : 'alerts are'} dead: nobody tried to deliver them for 24h; let something deliver: leasehold work`;
}

/** `reason` is the store's own error, which names the store and what to do. */
export function storeUnreachableMessage(host: string, reason: string): string {
  return `Nothing starts on ${host} until this is mended: ${reason}`;
}

/** What to do about an event, where its own words don't say it yet. */
function adviceFor({ kind, lock, pool = null, data }: Told): string | null {
  const name = lock === null ? 'NAME' : shellWord(lock);
  const ofPool = `--pool ${pool === null ? 'POOL' : shellWord(pool)}`;
  // A string and not EventKind: parts that are to come raise kinds of their own.
  const said: string = kind;
  switch (said) {
    case 'lease.reclaimed':
      return hasPreviousEnded(data)
        ? `look what it left half done: leasehold why ${name}`
        : `look whether the previous run still works and what it left half done: leasehold why ${name}`;
    case 'lease.lost':
      // Its run has ended: a holder says so with its release.
      if (data?.['reason'] === 'given_up') return `see what its run has left half done: leasehold why ${name}`;
      return `see that this run has stopped, and whether its lease is long enough: leasehold advise ${name}`;
    case 'release.refused':
      return `two runs may have overlapped, so check what both have written: leasehold runs ${name}`;
    case 'run.bypassed':
      return 'nothing kept it from working beside another run, so check what it has written';
    case 'lock.force_released':
      return `see that the old run has stopped before you trust the next one: leasehold status ${name}`;
    case 'verdict.refused':
      return `somebody may have worked it beside its owner, so look what happened: leasehold events ${ofPool}`;
    case 'verdict.evidence':
      return `see whether claims of its pool are long enough: leasehold advise ${ofPool}`;
    case 'clock.fault':
      return "check the clocks of this host and of the store's";
    default:
      return null;
  }
}

/** What an event says of itself. */
type Told = Pick<LeaseholdEvent, 'kind' | 'lock' | 'message' | 'data'> & Partial<Pick<LeaseholdEvent, 'pool'>>;

/** True where a probe has proven it, so that nothing of it can still be at work. */
function hasPreviousEnded(data: Told['data']): boolean {
  const previous = data?.['previous'] as { readonly probe?: unknown } | null | undefined;
  return typeof previous?.probe === 'string' && previous.probe.startsWith('ended: ');
}

/** The event's words and what to do about it, as one sentence. */
export function alertText(event: Told): string {
  const advice = adviceFor(event);
  return advice === null ? event.message : `${event.message.replace(/\.$/, '')}; ${advice}.`;
}
