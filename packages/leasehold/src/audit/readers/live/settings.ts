import type { AuditSink } from '../../model/sink.ts';

/** What a reader of a running system needs to know besides its address; the command line fills it in. */
export interface LiveSettings {
  /** The instant that counts as now, in ms UTC. */
  readonly nowMs: number;
  /** How far back runs are read, in days; Infinity for all. What is still open is read whatever its age. */
  readonly days: number;
  readonly clock: LiveClock;
  /** Told after each step that may take a while; the command line decides whether anybody sees it. */
  progress(text: string): void;
  /** Told what somebody who waits should know, whether he sits at a terminal or not. */
  warn(text: string): void;
  /** Reads the definition of a workflow, as the API gives it, into the sink: what reads exported files does the same. */
  readWorkflow(value: unknown, source: string, sink: AuditSink): void | Promise<void>;
}

/** The part of the port Clock that readers wait by. */
export interface LiveClock {
  sleep(ms: number): Promise<void>;
  schedule(ms: number, callback: () => void): { cancel(): void };
}

const DAY_MS = 86_400_000;

/** Runs that started before this instant are not asked for. */
export function fromMs({ nowMs, days }: Pick<LiveSettings, 'nowMs' | 'days'>): number {
  return nowMs - days * DAY_MS;
}
