import { createReadStream } from 'node:fs';
import type { AuditSink } from '../model/sink.ts';
import { readLiveSource } from './live/read.ts';
import type { LiveSettings } from './live/settings.ts';
import { type LiveSource, parseLiveSource } from './live/source.ts';
import { readN8nWorkflow } from './n8n-workflow/read.ts';
import { readNdjson } from './plain-ndjson.ts';
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
  if (live?.kind === 'n8n-api' && live.warning !== null) warn(live.warning);
  return { argument, live };
}

export async function readSource({ argument, live }: Source, sink: AuditSink, options: ReadOptions): Promise<void> {
  if (live !== null) return readLiveSource(live, sink, liveSettings(options));
  const bytes = argument === '-' ? options.stdin() : createReadStream(argument);
  try {
    await readNdjson({ path: argument, bytes }, sink, options);
  } catch (error) {
    sink.unread(argument, error instanceof Error ? error.message : String(error));
  }
}

function liveSettings({ nowMs, days, sleep, schedule, progress }: ReadOptions): LiveSettings {
  return { nowMs, days, clock: { sleep, schedule }, progress, readWorkflow: readN8nWorkflow };
}
