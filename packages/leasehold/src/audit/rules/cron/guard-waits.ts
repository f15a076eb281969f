import { formatDuration } from '../../../domain/duration.ts';
import type { Finding } from '../../model/finding.ts';
import type { Guard } from '../../readers/crontab/guards.ts';
import type { CronJob } from './cron-job.ts';

const DAY_MS = 86_400_000;

/** A lock that is waited for keeps starts apart and forgets none: after a long run they come back to back. */
export function guardWaits(job: CronJob): Finding[] {
  const guards = job.inspected.works.flatMap(({ guards: each }) => each);
  const guard = guards.find((each) => 'busy' in each && each.busy === 'wait');
  if (guard === undefined || job.minGapMs === null) return [];
  return [
    {
      rule: 'guard.missing',
      severity: job.minGapMs >= DAY_MS ? 'info' : 'warning',
      message: `${guard.kind} waits for the lock without a bound: while "${job.name}" hangs, a process more waits every ${formatDuration(job.minGapMs)}, and then they run back to back.`,
      evidence: [{ line: job.line, command: job.name, guard: guard.kind, minGapMs: job.minGapMs }],
      advice: SKIP[guard.kind] ?? '',
    },
  ];
}

const SKIP: Readonly<Partial<Record<Guard['kind'], string>>> = {
  flock: 'Write flock -n, which skips a start that meets the lock, or flock -w 10, which waits ten seconds.',
  lockrun: 'Take the --wait away: without it a start that meets the lock is skipped.',
  setlock: 'Write setlock -n, which skips a start that meets the lock.',
  lckdo: 'Take the -w away, which skips a start that meets the lock, or write -W 10, which waits ten seconds.',
  'with-lock-ex': 'Write -q in place of -w, which skips a start that meets the lock.',
  chpst: 'Write -L in place of -l, which skips a start that meets the lock.',
  lockf: 'Write lockf -t 0, which skips a start that meets the lock, or lockf -t 10, which waits ten seconds.',
  's6-setlock': 'Write s6-setlock -n, which skips a start that meets the lock.',
  consul: 'Write consul lock -try=10s, which waits ten seconds for the lock.',
  etcdctl:
    'etcdctl lock can do nothing else: leasehold run, with its store on another host, skips a start that meets the lock.',
};
