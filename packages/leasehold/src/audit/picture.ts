import type { PictureRun, WorkflowPicture } from './model/picture.ts';
import { redactId } from './redact.ts';
import type { RuleContext } from './rules/rule.ts';

const RUNS_MAX = 400;

/** What is drawn of a workflow: its newest runs, and what the advised lease would have made of all; null without runs. */
export function pictureOf({ history, advice, replayed, gapMs }: RuleContext): WorkflowPicture | null {
  const { used, table } = history;
  const count = used.startMs.length;
  if (count === 0) return null;
  const runs: PictureRun[] = [];
  let latestEndMs = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at += 1) {
    const [startMs, endMs] = [used.startMs[at] ?? Number.NaN, used.endMs[at] ?? Number.NaN];
    if (at >= count - RUNS_MAX) {
      const runId = redactId(table.ids.text(used.rows[at] ?? 0));
      runs.push({ runId, startMs, endMs, isOverlap: startMs < latestEndMs });
    }
    if (endMs > latestEndMs) latestEndMs = endMs;
  }
  const { leaseMs } = advice;
  return { runs, gapMs, replay: replayed === null || leaseMs === null ? null : { leaseMs, ...replayed } };
}
