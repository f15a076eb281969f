import type { AuditSink } from '../../model/sink.ts';
import type { LiveSettings } from './settings.ts';
import type { LiveSource } from './source.ts';

/**
 * Reads a running system into the sink: its workflows and its runs. What can't be read is one clear line each, and what
 * was read before counts. Only what the source needs is loaded. Never rejects for what a source does.
 */
export async function readLiveSource(source: LiveSource, sink: AuditSink, settings: LiveSettings): Promise<void> {
  switch (source.kind) {
    case 'n8n-api':
      return (await import('../n8n-api/read.ts')).readN8nApi(source, sink, settings);
    case 'n8n-sqlite':
      return (await import('../n8n-database/read-sqlite.ts')).readN8nSqlite(source, sink, settings);
    case 'n8n-postgres':
      return (await import('../n8n-database/read-postgres.ts')).readN8nPostgres(source, sink, settings);
  }
}
