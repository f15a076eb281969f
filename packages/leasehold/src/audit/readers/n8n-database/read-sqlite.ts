import type { AuditSink } from '../../model/sink.ts';
import { sentence } from '../live/sentence.ts';
import type { LiveSettings } from '../live/settings.ts';
import type { LiveSource } from '../live/source.ts';
import { failureText } from './failure.ts';
import { readN8nDatabase } from './read.ts';
import { type OpenedFile, openN8nFile } from './sqlite.ts';

/**
 * Reads the SQLite database of an n8n, by its path or by `sqlite:PATH`, which are the same: what counts is whether somebody
 * works on it. If so it is a running system: asked for the days that were asked for, and it goes on until now. Else it is a
 * file: read whole, and it ends with its newest instant. Never rejects.
 */
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
  const name = opened.isInUse ? `sqlite:${source.path}` : source.path;
  const days = opened.isInUse ? settings.days : Number.POSITIVE_INFINITY;
  await readN8nDatabase(opened.database, name, sink, { ...settings, days });
}
