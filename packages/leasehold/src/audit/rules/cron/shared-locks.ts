/** What only shows beside the other lines: one command under two locks, and one lock for two commands. */
import type { Finding } from '../../model/finding.ts';
import type { CronJob } from './cron-job.ts';

/** Findings by the job that they belong to. */
export function sharedLocks(jobs: readonly CronJob[]): ReadonlyMap<CronJob, readonly Finding[]> {
  const found = new Map<CronJob, Finding[]>();
  const add = (job: CronJob, finding: Finding): void => {
    found.set(job, [...(found.get(job) ?? []), finding]);
  };
  for (const [command, same] of Map.groupBy(jobs, ({ commandKey }) => commandKey)) {
    const locks = new Set(same.map(lockOf));
    if (command === '' || same.length < 2 || locks.size < 2 || locks.has(null)) continue;
    for (const job of same) add(job, differentLocks(job, same));
  }
  for (const [lock, same] of Map.groupBy(jobs, lockOf)) {
    if (lock === null || new Set(same.map(({ commandKey }) => commandKey)).size < 2) continue;
    for (const job of same) add(job, oneLock(job, same, lock));
  }
  return found;
}

function lockOf({ inspected }: CronJob): string | null {
  for (const guard of inspected.main?.guards ?? []) {
    if (guard.kind === 'cronlock' && guard.key !== null) return `cronlock ${guard.key}`;
    if ('file' in guard && guard.file !== '') return guard.file;
    if (guard.kind === 'leasehold') return `leasehold ${guard.name}`;
  }
  return null;
}

const othersOf = (job: CronJob, same: readonly CronJob[]): string[] =>
  same
    .filter((each) => each !== job)
    .map(({ id }) => id)
    .slice(0, 19);

function differentLocks(job: CronJob, same: readonly CronJob[]): Finding {
  const others = othersOf(job, same);
  return {
    rule: 'guard.fails-open',
    severity: 'warning',
    message: `"${job.name}" stands in ${same.length} lines under different locks: each keeps only its own line from running twice (${others.join(', ')}).`,
    evidence: [{ line: job.line, command: job.name, lock: lockOf(job) }, { otherLines: others }],
    advice: 'Give all lines of this command the same lock.',
  };
}

function oneLock(job: CronJob, same: readonly CronJob[], lock: string): Finding {
  const others = othersOf(job, same);
  const meets = job.together?.lines.some((id) => others.includes(id)) === true;
  return {
    rule: 'lock.drops-events',
    severity: meets ? 'warning' : 'info',
    message: meets
      ? `"${job.name}" has its lock (${lock}) in common with another command that starts at the same minute: one of them is skipped each time they meet (${others.join(', ')}).`
      : `"${job.name}" has its lock (${lock}) in common with another command: whichever comes while the other runs is skipped (${others.join(', ')}).`,
    evidence: [{ line: job.line, command: job.name, lock }, { otherLines: others }],
    advice: 'Give each command a lock of its own, unless they must not run beside each other.',
  };
}
