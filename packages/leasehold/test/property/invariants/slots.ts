/** A slot that ran to success never runs again unless somebody says so, and is said to be done only then. */
import assert from 'node:assert/strict';
import type { HistoryEntry } from '../history.ts';

export function checkSlots(entries: readonly HistoryEntry[]): void {
  const done = new Set<number>();
  /** The slot of each token, and whether its run has a status yet. */
  const runs = new Map<string, { readonly slot: number | null; hasStatus: boolean }>();
  for (const entry of entries) {
    if (entry.call === 'start') {
      const { slot, again, answer } = entry;
      const isDone = slot !== null && done.has(slot) && !again;
      const { token } = answer;
      if (typeof token === 'string' && !runs.has(token)) {
        assert.ok(!isDone, `slot ${slot} was done, and ran again`);
        runs.set(token, { slot, hasStatus: false });
      }
      if (answer['outcome'] === 'already_ran') assert.ok(isDone, `slot ${slot} was not done`);
    } else if (entry.call === 'release' && entry.status !== null) {
      finish(runs.get(entry.token), entry.runStatus, done);
    }
  }
}

function finish(
  run: { readonly slot: number | null; hasStatus: boolean } | undefined,
  status: string | null,
  done: Set<number>,
): void {
  if (run === undefined || status === null || run.hasStatus) return;
  run.hasStatus = true;
  if (status === 'success' && run.slot !== null) done.add(run.slot);
}
