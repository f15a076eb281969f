/** Guards that don't hold what they promise, each with what happens instead. */
import type { Finding } from '../../model/finding.ts';
import type { Guard } from '../../readers/crontab/guards.ts';
import type { Check } from '../../readers/crontab/inspect-command.ts';
import type { CronJob } from './cron-job.ts';
import {
  type Fault,
  flockFaults,
  leaseFaults,
  leftBehindFault,
  lockfileFault,
  placeFault,
  sharedFault,
  useFlock,
} from './lock-faults.ts';

export function guardHolds(job: CronJob): Finding[] {
  const { checks, emptyGuards, ignoredGuards, works } = job.inspected;
  const guards = [...new Set(works.flatMap((work) => work.guards))];
  const faults = [
    ...checks.map((check) => checkFault(check, job)),
    ...emptyGuards.map((guard) => emptyFault(guard, job)),
    ...ignoredGuards.map((guard) => ignoredFault(guard)),
    ...guards.flatMap((guard) => guardFaults(guard, job)),
    ...outsideFault(job),
    ...backgroundFault(job),
  ];
  return faults.map(({ severity, message, about, advice }) => ({
    rule: 'guard.fails-open',
    severity,
    message,
    evidence: [{ line: job.line, command: job.name, guard: about }],
    advice,
  }));
}

function checkFault({ kind, program, subject, seesItself }: Check, job: CronJob): Fault {
  const advice = useFlock(job);
  if (kind === 'process') {
    const itself = seesItself
      ? ` It also finds the shell that cron starts for this line, whose words hold "${subject}": then it never starts at all.`
      : '';
    return {
      severity: 'warning',
      message: `${program} looks first and starts then: two starts that look at once both see nothing, and what runs on another host, or under another name, is not seen.${itself}`,
      about: program,
      advice,
    };
  }
  const stays = `after a kill or a power cut ${subject} stays, and nothing starts again until a person deletes it`;
  return kind === 'directory'
    ? { severity: 'warning', message: `mkdir locks as it should, but ${stays}.`, about: 'mkdir', advice }
    : {
        severity: 'warning',
        message: `The line looks for ${subject} first and makes it then: two starts at once both get through; and ${stays}.`,
        about: program,
        advice,
      };
}

function emptyFault(guard: Guard, job: CronJob): Fault {
  return {
    severity: 'critical',
    message: `${guard.kind} lets the lock go before "${job.name}" starts: only what stands behind it as its own command is guarded.`,
    about: guard.kind,
    advice: 'Put the command itself behind the guard, in one `sh -c "…"` if there are several.',
  };
}

function ignoredFault(guard: Guard): Fault {
  return {
    severity: 'critical',
    message: `Nothing looks whether ${guard.kind} got the lock: the command runs either way.`,
    about: guard.kind,
    advice: 'Write `|| exit` behind it, or put the command behind the guard itself.',
  };
}

function guardFaults(guard: Guard, job: CronJob): Fault[] {
  switch (guard.kind) {
    case 'flock':
      return flockFaults(guard, job);
    case 'leasehold':
      return leaseFaults(guard, job);
    case 'lockfile':
      return guard.looksAlive ? [] : [lockfileFault(guard, job)];
    case 'cronlock':
      return leftBehindFault(guard, job);
    case 'run-one':
      return guard.replaces
        ? [
            {
              severity: 'warning',
              message: `run-this-one kills the run that is under way and begins anew: what that run had done is done again.`,
              about: guard.kind,
              advice: 'Write run-one, which lets the run under way finish and skips the new one.',
            },
          ]
        : [];
    case 'lckdo':
    case 'with-lock-ex':
    case 's6-setlock':
    case 'lockrun':
    case 'setlock':
    case 'chpst':
      return [...sharedFault(guard.kind, guard.shared), ...placeFault(guard, job)];
    case 'lockf':
    case 'runlock':
    case 'consul':
    case 'etcdctl':
    case 'solo':
    case 'systemd':
      return [];
  }
}

/** `flock -n lock a && b`: b has no part in the lock. */
function outsideFault(job: CronJob): Fault[] {
  const { works, emptyGuards } = job.inspected;
  const guarded = works.filter(({ guards }) => guards.length > 0);
  const outside = works.filter(({ guards }) => guards.length === 0);
  if (guarded.length === 0 || outside.length === 0 || emptyGuards.length > 0) return [];
  const first = works.findIndex(({ guards }) => guards.length > 0);
  const behind = works
    .slice(first + 1)
    .filter(({ guards, words }) => guards.length === 0 && !TELLERS.has(words[0] ?? ''));
  if (behind.length === 0) return [];
  const kind = guarded[0]?.guards[0]?.kind ?? '';
  return [
    {
      severity: 'warning',
      message: `${kind} guards only the first command of the line: what follows it runs without the lock.`,
      about: kind,
      advice: 'Put all of them behind the guard, in one `sh -c "…"`.',
    },
  ];
}

/** They take in what was printed, or tell of the end; they do no work that could be done twice. */
const TELLERS: ReadonlySet<string> = new Set([
  'tee',
  'logger',
  'mail',
  'mailx',
  'sendmail',
  'ts',
  'curl',
  'wget',
  'cat',
  'grep',
  'sed',
  'awk',
  'tail',
  'head',
  'xargs',
]);

/** flock's own case is `cron.lock-inherited`; other guards end with the command and leave what it started alone. */
function backgroundFault(job: CronJob): Fault[] {
  const work = job.inspected.works.find(
    ({ outlives, guards }) => outlives && !guards.some(({ kind }) => kind === 'flock'),
  );
  const kind = work?.guards.at(-1)?.kind;
  if (kind === undefined) return [];
  return [
    {
      severity: 'critical',
      message: `"${job.name}" is sent to the background inside ${kind}: the guard ends at once, and the next start finds it free.`,
      about: kind,
      advice: 'Take the & away: cron waits for nothing.',
    },
  ];
}
