/** What is wrong with one lock by itself: it is for many, it stays behind, or it lies where it goes away. */
import { formatDuration, parseDuration } from '../../../domain/duration.ts';
import type { Severity } from '../../model/finding.ts';
import type { Guard } from '../../readers/crontab/guards.ts';
import { type CronJob, lockNameOf } from './cron-job.ts';

export interface Fault {
  readonly severity: Severity;
  readonly message: string;
  readonly about: string;
  readonly advice: string;
}

export const useFlock = (job: CronJob): string =>
  `Put \`leasehold run ${lockNameOf(job)} --\` or \`flock -n /run/lock/${lockNameOf(job)}.lock\` before the command instead; what is more than one program goes behind them as \`sh -c '…'\`.`;

export function lockfileFault({ program, file, staleMs }: Extract<Guard, { kind: 'lockfile' }>, job: CronJob): Fault {
  const message =
    staleMs === null
      ? `${program} locks as it should, but after a kill or a power cut ${file} stays, and nothing starts again until a person deletes it.`
      : `${program} takes a lock that is older than ${formatDuration(staleMs)} for one that was left behind: a run that lasts longer is met by the next one.`;
  return { severity: 'warning', message, about: program, advice: useFlock(job) };
}

/** cronlock gives its lock back only where the command has ended and cronlock is still there. */
export function leftBehindFault({ releaseMs }: Extract<Guard, { kind: 'cronlock' }>, job: CronJob): Fault[] {
  if (releaseMs === null || releaseMs <= HOURS_MS || releaseMs <= (job.minGapMs ?? 0)) return [];
  return [
    {
      severity: 'info',
      message: `cronlock keeps its lock for ${formatDuration(releaseMs)} after a crash of the host, unless CRONLOCK_RELEASE says less: nothing starts for so long.`,
      about: 'cronlock',
      advice: 'Set CRONLOCK_RELEASE to the seconds that the slowest run takes, with a margin.',
    },
  ];
}

export const flockFaults = (guard: Extract<Guard, { kind: 'flock' }>, job: CronJob): Fault[] => [
  ...sharedFault('flock', guard.isShared ? '-s' : null),
  ...placeFault(guard, job),
];

export function sharedFault(kind: string, option: string | null): Fault[] {
  if (option === null) return [];
  return [
    {
      severity: 'critical',
      message: `${kind} ${option} takes a shared lock: any number of starts hold it together.`,
      about: `${kind} ${option}`,
      advice: `Take the ${option} away.`,
    },
  ];
}

export function placeFault({ kind, file }: { readonly kind: string; readonly file: string }, job: CronJob): Fault[] {
  if (!/^\/(?:var\/)?tmp\//.test(file)) return [];
  return [
    {
      severity: 'info',
      message: `The lock ${file} lies where files are cleaned up by age and anybody may write: a new file under the same name is another lock.`,
      about: kind,
      advice: `Put it into /run/lock, for example /run/lock/${lockNameOf(job)}.lock.`,
    },
  ];
}

const HOURS_MS = 2 * 3_600_000;

export function leaseFaults({ lease, name }: Extract<Guard, { kind: 'leasehold' }>, job: CronJob): Fault[] {
  if (lease === null) return [];
  let leaseMs: number;
  try {
    leaseMs = parseDuration(lease);
  } catch {
    const message = `leasehold refuses the lease "${lease.slice(0, 20)}": the command never starts.`;
    return [
      {
        severity: 'critical',
        message,
        about: name,
        advice: 'Write a whole number and a unit, for example --lease 10m.',
      },
    ];
  }
  if (leaseMs <= HOURS_MS || leaseMs <= (job.minGapMs ?? 0)) return [];
  const message = `A lease of ${formatDuration(leaseMs)} blocks every start for so long after a crash of the host.`;
  return [
    {
      severity: 'info',
      message,
      about: name,
      advice: 'leasehold run renews its lease while the command runs: some minutes are enough.',
    },
  ];
}
