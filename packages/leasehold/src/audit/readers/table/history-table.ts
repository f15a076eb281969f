import type { AuditSink } from '../../model/sink.ts';
import type { FileReadOptions } from '../files/file-format.ts';
import { type Column, decideLayout, type Layout } from './layout.ts';
import type { LocalZone } from './local-zone.ts';
import { type ReadRun, RepeatedHours } from './repeated-hours.ts';
import { RowReader, zoneNamed } from './row-reader.ts';
import { TABLE_SAID, zoneSentences } from './table-said.ts';

/** What columns are, and how their values are meant, is decided from so many rows. */
const SAMPLE_ROWS = 2_000;

export interface TableOrigin {
  readonly source: string;
  /** What a row is called where it has no id: `line`, `entry`. */
  readonly rowWord: string;
  /** The columns, seen by the first rows. */
  readonly columnsOf: (sample: readonly unknown[]) => readonly Column[];
}

/** What became of a table: `refused` is no history; `unreadable` is one, and the sink was told what is missing. */
export type TableState = 'sampling' | 'reading' | 'refused' | 'unreadable';

/** Rows of a history, from first to last. Nothing is handed on before it is decided what the columns are. */
export class HistoryTable {
  readonly #origin: TableOrigin;
  readonly #sink: AuditSink;
  readonly #options: FileReadOptions;
  #sample: { readonly row: unknown; readonly at: number }[] = [];
  #reader: RowReader | null = null;
  readonly #hours = new RepeatedHours((run) => this.#sink.run(run, this.#origin.source));
  #zone: LocalZone | null = null;
  #state: TableState = 'sampling';
  #refusal = '';

  constructor(origin: TableOrigin, sink: AuditSink, options: FileReadOptions) {
    this.#origin = origin;
    this.#sink = sink;
    this.#options = options;
  }

  get state(): TableState {
    return this.#state;
  }

  /** Why it is no history. */
  get refusal(): string {
    return this.#refusal;
  }

  /** `at`: number of the row, for people. */
  add(row: unknown, at: number): void {
    if (this.#reader !== null) return this.#put(this.#reader.runOf(row, at));
    if (this.#state !== 'sampling') return;
    this.#sample.push({ row, at });
    if (this.#sample.length === SAMPLE_ROWS) this.#decide();
  }

  /** To be called once, after the last row. */
  end(): TableState {
    if (this.#state === 'sampling' && this.#sample.length > 0) this.#decide();
    this.#hours.end();
    if (this.#reader !== null) this.#tellLimits(this.#reader);
    return this.#state;
  }

  #decide(): void {
    const { source, rowWord, columnsOf } = this.#origin;
    const sample = this.#sample;
    this.#sample = [];
    const rows = sample.map(({ row }) => row);
    this.#options.mapUsed?.();
    const layout = decideLayout(columnsOf(rows), rows, this.#options.columns);
    if ('sentence' in layout) {
      this.#state = layout.isHistory ? 'unreadable' : 'refused';
      this.#refusal = layout.sentence;
      if (layout.isHistory) this.#sink.unread(source, layout.sentence);
      return;
    }
    this.#state = 'reading';
    this.#tellAssumed(layout);
    if (layout.namedByRun !== null) this.#sink.unread(source, TABLE_SAID.noTwoRuns(layout.namedByRun));
    // What a column's own name says stands above what is said about all files.
    const zoneName = layout.zone ?? this.#options.timezone;
    this.#zone = zoneName === null ? null : zoneNamed(zoneName);
    const reader = new RowReader(layout, source, this.#zone, rowWord);
    this.#reader = reader;
    for (const { row, at } of sample) this.#put(reader.runOf(row, at));
  }

  /** Where no hour can come twice there is nothing to wait for. */
  #put(read: ReadRun): void {
    if (this.#reader?.mayRepeatHours === true) this.#hours.add(read);
    else this.#sink.run(read.run, this.#origin.source);
  }

  #tellAssumed(layout: Layout): void {
    const { workflow, name, host } = layout.columns;
    if (host !== undefined && !layout.isHostGiven) {
      this.#sink.hostColumn?.(this.#origin.source, { host: host.name, workflow: (workflow ?? name)?.name ?? null });
    }
    if (workflow === undefined && name === undefined) this.#limit(TABLE_SAID.oneWorkflow);
    for (const sentence of layout.assumes) this.#limit(sentence);
  }

  #tellLimits({ instants, badZones, settled }: RowReader): void {
    const { told, untold } = this.#hours;
    const zone = this.#zone?.name;
    const [ofZone, ofClocks] = zoneSentences(instants, zone);
    if (ofZone !== undefined) this.#limit(ofZone);
    if (told + settled > 0) this.#limit(TABLE_SAID.repeatedHour(told + settled));
    if (untold > 0) this.#limit(TABLE_SAID.openHour(untold));
    if (ofClocks !== undefined) this.#limit(ofClocks);
    for (const name of badZones) this.#sink.unread(this.#origin.source, TABLE_SAID.badZone(name));
  }

  #limit(sentence: string): void {
    this.#sink.limit(this.#origin.source, null, sentence);
  }
}
