import type { Finding } from '../../model/finding.ts';
import type { Guard } from '../../readers/crontab/guards.ts';
import type { Work } from '../../readers/crontab/inspect-command.ts';
import type { CronJob } from './cron-job.ts';

type Flock = Extract<Guard, { kind: 'flock' }>;

/**
 * A lock of flock is held as long as any process has the descriptor open. What the command leaves running inherits it, so
 * that the job is over and its lock is not: every later start is skipped, or waits, without a word.
 */
export function lockInherited(job: CronJob): Finding[] {
  for (const work of job.inspected.works) {
    const guard = work.guards.find((each): each is Flock => each.kind === 'flock' && !each.isClosed);
    if (guard === undefined) continue;
    const why = staysBehind(work);
    if (why === null) continue;
    return [
      {
        rule: 'cron.lock-inherited',
        severity: work.outlives ? 'critical' : 'warning',
        message: messageOf(job, guard, why),
        evidence: [{ line: job.line, command: job.name, lockFile: guard.file, startedBy: why }],
        advice: `Give flock the option -o (--close), so that what the command starts does not inherit the lock; or end the command only when its work is done, under \`leasehold run\`.`,
      },
    ];
  }
  return [];
}

function messageOf(job: CronJob, { busy }: Flock, why: string): string {
  const then = busy === 'skip' ? 'every later start is skipped without a word' : 'every later start waits for it';
  return `"${job.name}" leaves a process behind (${why}) that inherits flock's lock: as long as it lives, ${then}.`;
}

const DAEMONS: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/(?:^|\s)--daemon(?:ize)?(?:\s|$)/, '--daemon'],
  [/(?:^|\/)start-stop-daemon\s.*(?:-b|--background)(?:\s|$)/, 'start-stop-daemon --background'],
  [/(?:^|\/)service\s+\S+\s+(?:start|restart)(?:\s|$)/, 'service start'],
  [/\/init\.d\/\S+\s+(?:start|restart)(?:\s|$)/, 'init.d'],
  [/(?:^|\/)screen\s+-\w*d\w*m/, 'screen -dm'],
  [/(?:^|\/)tmux\s+new(?:-session)?\s.*-d(?:\s|$)/, 'tmux new -d'],
  [/(?:^|\/)(?:apachectl|apache2ctl|pg_ctl)\s.*start(?:\s|$)/, 'a server'],
];

function staysBehind(work: Work): string | null {
  if (work.outlives) return '&';
  const text = work.words.join(' ');
  return DAEMONS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
