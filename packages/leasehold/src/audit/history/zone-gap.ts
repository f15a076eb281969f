import { openZone } from '../schedule/zone.ts';
import type { EmptyStretch } from './slots.ts';

/** A change of the clocks that accounts for slots without a start. */
export interface ZoneGap {
  readonly zone: string;
  readonly atMs: number;
  readonly kind: 'skipped' | 'repeated';
  readonly changeMs: number;
  /** False where the zone was only tried, since none is known. */
  readonly isZoneKnown: boolean;
}

/** Where most changes of clocks fall; tried only where no zone is known, and for a gap that fits exactly. */
const USUAL_ZONES = ['Europe/Berlin', 'Europe/London', 'America/New_York', 'America/Chicago', 'America/Los_Angeles'];
/** A stretch is tried against a handful of zones, which costs. */
const STRETCH_MS_MAX = 3 * 3_600_000;

/**
 * The change of clocks in whose skipped or repeated time all of these slots lie; null where there is none. Slots of an
 * hour that the clocks skip don't exist; those of an hour that they repeat are silent where the host waits for a wall
 * clock that has been there already.
 */
export function zoneGap(stretch: EmptyStretch, timezone: string | null): ZoneGap | null {
  if (timezone !== null) return gapIn(stretch, timezone, true);
  if (stretch.lastMs - stretch.firstMs > STRETCH_MS_MAX || stretch.beforeMs === null) return null;
  const fitting = USUAL_ZONES.map((zone) => gapIn(stretch, zone, false)).find((gap) => gap?.kind === 'repeated');
  const silentMs = stretch.beforeMs - stretch.afterMs;
  return fitting !== undefined && fitting !== null && Math.abs(silentMs - fitting.changeMs) < fitting.changeMs / 10
    ? fitting
    : null;
}

function gapIn({ firstMs, lastMs }: EmptyStretch, name: string, isZoneKnown: boolean): ZoneGap | null {
  const zone = openZone(name);
  if (zone === null) return null;
  const aroundMs = 86_400_000;
  for (const { atMs, beforeMs, afterMs } of zone.changes(firstMs - aroundMs, lastMs + aroundMs)) {
    const changeMs = Math.abs(afterMs - beforeMs);
    if (firstMs < atMs - changeMs || lastMs >= atMs + changeMs) continue;
    return { zone: name, atMs, kind: afterMs > beforeMs ? 'skipped' : 'repeated', changeMs, isZoneKnown };
  }
  return null;
}
