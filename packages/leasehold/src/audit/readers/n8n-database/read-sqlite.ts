import type { AuditSink } from '../../model/sink.ts';
import { sentence } from '../live/sentence.ts';
import type { LiveSettings } from '../live/settings.ts';
import type { LiveSource } from '../live/source.ts';
import { failureText } from './failure.ts';
import { readN8nDatabase } from './read.ts';
import { type OpenedFile, openN8nFile } from './sqlite.ts';

/** Reads the SQLite database of an n8n. Never rejects. */
export async function readN8nSqlite(
  source: Extract<LiveSource, { kind: 'n8n-sqlite' }>,
  sink: AuditSink,
  settings: LiveSettings,
): Promise<void> {
  let opened: OpenedFile;
  try {
    opened = openN8nFile(source.path, settings.clock);
  } catch (error) {
    return sink.unread(source.name, sentence(`It can't be read: ${failureText(error)}`));
  }
  if (opened.isWithoutLog) {
    sink.limit(
      source.path,
      null,
      'No -wal file stands beside this database: if it was copied while n8n ran, its newest runs are missing; copy both.',
    );
  }
  // Nobody works on it: what is known ends with its newest row and not now, as with any file.
  const name = opened.isWithoutLog ? source.path : source.name;
  await readN8nDatabase(opened.database, name, sink, settings);
}
