import type { HistoryRun } from '../../model/run.ts';
import { redact } from '../../redact.ts';
import { attemptOf } from './attempts.ts';
import { causeOf } from './cause-words.ts';
import type { Field } from './column-map.ts';
import { readDuration } from './durations.ts';
import { believable, type Instant, InstantReader } from './instants.ts';
import type { Column, Layout } from './layout.ts';
import { LocalZone } from './local-zone.ts';
import type { ReadRun } from './repeated-hours.ts';
import { NO_TIMES, type RowTimes, slotOf, spansOf } from './row-times.ts';
import { outcomeOf } from './run-words.ts';

/** Names that were looked at, so that a million rows of ten workflows are not looked at a million times. */
const REMEMBERED_MAX = 10_000;

/** What n8n writes where only a call ends a wait. */
const FOR_EVER = /^\s*3000-/;
const WAITING = { state: 'waiting', result: 'unknown' } as const;

interface TimesRead {
  readonly first: RowTimes;
  readonly later: RowTimes | null;
  readonly isClockSuspect: boolean;
}

/** Turns rows of one table into runs, by the layout that was decided. */
export class RowReader {
  readonly instants: InstantReader;
  /** False where all times are UTC or have an offset. */
  readonly mayRepeatHours: boolean;
  /** Zones that rows name and nobody knows. */
  readonly badZones: Set<string> = new Set();
  /** Runs with an instant in an hour that came twice of which the row itself tells the start. */
  settled = 0;
  readonly #columns: Layout['columns'];
  readonly #layout: Layout;
  readonly #source: string;
  readonly #rowWord: string;
  /** Of a run that nobody says what started it. */
  readonly #unsaid: HistoryRun['cause'];
  readonly #zones = new Map<string, LocalZone | null>();
  readonly #names = new Map<string, string>();

  /** `zone`: of times that name none. `rowWord`: what a row is called where it has no id. */
  constructor(layout: Layout, source: string, zone: LocalZone | null, rowWord: string) {
    this.#layout = layout;
    this.#columns = layout.columns;
    this.#unsaid = layout.isByRecord ? 'webhook' : 'unknown';
    this.#source = source;
    this.#rowWord = rowWord;
    this.mayRepeatHours = zone !== null || layout.columns.timezone !== undefined;
    this.instants = new InstantReader(layout.order, zone);
  }

  /** `at`: number of the row, from 1. */
  runOf(row: unknown, at: number): ReadRun {
    const name = this.#text('name', row);
    // What a workflow is known by stays as it is: without their secrets two would be one. Only its name is shown.
    const known = this.#text('workflow', row) ?? name ?? this.#source;
    const host = this.#columns.host === undefined ? null : this.#text('host', row);
    const isApart = host !== null && this.#layout.isHostGiven;
    const part = isApart ? null : this.#valueApart(row);
    const ending = isApart ? ` on ${host}` : part === null ? '' : ` [${part}]`;
    const workflow = `${known}${ending}`;
    const shownName = ending === '' ? name : `${name ?? known}${ending}`;
    const { first, later, isClockSuspect } = this.#times(row);
    const { startedAtMs, endedAtMs, slotAtMs } = first;
    const { state, result } = this.#outcome(row, endedAtMs);
    const id = this.#text('id', row);
    const isPart = id !== null && this.#layout.apart?.kind === 'parts';
    const again = this.#attempt(row);
    // Written out, since there may be a million of them.
    const run = {
      workflow,
      workflowName: shownName === null ? null : this.#shown(shownName),
      runId: id === null ? `${this.#rowWord} ${at}` : again === null ? id : `${id}#${again}`,
      startedAtMs,
      endedAtMs,
      state,
      result,
      cause:
        this.#columns.trigger === undefined
          ? this.#unsaid
          : causeOf(this.#columns.trigger.of(row), this.#layout.isTriggerKind),
      retryOf: this.#text('retry', row) ?? (again === null ? null : id),
      versionId: this.#text('version', row),
      slotAtMs,
      isClockSuspect,
    };
    const onHost = host === null || isApart ? run : { ...run, host };
    const read = { run: isPart ? { ...onHost, isPart } : onHost, later };
    return this.#columns.wait === undefined ? read : this.#waiting(read, row);
  }

  /** What tells a row from others of its job; null where nothing does. */
  #valueApart(row: unknown): string | null {
    const { apart, columns } = this.#layout;
    if (apart?.kind !== 'workflows' || apart.whole.has((columns.workflow ?? columns.name)?.of(row))) return null;
    const value = apart.column.of(row);
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' ? value.trim() || null : null;
  }

