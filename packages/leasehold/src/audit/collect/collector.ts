import type { HistoryRun } from '../model/run.ts';
import type { AuditSink } from '../model/sink.ts';
import type { FoundWorkflow } from '../model/workflow.ts';
import { redact } from '../redact.ts';
import { RunTable } from './run-table.ts';

/** What was found of the runs of one workflow, besides the runs themselves. */
export interface RunGroup {
  readonly index: number;
  readonly id: string;
  name: string | null;
  readonly sources: Set<string>;
  /** Rows that were there already. */
  repeated: number;
  /** Rows whose id another run has too. */
  clashing: number;
}

export interface Limit {
  readonly source: string;
  readonly workflow: string | null;
  readonly sentence: string;
}

export interface Unread {
  readonly path: string;
  readonly reason: string;
}

/** A file of a million bad lines must not make a report of a million. */
const UNREAD_MAX = 10_000;

/** Gathers what the readers find. Nothing is judged here. */
export class Collector implements AuditSink {
  readonly table: RunTable = new RunTable();
  readonly groups: Map<string, RunGroup> = new Map();
  readonly workflows: FoundWorkflow[] = [];
  readonly limits: Limit[] = [];
  /** Newest instant of each source: a file says nothing of what came after it. */
  readonly newestMs: Map<string, number> = new Map();
  readonly #unread: Unread[] = [];
  readonly #laterMsMax: number;
  #unreadCount = 0;
  #last: { readonly group: RunGroup; readonly source: string } | null = null;
  #newest: { readonly source: string; ms: number } = { source: '', ms: Number.NEGATIVE_INFINITY };

  /** Instants later than this are nobody's newest. */
  constructor(laterMsMax: number) {
    this.#laterMsMax = laterMsMax;
  }

  run(run: HistoryRun, source: string): void {
    const group = this.#groupOf(run, source);
    const outcome = this.table.add(run, group.index);
    if (outcome === 'repeated') group.repeated += 1;
    if (outcome === 'clashing') group.clashing += 1;
    this.#see(source, run.startedAtMs);
    if (run.state === 'ended') this.#see(source, run.endedAtMs);
  }

  workflow(workflow: FoundWorkflow): void {
    this.workflows.push(workflow);
  }

  unread(path: string, reason: string): void {
    this.#unreadCount += 1;
    if (this.#unreadCount <= UNREAD_MAX) this.#unread.push({ path: redact(path), reason: redact(reason) });
  }

  limit(source: string, workflow: string | null, sentence: string): void {
    this.limits.push({ source, workflow, sentence: redact(sentence) });
  }

  /** The whole list, or its first 10,000 and how many there are. */
  unreadList(): readonly Unread[] {
    const more = this.#unreadCount - this.#unread.length;
    if (more === 0) return this.#unread;
    return [...this.#unread, { path: '…', reason: `${more} more of these are not listed.` }];
  }

  #groupOf(run: HistoryRun, source: string): RunGroup {
    const last = this.#last;
    if (last !== null && last.source === source && last.group.id === run.workflow) {
      last.group.name ??= run.workflowName;
      return last.group;
    }
    let group = this.groups.get(run.workflow);
    if (group === undefined) {
      group = {
        index: this.groups.size,
        id: run.workflow,
        name: run.workflowName,
        sources: new Set(),
        repeated: 0,
        clashing: 0,
      };
      this.groups.set(group.id, group);
    }
    group.name ??= run.workflowName;
    group.sources.add(source);
    this.#last = { group, source };
    return group;
  }

  #see(source: string, ms: number | null): void {
    if (this.#newest.source !== source) {
      this.#newest = { source, ms: this.newestMs.get(source) ?? Number.NEGATIVE_INFINITY };
    }
    if (ms === null || ms <= this.#newest.ms || ms > this.#laterMsMax) return;
    this.#newest.ms = ms;
    this.newestMs.set(source, ms);
  }
}
