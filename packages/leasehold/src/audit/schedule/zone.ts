/**
 * The offsets of a time zone as spans of UTC. All arithmetic of this folder is in milliseconds: a local time is an
 * instant plus its offset, read as if it were UTC. So a year needs a handful of look-ups, not one for each start.
 */
import { Temporal } from 'temporal-polyfill';

/** `fromMs` (in) to `toMs` (out), UTC, with one offset: local = UTC + `offsetMs`. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

/** The clocks go from one offset to another: forward skips local times, backward repeats them. */
export interface ClockChange {
  readonly atMs: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

export interface Zone {
  readonly name: string;
  /** Spans that cover the window without a hole, in order. */
  spans(fromMs: number, toMs: number): readonly Span[];
  changes(fromMs: number, toMs: number): readonly ClockChange[];
  offsetAt(atMs: number): number;
}

/** No zone has had so many changes in a span that is asked for; it bounds the loop. */
const CHANGES_MAX = 10_000;
const KEPT_MAX = 1_000;
const NS_PER_MS = 1_000_000;

const opened = new Map<string, Zone | null>();

/** Null for a name that no zone has. */
export function openZone(name: string): Zone | null {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const zone = isZone(name) ? makeZone(name) : null;
  if (opened.size < KEPT_MAX) opened.set(name, zone);
  return zone;
}

function isZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** Offsets are looked up once for the window that is asked for and this much around it. */
const AHEAD_MS = 400 * 86_400_000;

function makeZone(name: string): Zone {
  let known: readonly Span[] = [];
  const cover = (fromMs: number, toMs: number): readonly Span[] => {
    const startMs = known[0]?.fromMs ?? fromMs;
    const endMs = known.at(-1)?.toMs ?? toMs;
    if (known.length === 0 || fromMs < startMs || toMs > endMs) {
      known = spansOf(name, Math.min(fromMs - AHEAD_MS, startMs), Math.max(toMs + AHEAD_MS, endMs));
    }
    return known;
  };
  const spans = (fromMs: number, toMs: number): Span[] =>
    cover(fromMs, toMs)
      .filter((span) => span.toMs > fromMs && span.fromMs < toMs)
      .map((span) => ({ ...span, fromMs: Math.max(span.fromMs, fromMs), toMs: Math.min(span.toMs, toMs) }));
  return {
    name,
    spans,
    changes: (fromMs, toMs) => changesOf(spans(fromMs, toMs)),
    offsetAt: (atMs) => cover(atMs, atMs + 1).find((span) => atMs < span.toMs)?.offsetMs ?? 0,
  };
}

const at = (name: string, ms: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name);

function spansOf(name: string, fromMs: number, toMs: number): Span[] {
  const spans: Span[] = [];
  let here = at(name, fromMs);
  for (let count = 0; count < CHANGES_MAX; count++) {
    const offsetMs = here.offsetNanoseconds / NS_PER_MS;
    const startMs = spans.at(-1)?.toMs ?? fromMs;
    const next = here.getTimeZoneTransition('next');
    const endMs = next === null ? toMs : Math.min(next.epochMilliseconds, toMs);
    if (endMs > startMs) spans.push({ fromMs: startMs, toMs: endMs, offsetMs });
    if (next === null || endMs >= toMs) break;
    here = next;
  }
  return spans;
}

/** A transition may leave the offset alone (only the name or the legal status changes): that is no change here. */
function changesOf(spans: readonly Span[]): ClockChange[] {
  const changes: ClockChange[] = [];
  for (const [index, span] of spans.entries()) {
    const before = spans[index - 1];
    if (before === undefined || before.offsetMs === span.offsetMs) continue;
    changes.push({ atMs: span.fromMs, beforeMs: before.offsetMs, afterMs: span.offsetMs });
  }
  return changes;
}
