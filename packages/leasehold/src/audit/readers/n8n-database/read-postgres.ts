import type { AuditSink } from '../../model/sink.ts';
import { sentence } from '../live/sentence.ts';
import type { LiveSettings } from '../live/settings.ts';
import type { LiveSource } from '../live/source.ts';
import type { N8nDatabase } from './database.ts';
import { failureText } from './failure.ts';
import { openN8nPostgres } from './postgres.ts';
import { readN8nDatabase } from './read.ts';

/** Reads the PostgreSQL database of an n8n. Never rejects. */
export async function readN8nPostgres(
  source: Extract<LiveSource, { kind: 'n8n-postgres' }>,
  sink: AuditSink,
  settings: LiveSettings,
): Promise<void> {
  let database: N8nDatabase;
  try {
    database = await openN8nPostgres(source.url, settings.clock);
  } catch (error) {
    return sink.unread(source.name, sentence(`It can't be read: ${failureText(error)}`));
  }
  await readN8nDatabase(database, source.name, sink, settings);
}
