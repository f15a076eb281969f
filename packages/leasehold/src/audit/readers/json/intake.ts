import type { AuditSink } from '../../model/sink.ts';
import type { FileReadOptions, ReadVerdict } from '../files/file-format.ts';
import { isMakeBlueprint, readMakeBlueprint } from '../make/blueprint.ts';
import { isMakeLog, MakeLogs } from '../make/logs.ts';
import { isN8nEvent, N8nEvents } from '../n8n-executions/event-log.ts';
import { ExecutedWorkflows } from '../n8n-executions/executed-workflows.ts';
import { exportedRun, isN8nExecution } from '../n8n-executions/exported-run.ts';
import { readN8nWorkflow } from '../n8n-workflow/read.ts';
import { isN8nWorkflow } from './n8n-workflows.ts';
import { HistoryTable } from '../table/history-table.ts';
import { InstantReader } from '../table/instants.ts';
import type { LocalZone } from '../table/local-zone.ts';
import { zoneNamed } from '../table/row-reader.ts';
import { zoneSentences } from '../table/table-said.ts';
import { isZap, readZap } from '../zapier/zap.ts';
import { isZapRun, ZapRuns } from '../zapier/zap-runs.ts';
import { JSON_SAID } from './json-said.ts';
import { isObject, type JsonObject } from './json-value.ts';
import { columnsOfObjects, isRowOfRuns } from './object-columns.ts';

/** A list may lie so deep in wrappers: `{"response": {"data": {"results": […]}}}`. */
const WRAPPERS_MAX = 4;
/** After so many values of which none is ours, the file is none of ours. */
const STRANGERS_MAX = 5_000;
/** So many values are looked into, of a file of other people's data. */
const LOOKED_MAX = 500_000;

/**
 * Knows the values of a JSON file by their fields, one by one, since exports mix them: executions and workflows of
 * n8n, logs and blueprints of Make, runs and Zaps of Zapier, and rows of anything else that have a start. A value
 * that is none of these may be a wrapper of some.
 */
export class JsonIntake {
  readonly #path: string;
  readonly #sink: AuditSink;
  readonly #rowWord: string;
  readonly #table: HistoryTable;
  readonly #makeLogs: MakeLogs;
  readonly #zapRuns: ZapRuns;
  readonly #executed: ExecutedWorkflows;
  readonly #events: N8nEvents;
  readonly #zone: LocalZone | null;
  /** Of executions of n8n. */
  readonly #instants: InstantReader;
  #known = 0;
  #rows = 0;
  #strangers = 0;
  #looked = 0;

  constructor(path: string, sink: AuditSink, options: FileReadOptions, rowWord: string) {
    this.#path = path;
    this.#sink = sink;
    this.#rowWord = rowWord;
    this.#table = new HistoryTable({ source: path, rowWord, columnsOf: columnsOfObjects }, sink, options);
    this.#makeLogs = new MakeLogs(path, sink);
    const zone = options.timezone === null ? null : zoneNamed(options.timezone);
    this.#zapRuns = new ZapRuns(path, sink, zone);
    this.#zone = zone;
    this.#instants = new InstantReader(null, zone);
    this.#executed = new ExecutedWorkflows(path, sink);
    this.#events = new N8nEvents(path, sink);
  }

  /** True where reading on would find nothing. */
  get isRefused(): boolean {
    return this.#known === 0 && this.#strangers > STRANGERS_MAX;
  }

  /** `at`: number of the line or entry. */
  take(value: unknown, at: number): void {
    if (isObject(value) && this.#takeKnown(value, at)) {
      this.#known += 1;
      return;
    }
    if (!this.#takeRow(value, at) && !this.#takeWrapped(value, at, 0)) this.#strangers += 1;
  }

  end(): ReadVerdict {
    this.#makeLogs.end();
    this.#zapRuns.end();
    this.#executed.end();
    this.#events.end();
    for (const sentence of zoneSentences(this.#instants, this.#zone?.name))
      this.#sink.limit(this.#path, null, sentence);
    const state = this.#table.end();
    const isTable = state === 'reading' || state === 'unreadable';
    const strangers = this.#strangers + (isTable ? 0 : this.#rows);
    if (this.#known === 0 && !isTable)
      return { kind: 'unrelated', why: JSON_SAID.nothingKnown(Math.max(strangers, 1)) };
    if (strangers > 0) this.#sink.unread(this.#path, JSON_SAID.others(strangers));
    return { kind: 'read' };
  }

  #takeKnown(value: JsonObject, at: number): boolean {
    if (isN8nExecution(value)) {
      this.#sink.run(exportedRun(value, this.#path, `${this.#rowWord} ${at}`, this.#instants), this.#path);
      this.#executed.see(value);
    } else if (isN8nWorkflow(value)) readN8nWorkflow(value, this.#path, this.#sink);
    else if (isN8nEvent(value)) this.#events.add(value, `${this.#rowWord} ${at}`);
    else if (isMakeLog(value)) this.#makeLogs.add(value, at);
    else if (isMakeBlueprint(value)) readMakeBlueprint(value, this.#path, this.#sink);
    else if (isZapRun(value)) this.#zapRuns.add(value, at);
    else if (isZap(value)) readZap(value, this.#path, this.#sink);
    else return false;
    return true;
  }

  /** Looks for lists of known values, and for known values, in a value that is none itself. */
  #takeWrapped(value: unknown, at: number, depth: number): boolean {
    this.#looked += 1;
    if (depth > WRAPPERS_MAX || this.#looked > LOOKED_MAX) return false;
    if (typeof value !== 'object' || value === null) return false;
    let isFound = false;
    for (const inner of Object.values(value)) {
      if (Array.isArray(inner)) isFound = this.#takeList(inner, at, depth) || isFound;
      else if (isObject(inner)) {
        const isKnown = this.#takeKnown(inner, at);
        if (isKnown) this.#known += 1;
        isFound = isKnown || this.#takeWrapped(inner, at, depth + 1) || isFound;
      }
    }
    return isFound;
  }

  #takeList(list: readonly unknown[], at: number, depth: number): boolean {
    let isFound = false;
    for (const [index, entry] of list.entries()) {
      if (!isObject(entry)) continue;
      const place = list.length === 1 ? at : index + 1;
      const isKnown = this.#takeKnown(entry, place);
      if (isKnown) this.#known += 1;
      isFound = isKnown || this.#takeRow(entry, place) || this.#takeWrapped(entry, place, depth + 1) || isFound;
    }
    return isFound;
  }

  #takeRow(value: unknown, at: number): boolean {
    if (!isObject(value) || (this.#table.state !== 'reading' && !isRowOfRuns(value))) return false;
    this.#rows += 1;
    this.#table.add(value, at);
    return true;
  }
}
