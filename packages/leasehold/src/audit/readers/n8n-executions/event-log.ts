import type { HistoryRun } from '../../model/run.ts';
import type { AuditSink } from '../../model/sink.ts';
import { redact } from '../../redact.ts';
import { type JsonObject, objectAt, textAt } from '../json/json-value.ts';
import { believable, InstantReader } from '../table/instants.ts';

/** Runs that began and of which the end is still to come: more than an instance works on at once. */
const OPEN_MAX = 100_000;

type Outcome = Pick<HistoryRun, 'state' | 'result'>;

const ENDS: Readonly<Record<string, Outcome>> = {
  success: { state: 'ended', result: 'success' },
  failed: { state: 'ended', result: 'failure' },
  crashed: { state: 'ended', result: 'crashed' },
  cancelled: { state: 'ended', result: 'cancelled' },
};
const NAME = /^n8n\.workflow\.(started|success|failed|crashed|cancelled)$/;

/** True for a line of n8n's event log that tells of the start or the end of a run. */
export function isN8nEvent(value: JsonObject): boolean {
  return 'ts' in value && NAME.test(textAt(value, 'eventName') ?? '') && objectAt(value, 'payload') !== null;
}

/**
 * Runs from n8n's event log, where start and end are lines of their own. A log that was rotated may have the one
 * without the other: then the run has no start, or is open.
 */
export class N8nEvents {
  readonly #source: string;
  readonly #sink: AuditSink;
  readonly #open = new Map<string, HistoryRun>();
  readonly #instants = new InstantReader(null, null);

  constructor(source: string, sink: AuditSink) {
    this.#source = source;
    this.#sink = sink;
  }

  add(value: JsonObject, place: string): void {
    const run = this.#runOf(value, place);
    const ended = ENDS[NAME.exec(textAt(value, 'eventName') ?? '')?.[1] ?? ''];
    if (ended === undefined) {
      if (this.#open.size < OPEN_MAX) this.#open.set(run.runId, run);
      return;
    }
    const started = this.#open.get(run.runId);
    this.#open.delete(run.runId);
    const isClockSuspect = run.isClockSuspect || started?.isClockSuspect === true;
    this.#hand({ ...(started ?? { ...run, startedAtMs: null }), endedAtMs: run.startedAtMs, ...ended, isClockSuspect });
  }

  /** To be called once, at the end of the file. */
  end(): void {
    for (const run of this.#open.values()) this.#hand(run);
  }

  /** As if the event were a start. */
  #runOf(value: JsonObject, place: string): HistoryRun {
    const payload = objectAt(value, 'payload') ?? {};
    const atMs = this.#instants.read(value['ts']);
    const name = textAt(payload, 'workflowName');
    return {
      workflow: textAt(payload, 'workflowId') ?? name ?? this.#source,
      workflowName: name === null ? null : redact(name),
      runId: textAt(payload, 'executionId') ?? place,
      startedAtMs: believable(atMs),
      endedAtMs: null,
      state: 'running',
      result: 'unknown',
      cause: payload['isManual'] === true ? 'manual' : 'unknown',
      retryOf: null,
      versionId: null,
      slotAtMs: null,
      isClockSuspect: Number.isNaN(atMs),
    };
  }

  #hand(run: HistoryRun): void {
    this.#sink.run(run, this.#source);
  }
}
