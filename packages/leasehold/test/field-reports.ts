/**
 * The field reports that tests answer: what went wrong with somebody's schedule or lock. A test that shows
 * how it goes here bears the number in its name, `(C16)`; `tidy` sees to it that each number has one and
 * that no test bears a number that is not listed. Numbers that are missing belong to no report of the lock.
 */
export const FIELD_REPORTS: Readonly<Record<string, string>> = {
  C01: 'a job outlives its interval, and the next tick starts on top of it',
  C02: 'a job runs once and never again: its guard is not cleared when it throws',
  C03: 'a job starts work that nobody awaits, and is taken for done at once',
  C04: 'a guard inside one process knows nothing of a second one',
  C05: 'the next run is created when the current one starts, and two workers take both',
  C06: 'each restart registers the schedule once more, and a slot has ever more starts',
  C07: 'a nightly task is reachable by web and by cron, both at 01:00',
  C08: 'a cloud timer delivers one event twice',
  C09: 'one slot never fires, and the next fires twice in a second',
  C10: 'ticks queue behind a long run, then run back to back',
  C11: 'after a crash every later run is skipped without a word, until a person deletes something',
  C12: 'one hung run holds a default lock of a day',
  C13: 'locks are left behind and nobody notices that nothing runs',
  C14: 'an hour’s lock after a job of a second: every minute’s run is skipped',
  C16: 'each contender’s attempt clears the holder’s expiry, so that it never goes stale',
  C17: 'a lease below a second is cut to 0',
  C18: 'a lock outlives its worker: TERM, then KILL',
  C19: 'the reaper deletes a live lock',
  C20: 'rows say "running" for ever, one of them without a start',
  C21: 'a lock whose times lie in the future, by another clock or zone',
  C22: 'all workers loop on one bad entry, and the rest starves',
  C23: 'a lock file left by a kill, and two that make it at once',
  C24: 'no renewal: whatever takes longer than the lease begins again and again',
  C25: 'a lease of 1 s for a job of 3 s: two processors on one job',
  C26: 'a slow worker and its replacement both complete with one token',
  C28: 'work that was done is done again, because its lock had lapsed when it was to be noted',
  C29: 'a lease below the slowest known run',
  C31: 'a process that slept through its lease dies of an uncaught error',
  C32: 'releasing an expired lock fails, and hides a good result',
  C33: 'hardly any lease is left after a long wait for it',
  C34: 'renewals judged by the clocks of workers',
  C38: 'after a failover nobody remembers the lock, and two go on',
  C39: 'the store can’t be written for the seconds of a failover, and the outcome is lost',
  C42: 'transaction pooling breaks a lock that is tied to a connection',
  C43: 'a pooler stands between client and lock: release fails, or a lock survives its dead client',
  C44: 'a daemon inherits the lock of the script that started it, and nothing runs for hours',
  C45: 'the wrapper is killed, its lock is free, and its child works on',
  C47: 'a process id that is stale on one host blocks all others',
  C48: 'the lock’s file is deleted under a process that waits for it, and its handle is stale',
  C49: 'a killed waiter or a network file system breaks a lock for good',
  C50: 'an idle flag that is read, then written, and left behind by an outage',
  C52: 'a flow that waits in its guarded part gives its slot away',
  C53: 'one execution is resumed twice',
  C54: 'after a wait a flow begins again from its trigger',
  C56: 'runs that had ended are marked as crashed, and recovery runs them again',
  C57: 'two mains own one timer',
  C58: 'a schedule says that it is active, and never fires',
  C59: 'slots that were missed while the host was down all fire together',
  C60: 'skips count as misses, and after a hundred the schedule gives up',
  C61: 'the data windows of skipped hours are never done',
};

/** Reports that no test answers yet, with what is to come. */
export const UNANSWERED_REPORTS: Readonly<Record<string, string>> = {};

/** Reports whose tests show the lock’s share, and what another part is to add. */
export const SHARED_REPORTS: Readonly<Record<string, string>> = {
  C03: 'the auditor is to flag run times near 0',
  C06: 'three starts of one slot are two skips, each a row and an event that names the holder; the auditor is to say how many a slot has',
  C12: 'a streak of skips is to page long before the lease ends',
  C44: 'the auditor is to flag a flock line that starts a daemon',
  C52: 'the n8n nodes are to renew at each step',
  C53: 'effects are counted by records',
  C54: 'records that were sent stay done when the flow begins again',
  C56: 'records that a provider confirmed stay done; a probe is to take "crashed" for unknown',
};
