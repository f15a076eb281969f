import { redact } from '../../redact.ts';
import type { Row } from './database.ts';
import { fillQuery } from './fill-query.ts';
import type { DatabaseRequest } from './runs.ts';
import { grouped } from '../../words.ts';

/** Pages of 100. */
const PAGES_MAX = 1_000;

/**
 * Hands over each workflow in the shape of n8n's API: the draft, and beside it the version that is published, which is
 * what runs. Neither pinned nor static data are read. `names` grows by each.
 */
export async function readWorkflows(request: DatabaseRequest, names: Map<string, string>): Promise<void> {
  const { database, tables, source, settings, sink } = request;
  const isPublishedKnown = tables.columns.has('workflow_history') && hasActiveVersion(request);
  const sql = fillQuery(isPublishedKnown ? 'published_workflows' : 'workflows', database.dialect, tables);
  let above = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const rows = await database.query(sql, [above]);
    if (rows.length === 0) return;
    for (const row of rows) {
      const id = String(row['id']);
      names.set(id, redact(typeof row['name'] === 'string' ? row['name'] : id));
      const workflow = workflowOf(row);
      if (workflow === null) sink.unread(source, `Workflow ${redact(id)} is stored as something other than JSON.`);
      else await settings.readWorkflow(workflow, source, sink);
    }
    settings.progress(`${source}: ${grouped(names.size)} workflows`);
    above = String(rows.at(-1)?.['id']);
  }
}

/** Since n8n 2 what is published stands apart from what is edited. */
export function hasActiveVersion({ tables }: DatabaseRequest): boolean {
  return tables.columns.get('workflow_entity')?.has('activeVersionId') === true;
}

function workflowOf(row: Row): unknown {
  try {
    const publishedId = row['publishedId'] ?? null;
    return {
      id: row['id'],
      name: row['name'],
      active: row['active'] === true || row['active'] === 1,
      isArchived: row['isArchived'] === true || row['isArchived'] === 1,
      nodes: json(row['nodes']),
      connections: json(row['connections']),
      settings: json(row['settings']),
      versionId: row['versionId'],
      updatedAt: row['updatedAt'],
      activeVersionId: publishedId,
      activeVersion:
        publishedId === null
          ? null
          : {
              versionId: publishedId,
              nodes: json(row['publishedNodes']),
              connections: json(row['publishedConnections']),
            },
    };
  } catch {
    return null;
  }
}

/** Text in SQLite; PostgreSQL's driver has read it already. */
function json(value: unknown): unknown {
  return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
}
