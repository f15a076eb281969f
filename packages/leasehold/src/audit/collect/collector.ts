import type { HistoryRun } from '../model/run.ts';
import type { AuditSink, HostColumn, OffTime } from '../model/sink.ts';
import type { FoundWorkflow } from '../model/workflow.ts';
import { redact } from '../redact.ts';
import { counted, grouped } from '../words.ts';
import { RunTable } from './run-table.ts';

/** What was found of the runs of one workflow on one host, besides the runs themselves. */
export interface RunGroup {
  readonly index: number;
  /** Of the workflow. */
  readonly id: string;
  /** Null where none was named. */
  readonly host: string | null;
  name: string | null;
  readonly sources: Set<string>;
  /** The one that its newest run came from. */
  lastSource: string;
  /** Rows that were there already. */
  repeated: number;
  /** Rows whose id another run has too. */
  clashing: number;
}

interface Limit {
  readonly source: string;
  readonly workflow: string | null;
  readonly sentence: string;
}

export interface Unread {
  readonly path: string;
  readonly reason: string;
}

export interface Tally {
  readonly found: number;
  readonly unread: number;
}

/** Each takes some kilobytes; a million runs of so many fit into 300 MB. Names of runs, taken for workflows, would be endless. */
export const HISTORIES_MAX = 10_000;
/** So many hosts of one workflow are told apart: in containers each run may have a name of its own. */
const HOSTS_MAX = 1_000;

function tooManyText(runs: number): string {
  return `More than ${grouped(HISTORIES_MAX)} workflows have runs: ${counted(runs, 'run')} of those found later were left out; where they are named by their runs, say which column names the workflow, --map workflow=COLUMN.`;
}

/** One that is counted only. */
const MORE: Unread = { path: '…', reason: '…' };
/** A file of a million bad lines must not make a report of a million. */
const UNREAD_MAX = 10_000;

/** Gathers what the readers find. Nothing is judged here. */
export class Collector implements AuditSink {
  readonly table: RunTable = new RunTable();
  /** By the id of the workflow; where a host is known, by both. */
  readonly groups: Map<string, RunGroup> = new Map();
  readonly workflows: FoundWorkflow[] = [];
  /** Of running systems: what could not be looked at. */
  readonly lostParts: Unread[] = [];
  readonly limits: Limit[] = [];
  readonly offTimes: { readonly source: string; readonly workflow: string; readonly time: OffTime }[] = [];
  readonly hostColumns: Map<string, HostColumn> = new Map();
  readonly #newestMs = new Map<string, number>();
  readonly #unread: Unread[] = [];
  readonly #laterMsMax: number;
  #unreadCount = 0;
  #foundCount = 0;
  /** Runs by source of workflows that were too many. */
  readonly #leftOut = new Map<string, number>();
  readonly #hostCounts = new Map<string, number>();
  #last: RunGroup | null = null;
  #newest: { readonly source: string; ms: number } = { source: '', ms: Number.NEGATIVE_INFINITY };

  /** Instants later than this are nobody's newest. */
  constructor(laterMsMax: number) {
    this.#laterMsMax = laterMsMax;
  }

  run(run: HistoryRun, source: string): void {
    this.#foundCount += 1;
    const group = this.#groupOf(run, source);
    if (group === null) {
      this.#leftOut.set(source, (this.#leftOut.get(source) ?? 0) + 1);
      return;
    }
    const outcome = this.table.add(run, group.index);
    if (outcome === 'repeated') group.repeated += 1;
    if (outcome === 'clashing') group.clashing += 1;
    this.#see(source, run.startedAtMs);
    if (run.state === 'ended') this.#see(source, run.endedAtMs);
  }

  workflow(workflow: FoundWorkflow): void {
    this.#foundCount += 1;
    this.workflows.push(workflow);
  }

  empty(): void {
    this.#foundCount += 1;
  }

