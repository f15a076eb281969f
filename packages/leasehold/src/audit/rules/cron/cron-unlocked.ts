import { formatDuration } from '../../../domain/duration.ts';
import type { Evidence, Finding } from '../../model/finding.ts';
import { type CronJob, everyWords, lockNameOf } from './cron-job.ts';

const DAY_MS = 86_400_000;

/**
 * A job that nothing keeps from starting on top of itself. A warning where it starts more than once a day; once a day or
 * less, and where `timeout` ends it before the next start, it is worth knowing and no more.
 */
export function cronUnlocked(job: CronJob): Finding[] {
  const { main, works, checks, emptyGuards, ignoredGuards } = job.inspected;
  const { minGapMs } = job;
  if (main === null || works.length === 0 || minGapMs === null || guardsItself(main.words)) return [];
  if (checks.length + emptyGuards.length + ignoredGuards.length > 0) return [];
  if (works.some(({ guards }) => guards.length > 0)) return [];
  const isBounded = main.timeoutMs !== null && main.timeoutMs < minGapMs;
  const severity = isBounded || minGapMs >= DAY_MS ? 'info' : 'warning';
  return [
    {
      rule: 'cron.unlocked',
      severity,
      message: messageOf(job, isBounded),
      evidence: evidenceOf(job),
      advice: adviceOf(job),
    },
  ];
}

/** Our own commands lock by themselves. */
const guardsItself = ([program = '']: readonly string[]): boolean => /(?:^|\/)leasehold$/.test(program);

function messageOf(job: CronJob, isBounded: boolean): string {
  const { main, hasBashRedirect } = job.inspected;
  const bound = isBounded ? `, but timeout ends it after ${formatDuration(main?.timeoutMs ?? 0)}` : '';
  const parts = [
    `Nothing in this line keeps "${job.name}" from starting while it still runs${bound}; ${everyWords(job, formatDuration)}.`,
    'A lock that the command takes by itself can not be seen here.',
  ];
  if (job.together !== null) {
    parts.push(`${counted(job.together.lines.length)} at the same minute (${job.together.at}).`);
  }
  if (hasBashRedirect) {
    parts.push('sh reads "&>" as "&" and ">": the command goes to the background, and what it prints elsewhere.');
  }
  return parts.join(' ');
}

const counted = (count: number): string => (count === 1 ? 'One other line starts' : `${count} other lines start`);

function evidenceOf(job: CronJob): Evidence[] {
  const { main, hasBashRedirect } = job.inspected;
  const timeoutMs = main?.timeoutMs ?? null;
  const first: Evidence = {
    line: job.line,
    command: job.name,
    schedule: job.schedule.rules.map(({ expression }) => expression),
    minGapMs: job.minGapMs,
    ...(timeoutMs === null ? {} : { timeoutMs }),
    ...(hasBashRedirect ? { background: true } : {}),
  };
  return job.together === null
    ? [first]
    : [first, { at: job.together.at, sameMinute: job.together.lines.slice(0, 20) }];
}

function adviceOf(job: CronJob): string {
  const spread = job.together === null ? '' : ' Move it to a minute of its own.';
  const redirect = job.inspected.hasBashRedirect ? ' Write ">> FILE 2>&1" in place of "&>> FILE".' : '';
  return `${guardFor(job)}${redirect}${spread}`;
}

/** A program put before a line guards only the first command of it, so a line that only a shell can read becomes its word. */
function guardFor(job: CronJob): string {
  const lock = lockNameOf(job);
  const need = job.inspected.needsShell;
  if (need === null)
    return `Put \`leasehold run ${lock} --\` before the command; on one host, with no records to protect, \`flock -n /run/lock/${lock}.lock\` is enough.`;
  const { shell, hasQuote, isLeftBehind } = need;
  const quote = hasQuote ? " Each ' in it is written '\\''." : '';
  const behind = isLeftBehind ? ' Take its "&" away: the shell would end, and the lock with it, before the work.' : '';
  return `Write \`leasehold run ${lock} -- ${shell} -c '…'\`, with the whole command between the quotes: put before the line as it stands, a guard holds for its first command only. On one host, with no records to protect, \`flock -n /run/lock/${lock}.lock ${shell} -c '…'\` is enough.${quote}${behind}`;
}
