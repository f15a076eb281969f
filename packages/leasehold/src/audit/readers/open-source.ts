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

/** `isMapUsed`: what `--map` says was asked, which only tables do. */
export async function readSource(
  { argument, live }: Source,
  sink: AuditSink,
  options: ReadOptions,
): Promise<{ readonly isMapUsed: boolean }> {
  const use = { isMapUsed: false };
  if (live !== null) {
    await readLiveSource(live, sink, liveSettings(options));
    return use;
  }
  await readPath(argument, sink, {
    timezone: options.timezone,
    columns: options.map,
    mapUsed: () => {
      use.isMapUsed = true;
    },
    stdin: options.stdin,
    readDatabase: (path, to) => readLiveSource({ kind: 'n8n-sqlite', path, name: path }, to, liveSettings(options)),
  });
  return use;
}

function liveSettings({ nowMs, days, sleep, schedule, progress, warn }: ReadOptions): LiveSettings {
  return {
    nowMs,
    days,
    clock: { sleep, schedule },
    progress: (text) => progress(redact(text)),
    warn: (text) => warn(redact(text)),
    readWorkflow: (value, source, sink) => readN8nWorkflow(value, source, sink, true),
  };
}
