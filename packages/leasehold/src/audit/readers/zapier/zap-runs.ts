import type { HistoryRun } from '../../model/run.ts';
import type { AuditSink } from '../../model/sink.ts';
import { redact } from '../../redact.ts';
import { counted } from '../../words.ts';
import { isObject, type JsonObject, listAt, textAt } from '../json/json-value.ts';
import { believable, InstantReader } from '../table/instants.ts';
import type { LocalZone } from '../table/local-zone.ts';
import { TABLE_SAID, zoneSentences } from '../table/table-said.ts';

export const ZAP_RUN_SAID = {
  delayed: (count: number): string =>
    `${counted(count, 'run')} with a delay in the middle: counted from the step after it.`,
} as const;

/** Zapier stops a step long before this; a longer gap between two steps is a delay. */
const STEP_MS_MAX = 15 * 60_000;

type Outcome = Pick<HistoryRun, 'state' | 'result' | 'waitTillMs'>;

/** Nothing runs: it goes on when a person, the account's limit or the next try lets it. */
const HELD: Outcome = { state: 'waiting', result: 'unknown', waitTillMs: null };

/** A map, because a file may say `constructor`. */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map(
  Object.entries<Outcome>({
    success: { state: 'ended', result: 'success' },
    filtered: { state: 'ended', result: 'success' },
    safely_halted: { state: 'ended', result: 'success' },
    skipped: { state: 'ended', result: 'success' },
    halted: { state: 'ended', result: 'failure' },
    stopped: { state: 'ended', result: 'failure' },
    error: { state: 'ended', result: 'failure' },
    errored: { state: 'ended', result: 'failure' },
    cancelled: { state: 'ended', result: 'cancelled' },
    playing: { state: 'running', result: 'unknown' },
    running: { state: 'running', result: 'unknown' },
    waiting: HELD,
    delayed: { state: 'waiting', result: 'unknown' },
    holding: HELD,
    held: HELD,
    on_hold: HELD,
    throttled: HELD,
    scheduled: HELD,
    pending: HELD,
    retrying: HELD,
    replaying: HELD,
    autoreplaying: HELD,
  }),
);
/** Of one whose end nobody tells, in a word that nobody knows: no process of it lives that could be looked for. */
const SAYS_NOTHING: Outcome = { state: 'ended', result: 'unknown' };

/** True for a run as Zapier's API lists it, and as the pages of an account's export have it. */
export function isZapRun(value: JsonObject): boolean {
  return 'zap_id' in value && ['start_time', 'end_time', 'steps', 'zap_title'].some((key) => key in value);
}

/** Runs of Zaps. Their payloads (`data_in`, `data_out`) are not looked at. */
export class ZapRuns {
  readonly #source: string;
  readonly #sink: AuditSink;
  readonly #instants: InstantReader;
  readonly #zone: LocalZone | null;
  #delayed = 0;
  #runs = 0;

  /** `zone`: of times that name none. */
  constructor(source: string, sink: AuditSink, zone: LocalZone | null) {
    this.#source = source;
    this.#sink = sink;
    this.#zone = zone;
    this.#instants = new InstantReader(null, zone);
  }

  add(value: JsonObject, at: number): void {
    this.#runs += 1;
    const status = (textAt(value, 'status') ?? '').toLowerCase().replaceAll(/[\s-]+/g, '_');
    const endedAtMs = this.#instants.read(value['end_time']);
    const said = OUTCOMES.get(status);
    const firstMs = this.#instants.read(value['start_time']);
    const title = textAt(value, 'zap_title');
    this.#sink.run(
      {
        workflow: textAt(value, 'zap_id') ?? this.#source,
        workflowName: title === null ? null : redact(title),
        runId: textAt(value, 'id') ?? `entry ${at}`,
        startedAtMs: this.#startMs(believable(firstMs), value),
        endedAtMs: said === undefined || said.state === 'ended' ? believable(endedAtMs) : null,
        ...(said ?? SAYS_NOTHING),
        cause: isReplay(value, status) ? 'retry' : 'webhook',
        retryOf: null,
        versionId: textAt(value, 'zap_version_id', 'version_id'),
        slotAtMs: null,
        isClockSuspect: Number.isNaN(firstMs) || Number.isNaN(endedAtMs),
      },
      this.#source,
    );
  }

  /** To be called once, at the end of the file. */
  end(): void {
    if (this.#runs > 0) this.#sink.limit(this.#source, null, TABLE_SAID.byRecord);
    for (const sentence of zoneSentences(this.#instants, this.#zone?.name))
      this.#sink.limit(this.#source, null, sentence);
    if (this.#delayed > 0) this.#sink.limit(this.#source, null, ZAP_RUN_SAID.delayed(this.#delayed));
  }

  /** Steps have starts of their own: those before a delay are not the work, and a run may lack its start. */
  #startMs(startMs: number | null, value: JsonObject): number | null {
    const steps = listAt(value, 'steps')
      .filter(isObject)
      .map((step) => believable(this.#instants.read(step['start_time'])))
      .filter((ms) => ms !== null)
      .toSorted((left, right) => left - right);
    const resumed = steps.findLast((ms, at) => at > 0 && ms - (steps[at - 1] ?? ms) > STEP_MS_MAX);
    if (resumed === undefined) return startMs ?? steps[0] ?? null;
    this.#delayed += 1;
    return resumed;
  }
}

/** Sent round once more, by a person or by Zapier itself. */
function isReplay(value: JsonObject, status: string): boolean {
  if (value['is_replay'] === true || value['is_autoreplay'] === true || status === 'replayed') return true;
  return /replay/i.test(textAt(value, 'type', 'run_type') ?? '');
}
