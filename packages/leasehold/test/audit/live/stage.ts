/** Readers of running systems with a sink that keeps what it is given, and a clock on which no wait takes any time. */
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import type { AuditSink, OffTime } from '../../../src/audit/model/sink.ts';
import { readLiveSource } from '../../../src/audit/readers/live/read.ts';
import type { LiveSettings } from '../../../src/audit/readers/live/settings.ts';
import { parseLiveSource } from '../../../src/audit/readers/live/source.ts';

export const NOW = Date.parse('2026-11-30T12:00:00.000Z');
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export interface Read {
  readonly runs: HistoryRun[];
  /** As the readers hand them to whoever reads definitions. */
  readonly workflows: Readonly<Record<string, unknown>>[];
  readonly unread: string[];
  /** Sentences; those about one workflow begin with its id. */
  readonly limits: string[];
  readonly offTimes: OffTime[];
  /** How long each wait was to take. */
  readonly waited: number[];
  readonly progress: string[];
}

export interface ReadOptions extends Partial<LiveSettings> {
  readonly key?: string;
}

/** Reads one source as the command line would. */
export async function readSource(argument: string, options: ReadOptions = {}): Promise<Read> {
  const { key, ...settings } = options;
  const read: Read = { runs: [], workflows: [], unread: [], limits: [], offTimes: [], waited: [], progress: [] };
  const sink: AuditSink = {
    run: (run) => read.runs.push(run),
    workflow: () => {},
    unread: (path, reason) => read.unread.push(`${path}: ${reason}`),
    switchedOff: (_source, _workflow, time) => read.offTimes.push(time),
    limit: (_source, workflow, sentence) => read.limits.push(workflow === null ? sentence : `${workflow}: ${sentence}`),
  };
  const source = parseLiveSource(argument, key);
  if (source === null) throw new Error(`${argument} is no running system`);
  await readLiveSource(source, sink, {
    nowMs: NOW,
    days: 30,
    clock: {
      sleep: async (ms) => void read.waited.push(ms),
      schedule: () => ({ cancel: () => {} }),
    },
    progress: (text) => void read.progress.push(text),
    readWorkflow: (value) => void read.workflows.push(value as Record<string, unknown>),
    ...settings,
  });
  return read;
}

/** All that was said to people. */
export function saidIn({ unread, limits, progress }: Read): string {
  return [...unread, ...limits, ...progress].join('\n');
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
