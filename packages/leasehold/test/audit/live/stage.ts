/** Readers of running systems with a sink that keeps what it is given, and a clock on which no wait takes any time. */
import assert from 'node:assert/strict';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import type { AuditSink, OffTime } from '../../../src/audit/model/sink.ts';
import { openSource, readSource as openAndRead } from '../../../src/audit/readers/open-source.ts';
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
  readonly warned: string[];
}

export interface ReadOptions extends Partial<LiveSettings> {
  readonly key?: string;
}

/** Reads one source as the command line would. */
export async function readSource(argument: string, options: ReadOptions = {}): Promise<Read> {
  const { key, ...settings } = options;
  const read: Read = {
    runs: [],
    workflows: [],
    unread: [],
    limits: [],
    offTimes: [],
    waited: [],
    progress: [],
    warned: [],
  };
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
    warn: (text) => void read.warned.push(text),
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

/** Reads what was named as the audit does, a path or an address: how many runs, and of which sources. */
export async function readArgument(
  argument: string,
): Promise<{ readonly runs: number; readonly sources: readonly string[] }> {
  const sources: string[] = [];
  const sink: AuditSink = {
    run: (_run, source) => void sources.push(source),
    workflow: () => {},
    unread: (path, reason) => assert.fail(`${path}: ${reason}`),
    limit: () => {},
  };
  const options = {
    nowMs: NOW,
    timezone: null,
    map: null,
    days: 30,
    env: {},
    stdin: () => assert.fail('nothing is piped'),
    sleep: async () => {},
    schedule: () => ({ cancel: () => {} }),
    progress: () => {},
    warn: (line: string) => assert.fail(line),
  };
  await openAndRead(openSource(argument, options), sink, options);
  return { runs: sources.length, sources: [...new Set(sources)] };
}
