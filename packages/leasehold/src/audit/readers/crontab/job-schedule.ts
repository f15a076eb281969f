import { redact } from '../../redact.ts';
import type { FoundSchedule, ScheduleRule } from '../../model/schedule.ts';
import type { JobLine } from './crontab-line.ts';

/** The variables that stand before a line, as far as they change when or how it runs. */
export interface CronVariables {
  /** Of cronie: the zone of the schedules after it. */
  readonly cronZone: string | null;
  /** Only the command's environment. */
  readonly commandZone: string | null;
  readonly shell: 'sh' | 'bash';
}

export function scheduleOf(job: JobLine, variables: CronVariables, line: number): FoundSchedule {
  const timezone = job.timezone ?? (variables.cronZone === '' ? null : variables.cronZone);
  const rule = ruleOf(job.expression, line);
  return {
    host: 'cron',
    kind: kindOf(rule),
    rules: [rule],
    timezone: timezone === null ? null : redact(timezone),
    assumes: [...job.assumes, ...zoneSentences(job, variables), ...ruleSentences(job.expression)],
  };
}

const kindOf = ({ expression, plan }: ScheduleRule): string =>
  expression === '@reboot' ? 'reboot' : plan?.kind === 'interval' ? 'interval' : 'cron';

function zoneSentences(job: JobLine, { cronZone, commandZone }: CronVariables): string[] {
  if (job.timezone !== null) return [];
  if (cronZone !== null && cronZone !== '') {
    return ["CRON_TZ is read by cronie; Debian's and Ubuntu's cron ignore it and go by the zone of the system."];
  }
  const assumed = "Debian's cron (Vixie cron 3.0pl1) was assumed; cronie does the same when the clocks change.";
  const only = `TZ sets the clock of the command only; the schedule goes by the zone of the system.`;
  return commandZone === null ? [assumed] : [assumed, only];
}

function ruleSentences(expression: string): string[] {
  if (expression === '@reboot') return ['@reboot starts once, when cron starts after a boot.'];
  if (expression.includes('~'))
    return ['A field with ~ is drawn by chance when cron reads the file: its instants are not known.'];
  return [];
}

function ruleOf(expression: string, line: number): ScheduleRule {
  const place = { line };
  const shown = redact(expression.slice(0, 200));
  const every = /^@every (\S+)$/.exec(expression);
  if (every !== null) {
    const everyMs = goDuration(every[1] ?? '');
    return everyMs === null
      ? { expression: shown, plan: null, fault: 'its interval can not be read', place }
      : { expression: shown, plan: { kind: 'interval', everyMs }, fault: null, place };
  }
  if (expression === '@reboot' || expression.includes('~'))
    return { expression: shown, plan: null, fault: null, place };
  return { expression: shown, plan: { kind: 'cron', expression }, fault: null, place };
}

const GO_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `1h30m`, `90s`, `1.5h`. */
function goDuration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return null;
  let ms = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    ms += Number(count) * (GO_UNITS[unit] ?? 0);
  }
  return ms >= 1 ? ms : null;
}
