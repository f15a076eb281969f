import type { HistoryRun } from '../../model/run.ts';
import { redact } from '../../redact.ts';
import type { Field } from './column-map.ts';
import { readDuration } from './durations.ts';
import { believable, type Instant, InstantReader } from './instants.ts';
import type { Column, Layout } from './layout.ts';
import { LocalZone } from './local-zone.ts';
import { causeOf, outcomeOf } from './run-words.ts';

/** Names that were looked at, so that a million rows of ten workflows are not looked at a million times. */
const REMEMBERED_MAX = 10_000;
/** An id of these characters and this length is no address and no secret that a report would have to hide. */
const PLAIN_ID = /^[\w-]{1,24}$/;

/** Turns rows of one table into runs, by the layout that was decided. */
export class RowReader {
  readonly instants: InstantReader;
  /** Zones that rows name and nobody knows. */
  readonly badZones: Set<string> = new Set();
  readonly #columns: Layout['columns'];
  readonly #layout: Layout;
  readonly #source: string;
  readonly #rowWord: string;
  readonly #zones = new Map<string, LocalZone | null>();
  readonly #names = new Map<string, string>();
  /** Of each workflow the start in the row above. */
  readonly #starts = new Map<string, number>();

  /** `zone`: of times that name none. `rowWord`: what a row is called where it has no id. */
  constructor(layout: Layout, source: string, zone: LocalZone | null, rowWord: string) {
    this.#layout = layout;
    this.#columns = layout.columns;
    this.#source = source;
    this.#rowWord = rowWord;
    this.instants = new InstantReader(layout.order, zone);
  }

  /** `at`: number of the row, from 1. */
  runOf(row: unknown, at: number): HistoryRun {
    const name = this.#text('name', row);
    const workflow = this.#text('workflow', row) ?? name ?? this.#source;
    const { startMs, endMs, isClockSuspect } = this.#times(row, workflow);
    const { state, result } = this.#outcome(row, endMs);
    const slotMs = this.#columns.slot === undefined ? null : this.#instant(this.#columns.slot, row);
    return {
      workflow,
      workflowName: name,
      runId: this.#id('id', row) ?? `${this.#rowWord} ${at}`,
      startedAtMs: startMs,
      endedAtMs: endMs,
      state,
      result,
      cause: this.#columns.trigger === undefined ? 'unknown' : causeOf(this.#columns.trigger.of(row)),
      retryOf: this.#id('retry', row),
      versionId: this.#id('version', row),
      slotAtMs: believable(slotMs),
      isClockSuspect,
    };
  }

  #times(row: unknown, workflow: string): { startMs: number | null; endMs: number | null; isClockSuspect: boolean } {
    const { start, end, duration } = this.#columns;
    const tookMs = duration === undefined ? null : readDuration(duration.of(row), this.#layout.unit);
    let startMs = start === undefined ? null : this.#inTurn(workflow, this.#instant(start, row));
    let endMs = end === undefined ? null : this.#instant(end, row);
    const laterMs = this.instants.laterMs;
    const isClockSuspect = [tookMs, startMs, endMs].some((ms) => Number.isNaN(ms));
    if (end === undefined && startMs !== null && tookMs !== null) endMs = startMs + tookMs;
    if (start === undefined && endMs !== null && tookMs !== null) startMs = endMs - tookMs;
    if (endMs !== null && startMs !== null && endMs < startMs && laterMs !== null) endMs = laterMs;
    return { startMs: believable(startMs), endMs: believable(endMs), isClockSuspect };
  }

  /** A start in an hour that clocks showed twice: in the second of the two where a row above is as late as the first. */
  #inTurn(workflow: string, ms: Instant): Instant {
    if (ms === null || this.instants.localCount === 0) return ms;
    const { laterMs } = this.instants;
    const aboveMs = this.#starts.get(workflow);
    const startMs = laterMs !== null && aboveMs !== undefined && ms <= aboveMs && aboveMs <= laterMs ? laterMs : ms;
    if (this.#starts.size < REMEMBERED_MAX || aboveMs !== undefined) this.#starts.set(workflow, startMs);
    return startMs;
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

  #id(field: Field, row: unknown): string | null {
    const value = this.#columns[field]?.of(row);
    if (typeof value === 'number') return String(value);
    if (typeof value !== 'string') return null;
    const text = value.trim();
    if (text === '') return null;
    return PLAIN_ID.test(text) ? text : redact(text);
  }

  #text(field: Field, row: unknown): string | null {
    const value = this.#columns[field]?.of(row);
    if (typeof value === 'number') return String(value);
    if (typeof value !== 'string') return null;
    const known = this.#names.get(value);
    if (known !== undefined) return known === '' ? null : known;
    const text = redact(value.trim());
    if (this.#names.size < REMEMBERED_MAX) this.#names.set(value, text);
    return text === '' ? null : text;
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
