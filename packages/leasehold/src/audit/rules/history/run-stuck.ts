import { formatDuration } from '../../../domain/duration.ts';
import { stateOf } from '../../collect/run-words.ts';
import { counted, instantText } from '../../words.ts';
import type { Evidence, Finding } from '../../model/finding.ts';
import { redactId } from '../../redact.ts';
import type { RuleContext } from '../rule.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NAMED_MAX = 20;
/** A host looks each minute for what has waited long enough, and may have been down. */
const WAKE_MS_MAX = HOUR_MS;
/** What waits for a person or a call may wait for long; not for longer than a month. */
const CALL_MS_MAX = 31 * DAY_MS;

/**
 * Runs that are said to run, to wait or to be queued for much longer than any should: ten times the 95th percentile,
 * two gaps and an hour at least. What waits is told by until when, where that is known; else it gets a day and twice the
 * workflow's own wait. They overlap nothing.
 */
export function runStuck({ history, subject, gapMs }: RuleContext): readonly Finding[] {
  const { untilMs, table, figures } = history;
  if (untilMs === null) return [];
  const limitMs = Math.max(10 * (figures.p95Ms ?? 0), 2 * (gapMs ?? 0), HOUR_MS);
  const waitLimitMs = Math.max(limitMs, DAY_MS, 2 * (subject.definition?.waitMs ?? 0));
  const stuck = [...history.openRows]
    .map((row) => ({ row, state: stateOf(table.words[row] ?? 0), startMs: table.startMs[row] ?? Number.NaN }))
    .filter(({ state }) => state !== 'ended')
    .filter(({ row, state, startMs }) => {
      const openMs = untilMs - startMs;
      if (state !== 'waiting') return openMs > limitMs;
      const waitMs = table.waitOf(row);
      if (waitMs === null) return openMs > Math.max(waitLimitMs, CALL_MS_MAX);
      return waitMs === undefined ? openMs > waitLimitMs : untilMs - waitMs > WAKE_MS_MAX;
    })
    .toSorted((one, other) => one.startMs - other.startMs);
  const [oldest] = stuck;
  if (oldest === undefined) return [];
  return [
    {
      rule: 'run.stuck',
      severity: 'warning',
      message: `Open for much longer than any run takes: ${counted(stuck.length, 'run')}, the oldest (${redactId(table.ids.text(oldest.row))}, ${oldest.state}) for ${formatDuration(untilMs - oldest.startMs)}${figures.p95Ms === null ? '' : `; those that ended took ${formatDuration(figures.p95Ms)} at the 95th percentile`}.`,
      evidence: stuck.slice(0, NAMED_MAX).map(({ row, state, startMs }) => ({
        runId: redactId(table.ids.text(row)),
        state,
        startedAt: instantText(startMs),
        ...waitEvidence(table.waitOf(row)),
        ageMs: untilMs - startMs,
      })),
      advice:
        'Look whether a process of it still lives. If none does, mark the run as failed where it is listed (what is held there for a person is released or discarded by one), find out which of its records were worked, and give its starts a lease: it ends by itself where a run that died leaves "running" for ever.',
    },
  ];
}

function waitEvidence(waitMs: number | null | undefined): Evidence {
  return typeof waitMs === 'number' ? { waitsUntil: instantText(waitMs) } : {};
}
