import type { AuditSink } from '../../model/sink.ts';
import type { HistoryFound } from '../live/history-begin.ts';
import { readInstant } from '../live/instant.ts';
import { n8nRun } from '../live/n8n-run.ts';
import { fromMs, type LiveSettings } from '../live/settings.ts';
import type { N8nDatabase } from './database.ts';
import { fillQuery, type QueryName } from './fill-query.ts';
import type { N8nTables } from './tables.ts';
import { grouped } from '../../words.ts';

/** What every step of reading one n8n's database shares. */
export interface DatabaseRequest {
  readonly database: N8nDatabase;
  readonly tables: N8nTables;
  /** As reports name it. */
  readonly source: string;
  readonly sink: AuditSink;
  readonly settings: LiveSettings;
}

/** Above every id that n8n can give. */
const ID_END = Number.MAX_SAFE_INTEGER;
/** Pages of 200: ten million runs. Larger ones take no less time, and of a million in SQLite 60 MB more. */
const PAGES_MAX = 50_000;
/** Where the columns stand in the queries for runs. */
const AT = { id: 0, startedAt: 5, createdAt: 7 };

/**
 * Hands over what is open, whatever its age, then what has ended, newest first, until a whole page started before the days that
 * were asked for. By key, never by offset, in one snapshot: nothing is there twice or left out while n8n goes on working.
 * `found` is kept up to date, for whoever has to say how far it got.
 */
export async function readRuns(
  request: DatabaseRequest,
  names: ReadonlyMap<string, string>,
  found: { -readonly [Key in keyof HistoryFound]: HistoryFound[Key] },
): Promise<void> {
  const since = fromMs(request.settings);
  for await (const rows of pagesOf(request, 'open_runs')) {
    for (const row of rows) putRun(request, names, row);
    found.count += rows.length;
  }
  for await (const rows of pagesOf(request, 'ended_runs')) {
    let recent = 0;
    for (const row of rows) {
      const startedMs = readInstant(row[AT.startedAt] ?? row[AT.createdAt]).ms;
      if (startedMs !== null && startedMs < since) continue;
      recent += 1;
      putRun(request, names, row);
      if (startedMs !== null) found.oldestMs = Math.min(found.oldestMs ?? startedMs, startedMs);
    }
    found.count += recent;
    request.settings.progress(`${request.source}: ${grouped(found.count)} runs`);
    if (recent === 0) return;
  }
}

async function* pagesOf(
  { database, tables }: DatabaseRequest,
  name: QueryName,
): AsyncGenerator<(readonly unknown[])[]> {
  const sql = fillQuery(name, database.dialect, tables);
  let below: number = ID_END;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const rows = await database.values(sql, [below]);
    if (rows.length === 0) return;
    below = Number(rows.at(-1)?.[AT.id]);
    yield rows;
    // What the driver still holds of a page is emptied: a million rows that wait for the collector are 60 MB.
    rows.length = 0;
  }
}

function putRun({ sink, source }: DatabaseRequest, names: ReadonlyMap<string, string>, row: readonly unknown[]): void {
  const [id, workflowId, status, mode, finished, startedAt, stoppedAt, ...others] = row;
  const [createdAt, waitTill, retryOf, workflowVersionId, deduplicationKey] = others;
  const workflowName = names.get(String(workflowId)) ?? null;
  const parts = { id, workflowId, workflowName, status, mode, finished, startedAt, stoppedAt, createdAt, waitTill };
  sink.run(n8nRun({ ...parts, retryOf, workflowVersionId, deduplicationKey }), source);
}
