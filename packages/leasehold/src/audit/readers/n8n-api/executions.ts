import type { AuditSink } from '../../model/sink.ts';
import { readInstant } from '../live/instant.ts';
import { type N8nExecution, n8nRun } from '../live/n8n-run.ts';
import { fromMs, type LiveSettings } from '../live/settings.ts';
import type { ApiAnswer } from './answer.ts';
import type { ApiClient } from './client.ts';
import { type ApiList, readPages } from './pages.ts';
import { grouped } from '../../words.ts';

/**
 * Reads executions by the API, newest first, without their data.
 *
 * A list without a status leaves out what is running, and shows what waits or is queued only in some versions; so those
 * are asked for apart, and first: what ends in between is in both, and counts once, as ended. The other order could miss it.
 * A row that comes again because new ones pushed it on to the next page is known by its id: those of the page before are
 * kept, not those of a million runs.
 */
export interface ApiExecutions {
  readonly count: number;
  readonly oldestMs: number | null;
  /** Statuses that this n8n does not know as a filter. */
  readonly unlisted: readonly string[];
  readonly failed: Extract<ApiAnswer, { kind: 'failed' }> | null;
}

export interface ExecutionsRequest {
  readonly client: ApiClient;
  readonly source: string;
  readonly names: ReadonlyMap<string, string>;
  readonly sink: AuditSink;
  readonly settings: LiveSettings;
}

type Row = Readonly<Record<string, unknown>>;

const OPEN = ['running', 'waiting', 'new'] as const;
const PER_PAGE = '250';
const PATH = '/executions';
const SCOPE = 'execution:list';

/** Never rejects. */
export async function readApiExecutions(request: ExecutionsRequest): Promise<ApiExecutions> {
  const open = new Map<string, Row>();
  const unlisted: string[] = [];
  const none = { count: 0, oldestMs: null, unlisted };
  for (const status of OPEN) {
    const failed = await readOpen(request, status, open);
    if (failed?.status === 400) unlisted.push(status);
    else if (failed !== null) return { ...none, failed };
  }
  const listed = await readListed(request, open);
  for (const row of open.values()) putRun(request, row);
  return { ...listed, count: listed.count + open.size, unlisted };
}

async function readOpen(
  { client }: ExecutionsRequest,
  status: string,
  open: Map<string, Row>,
): Promise<ApiExecutions['failed']> {
  const parameters = { limit: PER_PAGE, includeData: 'false', status };
  for await (const page of readPages(client, { path: PATH, parameters, scope: SCOPE })) {
    if (page.kind === 'failed') return page;
    for (const row of page.rows) open.set(String(row['id']), row);
  }
  return null;
}

/** Takes out of `open` what it finds there. Servers that can't be told from when on are asked until all is older. */
async function readListed(
  request: ExecutionsRequest,
  open: Map<string, Row>,
): Promise<Omit<ApiExecutions, 'unlisted'>> {
  const found: Found = { count: 0, oldestMs: null, ids: new Set(), idsBefore: new Set() };
  const since = fromMs(request.settings);
  const parameters = { limit: PER_PAGE, includeData: 'false' };
  const bounded = { ...parameters, startedAfter: new Date(since).toISOString() };
  let failed = await readList(request, { path: PATH, parameters: bounded, scope: SCOPE }, { found, open, since });
  if (failed?.status === 400 && found.count === 0) {
    failed = await readList(request, { path: PATH, parameters, scope: SCOPE }, { found, open, since });
  }
  return { count: found.count, oldestMs: found.oldestMs, failed };
}

interface Found {
  count: number;
  oldestMs: number | null;
  /** Of this page, and of the one before. */
  ids: Set<string | number>;
  idsBefore: ReadonlySet<string | number>;
}

interface Reading {
  readonly found: Found;
  readonly open: Map<string, Row>;
  readonly since: number;
}

async function readList(
  request: ExecutionsRequest,
  list: ApiList,
  { found, open, since }: Reading,
): Promise<ApiExecutions['failed']> {
  for await (const page of readPages(request.client, list)) {
    if (page.kind === 'failed') return page;
    let isOlder = page.rows.length > 0;
    [found.ids, found.idsBefore] = [new Set(), found.ids];
    for (const row of page.rows) {
      const startedMs = readInstant(row['startedAt']).ms;
      if (startedMs !== null && startedMs < since) continue;
      isOlder = false;
      if (!isFirst(found, row['id'])) continue;
      open.delete(String(row['id']));
      putRun(request, row);
      found.count += 1;
      if (startedMs !== null) found.oldestMs = Math.min(found.oldestMs ?? startedMs, startedMs);
    }
    request.settings.progress(`${request.source}: ${grouped(found.count)} runs`);
    if (isOlder) return null;
  }
  return null;
}

/** What has no id can't be known again. */
function isFirst({ ids, idsBefore }: Found, id: unknown): boolean {
  if (typeof id !== 'string' && typeof id !== 'number') return true;
  const isKnown = ids.has(id) || idsBefore.has(id);
  ids.add(id);
  return !isKnown;
}

function putRun({ names, sink, source }: ExecutionsRequest, row: Row): void {
  // Rows have these fields and more; an older server leaves some out.
  const execution = row as unknown as Omit<N8nExecution, 'workflowName'>;
  const workflowName = names.get(String(execution.workflowId)) ?? null;
  sink.run(n8nRun({ ...execution, workflowName }), source);
}
