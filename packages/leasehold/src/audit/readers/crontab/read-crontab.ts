/**
 * A crontab: each line that starts something is a workflow, `PATH:LINE`, with its schedule and what guards it. Variables
 * hold for the lines after them. What can't be read is told by its line; the rest goes on.
 */
import type { Finding } from '../../model/finding.ts';
import type { AuditSink } from '../../model/sink.ts';
import { type CronJob } from '../../rules/cron/cron-job.ts';
import { cronUnlocked } from '../../rules/cron/cron-unlocked.ts';
import { guardHolds } from '../../rules/cron/guard-holds.ts';
import { guardWaits } from '../../rules/cron/guard-waits.ts';
import { lockInherited } from '../../rules/cron/lock-inherited.ts';
import { sharedLocks } from '../../rules/cron/shared-locks.ts';
import { planStarts } from '../../schedule/planned-starts.ts';
import { type JobLine, readLine, splitPercent } from './crontab-line.ts';
import { inspectCommand } from './inspect-command.ts';
import { nameOf } from './job-name.ts';
import { type CronVariables, scheduleOf } from './job-schedule.ts';
import { startsTogether } from './starts-together.ts';
import { userColumnOf } from './user-column.ts';

/** Nobody's crontab is longer; what follows is told and left out. */
const LINES_MAX = 20_000;

interface PlacedLine {
  readonly job: JobLine;
  readonly line: number;
  readonly variables: CronVariables;
}

/** `text` is the whole file; `path` is how reports call it. */
export function readCrontab(path: string, text: string, sink: AuditSink): void {
  const lines = linesOf(path, text, sink);
  const column = userColumnOf(
    path,
    lines.map(({ job }) => job.rest),
  );
  const jobs = lines.map((line) => jobOf(path, line, column.isThere, column.sentence));
  const together = startsTogether(jobs);
  const placed = jobs.map((job): CronJob => ({ ...job, together: together.get(job.id) ?? null }));
  const shared = sharedLocks(placed);
  for (const job of placed) {
    tell(job, [...findingsOf(job), ...(shared.get(job) ?? [])], sink);
  }
}

const findingsOf = (job: CronJob): Finding[] => [
  ...lockInherited(job),
  ...guardHolds(job),
  ...cronUnlocked(job),
  ...guardWaits(job),
];

function linesOf(path: string, text: string, sink: AuditSink): PlacedLine[] {
  const placed: PlacedLine[] = [];
  let variables: CronVariables = { cronZone: null, commandZone: null, shell: 'sh' };
  const lines = text.split(/\r?\n|\r/);
  for (const [index, raw] of lines.slice(0, LINES_MAX).entries()) {
    const line = readLine(raw);
    if (line.kind === 'job') placed.push({ job: line, line: index + 1, variables });
    else if (line.kind === 'variable') variables = withVariable(variables, line.name, line.value);
    else if (line.kind === 'unknown')
      sink.unread(`${path}:${index + 1}`, 'Neither a schedule with a command, nor a variable, nor a comment.');
  }
  if (lines.length > LINES_MAX) sink.unread(path, `Only the first ${LINES_MAX} lines were read.`);
  return placed;
}

function withVariable(variables: CronVariables, name: string, value: string): CronVariables {
  if (name === 'CRON_TZ') return { ...variables, cronZone: value };
  if (name === 'TZ') return { ...variables, commandZone: value };
  if (name === 'SHELL') return { ...variables, shell: /bash|zsh/.test(value) ? 'bash' : 'sh' };
  return variables;
}

/**
 * Gaps for the findings about guards, which only ask whether a job comes often: of the days of any year, without clock
 * changes. The report's own gaps are reckoned for its horizon.
 */
const ANY_MONDAY_MS = Date.UTC(2026, 0, 5);
const WINDOW = { fromMs: ANY_MONDAY_MS, toMs: ANY_MONDAY_MS + 800 * 86_400_000, timezone: 'UTC' };

function jobOf(path: string, { job, line, variables }: PlacedLine, hasUser: boolean, sentence: string | null): CronJob {
  const [, user = '', own = ''] = hasUser ? (/^(\S+)\s+(.*)$/s.exec(job.rest) ?? []) : [];
  const { command, hasInput } = splitPercent(hasUser ? own : job.rest);
  const inspected = inspectCommand(withoutFlags(command), variables.shell);
  const schedule = scheduleOf(job, variables, line);
  const input = 'What follows the first % is the standard input of the command; a percent sign is written \\%.';
  const assumes = [...schedule.assumes, ...(sentence === null ? [] : [sentence]), ...(hasInput ? [input] : [])];
  const { minGapMs, maxGapMs } = planStarts({ ...schedule, timezone: null }, WINDOW);
  return {
    id: `${path}:${line}`,
    line,
    name: nameOf(inspected.main?.words ?? [], `line ${line}`),
    user: hasUser ? user : null,
    schedule: { ...schedule, assumes },
    inspected,
    commandKey: (inspected.main?.words ?? []).join(' '),
    minGapMs,
    maxGapMs,
    together: null,
  };
}

/** OpenBSD's flags between the schedule and the command: `-n` and `-q` are about mail and log. */
const withoutFlags = (command: string): string => command.replace(/^(?:-[nq]+\s+)+/, '');

function tell(job: CronJob, findings: readonly Finding[], sink: AuditSink): void {
  sink.workflow({
    id: job.id,
    name: job.name,
    // With the line, so that a report of many leads to the place.
    source: job.id,
    platform: 'cron',
    isActive: true,
    schedule: job.schedule,
    paths: [],
    findings,
    reads: [],
    writes: [],
    waitMs: 0,
    historyLimits: [],
  });
}
