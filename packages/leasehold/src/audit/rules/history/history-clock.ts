import { formatDuration } from '../../../domain/duration.ts';
import { isHourOpen } from '../../collect/run-words.ts';
import { EARLIEST_MS } from '../../history/exclusion.ts';
import { counted, grouped, instantText } from '../../words.ts';
import type { Evidence, Finding } from '../../model/finding.ts';
import { redact, redactId } from '../../redact.ts';
import type { RuleContext } from '../rule.ts';

const NAMED_MAX = 20;

/** Instants that can't be believed, and starts that are all late by the same time. */
export function historyClock(context: RuleContext): readonly Finding[] {
  return [...unbelievable(context), ...openHours(context), ...shifted(context)];
}

function unbelievable({ history, nowMs }: RuleContext): readonly Finding[] {
  const { table, figures } = history;
  const rows = history.clockRows.filter((row) => !isHourOpen(table.words[row] ?? 0));
  if (rows.length === 0) return [];
  return [
    {
      rule: 'history.clock',
      severity: 'warning',
      message: `${grouped(rows.length)} of ${counted(figures.runs, 'run')} have instants that can't be believed (an end before the start, a time in the future, or one that can't be read); they enter no figure.`,
      evidence: Array.from(rows.subarray(-NAMED_MAX), (row) => {
        const [startMs, endMs] = [table.startMs[row] ?? Number.NaN, table.endMs[row] ?? Number.NaN];
        return {
          runId: redactId(table.ids.text(row)),
          why: whyNot(startMs, endMs, nowMs),
          ...instants(startMs, endMs),
        };
      }),
      advice:
        'Check the clocks of the hosts that wrote these rows (timedatectl, chronyc tracking), and the format of the times; name columns and zone with --map and --timezone.',
    },
  ];
}

/** Nobody's fault, and nothing to mend but the export: local times without an offset. */
function openHours({ history }: RuleContext): readonly Finding[] {
  const { table, figures } = history;
  const rows = history.clockRows.filter((row) => isHourOpen(table.words[row] ?? 0));
  if (rows.length === 0) return [];
  return [
    {
      rule: 'history.clock',
      severity: 'info',
      message: `${grouped(rows.length)} of ${counted(figures.runs, 'run')} started in an hour that clocks showed twice, and neither the order of the rows nor the rows themselves tell in which of the two; they enter no figure.`,
      evidence: Array.from(rows.subarray(-NAMED_MAX), (row) => ({
        runId: redactId(table.ids.text(row)),
        why: 'starts in an hour that came twice',
        earlierReading: instantText(table.startMs[row] ?? Number.NaN),
      })),
      advice: 'Export these times in UTC or with their offset, or sorted by their start.',
    },
  ];
}

function whyNot(startMs: number, endMs: number, nowMs: number): string {
  if (startMs < EARLIEST_MS) return 'starts at an instant that means nothing';
  if (endMs < startMs) return 'ended before it started';
  if (startMs > nowMs) return 'starts in the future';
  return endMs > nowMs ? 'ends in the future' : 'an instant that can not be read';
}

function instants(startMs: number, endMs: number): Evidence {
  const text = (ms: number): string | null => (Number.isNaN(ms) ? null : instantText(ms));
  return { startedAt: text(startMs), endedAt: text(endMs) };
}

/** All starts late by the same time: neither missed nor extra, but the wrong zone, or a clock that is off. */
function shifted({ slots, planned }: RuleContext): readonly Finding[] {
  if (slots === null || slots.offsetMs === null) return [];
  const { offsetMs } = slots;
  return [
    {
      rule: 'history.clock',
      severity: 'info',
      message: `Every start comes ${formatDuration(offsetMs)} after its planned instant, always by the same time: that is an offset, and no missed slot.`,
      evidence: [{ offsetMs, schedule: (planned?.rules ?? []).map(({ rule }) => redact(rule.expression)) }],
      advice:
        'Check in which zone the host reads the schedule, whether its clock is right, and whether these starts wait in a queue; where it is the zone, name it with --timezone.',
    },
  ];
}