  unread(path: string, reason: string): void {
    this.#unreadCount += 1;
    if (this.#unreadCount <= UNREAD_MAX) this.#unread.push({ path: redact(path), reason: redact(reason) });
  }

  lost(path: string, reason: string): void {
    this.lostParts.push({ path: redact(path), reason: redact(reason) });
  }

  limit(source: string, workflow: string | null, sentence: string): void {
    this.limits.push({ source, workflow, sentence: redact(sentence) });
  }

  hostColumn(source: string, columns: HostColumn): void {
    this.hostColumns.set(source, columns);
  }

  switchedOff(source: string, workflow: string, time: OffTime): void {
    this.offTimes.push({ source, workflow, time });
  }

  /** How much was handed over so far, repeated or not, and how much was told to be unread. */
  tally(): Tally {
    return { found: this.#foundCount, unread: this.#unreadCount };
  }

  /** What was told since then, the first of it; null where something was found since, or nothing was told. */
  lostSince({ found, unread }: Tally): Unread | null {
    if (this.#foundCount > found || this.#unreadCount === unread) return null;
    return this.#unread[unread] ?? MORE;
  }

  /** The whole list, or its first 10,000 and how many there are. */
  unreadList(): readonly Unread[] {
    const leftOut = [...this.#leftOut].map(([source, runs]) => ({ path: redact(source), reason: tooManyText(runs) }));
    const more = this.#unreadCount - this.#unread.length;
    if (more === 0) return [...leftOut, ...this.#unread];
    return [...leftOut, ...this.#unread, { path: '…', reason: `${grouped(more)} more of these are not listed.` }];
  }

  /** Newest instant of a source: a file says nothing of what came after it. Null where it has none. */
  newestOf(source: string): number | null {
    this.#noteNewest();
    return this.#newestMs.get(source) ?? null;
  }

  #noteNewest(): void {
    const { source, ms } = this.#newest;
    if (Number.isFinite(ms)) this.#newestMs.set(source, ms);
  }

  /** Null where there are too many already. */
  #groupOf(run: HistoryRun, source: string): RunGroup | null {
    const host = run.host ?? null;
    let group = this.#last?.id === run.workflow && this.#last.host === host ? this.#last : this.#known(run, host);
    if (group === undefined) {
      if (host !== null && !this.#isHostToldApart(run.workflow)) return this.#groupOf(withoutHost(run), source);
      if (this.groups.size >= HISTORIES_MAX) return null;
      group = {
        index: this.groups.size,
        id: run.workflow,
        host,
        name: run.workflowName,
        sources: new Set([source]),
        lastSource: source,
        repeated: 0,
        clashing: 0,
      };
      this.groups.set(keyOf(run.workflow, host), group);
      if (host !== null) this.#hostCounts.set(run.workflow, (this.#hostCounts.get(run.workflow) ?? 0) + 1);
    }
    group.name ??= run.workflowName;
    if (group.lastSource !== source) {
      group.sources.add(source);
      group.lastSource = source;
    }
    this.#last = group;
    return group;
  }

  #known({ workflow }: HistoryRun, host: string | null): RunGroup | undefined {
    return this.groups.get(keyOf(workflow, host));
  }

  /** Hosts never take the room of workflows. */
  #isHostToldApart(workflow: string): boolean {
    return this.groups.size < HISTORIES_MAX / 2 && (this.#hostCounts.get(workflow) ?? 0) < HOSTS_MAX;
  }

  #see(source: string, ms: number | null): void {
    if (this.#newest.source !== source) {
      this.#noteNewest();
      this.#newest = { source, ms: this.#newestMs.get(source) ?? Number.NEGATIVE_INFINITY };
    }
    if (ms === null || ms <= this.#newest.ms || ms > this.#laterMsMax) return;
    this.#newest.ms = ms;
  }
}

const keyOf = (workflow: string, host: string | null): string =>
  host === null ? workflow : JSON.stringify([workflow, host]);

function withoutHost({ host: _host, ...run }: HistoryRun): HistoryRun {
  return run;
}