  /** The number of a try that repeats an earlier one; null for a run's first. */
  #attempt(row: unknown): number | null {
    const { attempts } = this.#layout;
    const number = attempts === null ? null : attemptOf(attempts.column, row);
    return number === null || number <= (attempts?.first ?? 1) ? null : number;
  }

  #waiting({ run, later }: ReadRun, row: unknown): ReadRun {
    const waitTillMs = this.#waitOf(row, run.endedAtMs);
    if (waitTillMs === undefined) return { run, later };
    const open = { ...WAITING, waitTillMs, endedAtMs: null };
    return { run: { ...run, ...open }, later: later === null ? null : { ...later, endedAtMs: null } };
  }

  /** `later` where the row leaves open which of two hours its start was in. */
  #times(row: unknown): TimesRead {
    const { start, end, duration, slot } = this.#columns;
    const tookMs = duration === undefined ? null : readDuration(duration.of(row), this.#layout.unit);
    if (this.mayRepeatHours) return this.#timesOnClock(row, tookMs);
    let startedAtMs = start === undefined ? null : this.#instant(start, row);
    let endedAtMs = end === undefined ? null : this.#instant(end, row);
    const slotAtMs = slot === undefined ? null : believable(this.#instant(slot, row));
    const isClockSuspect = Number.isNaN(tookMs) || Number.isNaN(startedAtMs) || Number.isNaN(endedAtMs);
    if (end === undefined && startedAtMs !== null && tookMs !== null) endedAtMs = startedAtMs + tookMs;
    if (start === undefined && endedAtMs !== null && tookMs !== null) startedAtMs = endedAtMs - tookMs;
    const first = { startedAtMs: believable(startedAtMs), endedAtMs: believable(endedAtMs), slotAtMs };
    return { first, later: null, isClockSuspect };
  }

  /** Each instant is one, or two where its hour was repeated. */
  #timesOnClock(row: unknown, tookMs: number | null): TimesRead {
    const { start, end, slot } = this.#columns;
    const starts = this.#readings(start, row);
    const ends = this.#readings(end, row);
    const slots = this.#readings(slot, row);
    const isClockSuspect = [tookMs, ...starts, ...ends].some((ms) => Number.isNaN(ms));
    const spans = spansOf({ starts, ends, tookMs, hasStart: start !== undefined, hasEnd: end !== undefined });
    if (starts.length + ends.length > 2 && spans.length === 1) this.settled += 1;
    const [first = NO_TIMES, later = null] = spans.map((span) => ({
      ...span,
      slotAtMs: slotOf(slots, span.startedAtMs),
    }));
    return { first, later, isClockSuspect };
  }

  /** One instant, or two where its hour was repeated; null where there is none. */
  #readings(column: Column | undefined, row: unknown): readonly Instant[] {
    if (column === undefined) return [null];
    const ms = this.#instant(column, row);
    const { laterMs } = this.instants;
    return laterMs === null ? [ms] : [ms, laterMs];
  }

  /**
   * Until when a row waits; undefined where it doesn't. What has an end (of its last part) waits on, if it has not
   * succeeded, was not said to have ended otherwise, and ended before the instant that it waits for.
   */
  #waitOf(row: unknown, endMs: number | null): number | null | undefined {
    const { wait, status } = this.#columns;
    const waitMs = wait === undefined ? null : this.#instant(wait, row);
    if (wait === undefined || waitMs === null || (endMs !== null && endMs > waitMs)) return undefined;
    const isForEver = Number.isNaN(waitMs) && FOR_EVER.test(String(wait.of(row)));
    if (Number.isNaN(waitMs) && !isForEver) return undefined;
    const said = status === undefined ? null : outcomeOf(status.of(row), this.#layout.isExitCode);
    const isSaid = said !== null && said.state !== 'waiting';
    // n8n's `finished: false` tells only that it has not succeeded.
    const tells = isSaid && !(/finished/i.test(status?.name ?? '') && said.result === 'failure');
    return tells ? undefined : isForEver ? null : waitMs;
  }

  /** A row that says nothing of its state has ended if it has an end, and is open where others have one. */
  #outcome(row: unknown, endMs: number | null): Pick<HistoryRun, 'state' | 'result'> {
    const { status, end, duration } = this.#columns;
    const said = status === undefined ? null : outcomeOf(status.of(row), this.#layout.isExitCode);
    if (said !== null && !(said.state === 'queued' && endMs !== null)) return said;
    const isOpen = endMs === null && (end !== undefined || duration !== undefined);
    return { state: isOpen ? 'running' : 'ended', result: 'unknown' };
  }

  #instant(column: Column, row: unknown): Instant {
    const zoneColumn = this.#columns.timezone;
    if (zoneColumn === undefined) return this.instants.read(column.of(row));
    const name = zoneColumn.of(row);
    if (typeof name !== 'string' || name.trim() === '') return this.instants.read(column.of(row));
    const zone = this.#zoneOf(name.trim());
    return zone === null ? Number.NaN : this.instants.read(column.of(row), zone);
  }

  #zoneOf(name: string): LocalZone | null {
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    const zone = zoneNamed(name);
    if (zone === null) this.badZones.add(name);
    if (this.#zones.size < REMEMBERED_MAX) this.#zones.set(name, zone);
    return zone;
  }

  #text(field: Field, row: unknown): string | null {
    const value = this.#columns[field]?.of(row);
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' ? value.trim() || null : null;
  }

  #shown(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const shown = redact(name);
    if (this.#names.size < REMEMBERED_MAX) this.#names.set(name, shown);
    return shown;
  }
}

/** Null for a name that no zone has. */
export function zoneNamed(name: string): LocalZone | null {
  try {
    return new LocalZone(name);
  } catch {
    return null;
  }
}
