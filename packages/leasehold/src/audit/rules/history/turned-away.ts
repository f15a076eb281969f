import type { RuleContext } from '../rule.ts';

/**
 * A start that finds its lock held is a run of its own in the history, and a green one: it asks, and ends. Where the definition
 * has a lock before all work, such a run is no overlap. One that takes longer than this did some work.
 */
export const TURNED_AWAY_MS = 30_000;
const RECENT_MAX = 100;

export interface TurnedAway {
  /** The node that takes the lock. */
  readonly node: string;
  readonly count: number;
  readonly last100: number;
  /** Of those, the ones that no webhook started. */
  readonly last100Certain: number;
  readonly isOne: (later: number) => boolean;
}

/** Null where no lock stands before all work, or none of its starts came while another one ran. */
export function turnedAway({ subject, history }: RuleContext): TurnedAway | null {
  const node = subject.definition?.guardedBy ?? null;
  if (node === null) return null;
  const { startMs, endMs, isCrashed, isWebhook } = history.used;
  const found = new Set<number>();
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < startMs.length; at += 1) {
    const [start, end] = [startMs[at] ?? Number.NaN, endMs[at] ?? Number.NaN];
    if (isCrashed[at] === 1) continue;
    if (start < lastMs && end - start <= TURNED_AWAY_MS) found.add(at);
    else if (end > lastMs) lastMs = end;
  }
  if (found.size === 0) return null;
  const recent = [...found].filter((at) => at >= startMs.length - RECENT_MAX);
  return {
    node,
    count: found.size,
    last100: recent.length,
    last100Certain: recent.filter((at) => isWebhook[at] !== 1).length,
    isOne: (at) => found.has(at),
  };
}
