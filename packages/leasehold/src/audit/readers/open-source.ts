import type { AuditSink } from '../model/sink.ts';
import { redact } from '../redact.ts';
import { readPath } from './files/read-files.ts';
import { readLiveSource } from './live/read.ts';
import type { LiveSettings } from './live/settings.ts';
import { type LiveSource, parseLiveSource } from './live/source.ts';
import { readN8nWorkflow } from './n8n-workflow/read.ts';
import type { ReadOptions } from './reading.ts';

/** One argument of the command line, understood and not opened: a path, a folder, `-`, or a system that runs. */
export interface Source {
  readonly argument: string;
  /** Null for a path. */
  readonly live: LiveSource | null;
}

/** Throws as `parseLiveSource` does: what can't be asked is refused before anything is read. */
export function openSource(argument: string, { env, warn }: ReadOptions): Source {
  const live = parseLiveSource(argument, env['LEASEHOLD_N8N_KEY']);
  if (live?.kind === 'n8n-api' && live.warning !== null) warn(redact(live.warning));
  return { argument, live };
}

export async function readSource({ argument, live }: Source, sink: AuditSink, options: ReadOptions): Promise<void> {
  if (live !== null) return readLiveSource(live, sink, liveSettings(options));
  await readPath(argument, sink, {
    timezone: options.timezone,
    columns: options.map,
    stdin: options.stdin,
    readDatabase: (path, to) => {
      // How far back a running system is asked is no limit of a file.
      const settings = { ...liveSettings(options), days: Number.POSITIVE_INFINITY };
      return readLiveSource({ kind: 'n8n-sqlite', path, name: path }, to, settings);
    },
  });
}

function liveSettings({ nowMs, days, sleep, schedule, progress }: ReadOptions): LiveSettings {
  return {
    nowMs,
    days,
    clock: { sleep, schedule },
    progress: (text) => progress(redact(text)),
    readWorkflow: (value, source, sink) => readN8nWorkflow(value, source, sink, true),
  };
}
