import type { History } from '../history.ts';
import { checkLeases, checkPauses } from './leases.ts';
import { checkEnds, checkEvents, checkRows, checkSkips } from './records.ts';
import { checkSlots } from './slots.ts';

/**
 * Holds what a store answered and stored against the guarantees, from its own words alone: no model is asked.
 * For calls one after the other.
 */
export function checkHistory({ entries, runs, events, isSteady }: History): void {
  for (const lock of new Set(entries.map((entry) => entry.lock))) {
    const own = entries.filter((entry) => entry.lock === lock);
    checkLeases(own, isSteady);
    checkPauses(own);
    checkSkips(own);
    checkSlots(own);
    checkEnds(own);
    checkRows(
      own,
      runs.filter((run) => run.lock === lock),
    );
    checkEvents(
      own,
      events.filter((event) => event.lock === lock),
    );
  }
}
