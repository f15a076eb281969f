import { createReadStream } from 'node:fs';
import type { AuditSink } from '../model/sink.ts';
import { readNdjson } from './plain-ndjson.ts';
import type { ReadOptions } from './reading.ts';

/** Reads one argument of the command line: a path, a folder, `-`, or the address of a live source. */
export async function readSource(argument: string, sink: AuditSink, options: ReadOptions): Promise<void> {
  const bytes = argument === '-' ? options.stdin() : createReadStream(argument);
  try {
    await readNdjson({ path: argument, bytes }, sink, options);
  } catch (error) {
    sink.unread(argument, error instanceof Error ? error.message : String(error));
  }
}
