import type { HistoryRun } from '../../model/run.ts';
import type { AuditSink } from '../../model/sink.ts';
import { redact } from '../../redact.ts';
import { type JsonObject, textAt } from '../json/json-value.ts';
import { believable, InstantReader } from '../table/instants.ts';
import { bareNumber } from '../table/durations.ts';
import { outcomeOf } from '../table/run-words.ts';
import { MAKE_SAID } from './make-said.ts';
import { type MakeTimes, readingOf } from './start-or-end.ts';

/** `<epochMs>_<scenario|dlq>.<id>.<auto|manual>.<executionId>`. */
const IMT_ID = /^\d+_(scenario|dlq)\.([^.]+)\.([^.]+)\.(.+)$/;
/** By so many runs of a scenario it is decided what its timestamps mean. */
const SAMPLE_ROWS = 10_000;
const RETRIES_KEPT_MAX = 100_000;

type Outcome = Pick<HistoryRun, 'state' | 'result'>;

/** What Make calls the state of a run; a map, because a file may say `constructor`. */
const STATUS: ReadonlyMap<string, Outcome> = new Map(
  Object.entries<Outcome>({
    0: { state: 'running', result: 'unknown' },
    1: { state: 'ended', result: 'success' },
    2: { state: 'ended', result: 'success' },
    3: { state: 'ended', result: 'failure' },
  }),
);

interface MakeRow {
  readonly run: Omit<HistoryRun, 'workflow' | 'startedAtMs' | 'endedAtMs'>;
  readonly atMs: number | null;
  readonly tookMs: number | null;
}

/** True for a row of a scenario's log, as the API lists it; changes to a scenario stand in the same list. */
export function isMakeLog(value: JsonObject): boolean {
  if (!('timestamp' in value)) return false;
  if (typeof value['imtId'] === 'string') return true;
  return 'duration' in value && ('operations' in value || 'centicredits' in value) && 'status' in value;
}

/** True for the names of such rows in a table that somebody made of the API's answer. */
export function isMakeHeader(names: readonly string[]): boolean {
  const known = new Set(names.map((name) => name.trim()));
  return known.has('imtId') && known.has('timestamp') && known.has('duration');
}

/**
 * Runs of Make's scenarios. Make doesn't say whether the timestamp of a run is its start or its end: that is told by
 * which of the two keeps to the interval (`start-or-end.ts`), so the first rows of each scenario wait for it.
 */
export class MakeLogs {
  readonly #source: string;
  readonly #sink: AuditSink;
  readonly #scenarios = new Map<string, { waiting: MakeRow[]; reading: 'start' | 'end' | null }>();
  /** Retries name the incomplete execution and not the scenario. */
  readonly #retries: MakeRow[] = [];
  readonly #instants = new InstantReader(null, null);
  #changes = 0;

  constructor(source: string, sink: AuditSink) {
    this.#source = source;
    this.#sink = sink;
  }

  add(value: JsonObject, at: number): void {
    const [, kind, id, , execution] = IMT_ID.exec(textAt(value, 'imtId') ?? '') ?? [];
    const tookMs = bareNumber(value['duration']);
    if (isChange(value, tookMs, kind)) {
      this.#changes += 1;
      return;
    }
    const isRetry = kind === 'dlq';
    const row = this.#rowOf(value, isRetry, textAt(value, 'id') ?? execution ?? `entry ${at}`, tookMs);
    const scenario = textAt(value, 'scenarioId', 'scenario_id') ?? (isRetry ? null : (id ?? this.#source));
    if (scenario !== null) this.#addRow(scenario, row);
    else if (this.#retries.length < RETRIES_KEPT_MAX) this.#retries.push(row);
  }

  /** To be called once, at the end of the file. */
  end(): void {
    const [only, ...others] = [...this.#scenarios.keys()];
    const isKnown = only !== undefined && others.length === 0;
    for (const row of this.#retries) this.#addRow(isKnown ? only : MAKE_SAID.retriesName, row);
    for (const [scenario, { reading }] of this.#scenarios) if (reading === null) this.#decide(scenario);
    if (this.#retries.length > 0 && !isKnown) this.#limit(null, MAKE_SAID.retriesUnknown(this.#retries.length));
    if (this.#changes > 0) this.#limit(null, MAKE_SAID.changes(this.#changes));
  }

  #rowOf(value: JsonObject, isRetry: boolean, runId: string, tookMs: number | null): MakeRow {
    const atMs = this.#instants.read(value['timestamp']);
    const status = textAt(value, 'status') ?? '';
    const name = textAt(value, 'scenarioName');
    return {
      run: {
        workflowName: name === null ? null : redact(name),
        runId,
        ...(STATUS.get(status) ?? outcomeOf(status, false) ?? { state: 'ended', result: 'unknown' }),
        cause: causeOf(value, isRetry),
        retryOf: null,
        versionId: null,
        slotAtMs: null,
        isClockSuspect: Number.isNaN(atMs),
      },
      atMs: believable(atMs),
      tookMs: tookMs !== null && tookMs >= 0 ? tookMs : null,
    };
  }

  #addRow(scenario: string, row: MakeRow): void {
    const known = this.#scenarios.get(scenario) ?? { waiting: [], reading: null };
    this.#scenarios.set(scenario, known);
    if (known.reading !== null) return this.#hand(scenario, row, known.reading);
    known.waiting.push(row);
    if (known.waiting.length >= SAMPLE_ROWS) this.#decide(scenario);
  }

  #decide(scenario: string): void {
    const known = this.#scenarios.get(scenario);
    if (known === undefined) return;
    // Only what an interval started keeps to it.
    const planned = known.waiting.filter(({ run }) => run.cause === 'trigger');
    const { reading, sentence } = readingOf(
      planned.flatMap(({ atMs, tookMs }): MakeTimes[] => (atMs === null || tookMs === null ? [] : [{ atMs, tookMs }])),
    );
    this.#limit(scenario, sentence);
    known.reading = reading;
    for (const row of known.waiting) this.#hand(scenario, row, reading);
    known.waiting = [];
  }

  #hand(scenario: string, { run, atMs, tookMs }: MakeRow, reading: 'start' | 'end'): void {
    const isAfter = reading === 'end' && run.state === 'ended';
    const startedAtMs = atMs !== null && isAfter ? atMs - (tookMs ?? 0) : atMs;
    const endedAtMs = startedAtMs === null || tookMs === null ? null : startedAtMs + tookMs;
    this.#sink.run({ ...run, workflow: scenario, startedAtMs, endedAtMs }, this.#source);
  }

  #limit(scenario: string | null, sentence: string): void {
    this.#sink.limit(this.#source, scenario, sentence);
  }
}

/** An edit, a start or a stop of the scenario: no run of it. `type` is its kind, where a run's is what started it. */
function isChange(value: JsonObject, tookMs: number | null, kind: string | undefined): boolean {
  const eventType = textAt(value, 'eventType');
  if (eventType !== null) return eventType !== 'EXECUTION_END';
  if (tookMs !== null) return false;
  const type = textAt(value, 'type');
  return kind === undefined || (type !== null && !/^(?:auto|manual)$/i.test(type));
}

function causeOf(value: JsonObject, isRetry: boolean): HistoryRun['cause'] {
  if (isRetry) return 'retry';
  if (value['type'] === 'manual') return 'manual';
  return value['instant'] === true || value['instant'] === 'true' ? 'webhook' : 'trigger';
}
