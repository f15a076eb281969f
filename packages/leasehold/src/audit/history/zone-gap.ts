import { openZone } from '../schedule/zone.ts';
import type { EmptyStretch } from './slots.ts';

/** A change of the clocks that may account for slots without a start. */
export interface ZoneGap {
  readonly zone: string;
  readonly atMs: number;
  readonly kind: 'skipped' | 'repeated';
  readonly changeMs: number;
  /** False where the zone was only tried, since none is known. */
  readonly isZoneKnown: boolean;
}

/** Where most changes of clocks fall; tried only where no zone is known, and for a silence that fits exactly. */
const USUAL_ZONES = ['Europe/Berlin', 'Europe/London', 'America/New_York', 'America/Chicago', 'America/Los_Angeles'];
const AROUND_MS = 86_400_000;

/** The changes of clocks near these stretches: looked up once for all of them. */
export function changesNear(stretches: readonly EmptyStretch[], timezone: string | null): readonly ZoneGap[] {
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first === undefined || last === undefined) return [];
  const zones = timezone === null ? USUAL_ZONES : [timezone];
  return zones.flatMap((name) =>
    (openZone(name)?.changes(first.firstMs - AROUND_MS, last.lastMs + AROUND_MS) ?? []).map(
      ({ atMs, beforeMs, afterMs }): ZoneGap => ({
        zone: name,
        atMs,
        kind: afterMs > beforeMs ? 'skipped' : 'repeated',
        changeMs: Math.abs(afterMs - beforeMs),
        isZoneKnown: timezone !== null,
      }),
    ),
  );
}

/**
 * The change in whose skipped or repeated time all slots of this stretch lie; null where there is none. Slots of an hour
 * that the clocks skip don't exist; those of an hour that they repeat are silent where the host waits for a wall clock
 * that has been there already.
 */
export function zoneGap(stretch: EmptyStretch, changes: readonly ZoneGap[]): ZoneGap | null {
  return changes.find((change) => accountsFor(change, stretch)) ?? null;
}

function accountsFor({ atMs, changeMs, kind, isZoneKnown }: ZoneGap, stretch: EmptyStretch): boolean {
  const { firstMs, lastMs, afterMs, beforeMs } = stretch;
  if (firstMs < atMs - changeMs || lastMs >= atMs + changeMs) return false;
  if (isZoneKnown) return true;
  // An hour at the instant at which clocks change somewhere: anything less exact would explain any gap.
  return kind === 'repeated' && beforeMs !== null && Math.abs(beforeMs - afterMs - changeMs) < changeMs / 10;
}
