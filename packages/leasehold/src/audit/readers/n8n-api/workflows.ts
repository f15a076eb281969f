import type { AuditSink } from '../../model/sink.ts';
import { redact } from '../../redact.ts';
import type { LiveSettings } from '../live/settings.ts';
import type { ApiAnswer } from './answer.ts';
import type { ApiClient } from './client.ts';
import { readPages } from './pages.ts';
import { grouped } from '../../words.ts';

export interface ApiWorkflows {
  /** By id, for the runs, which come without. */
  readonly names: ReadonlyMap<string, string>;
  /** Null where all were read. */
  readonly failed: Failed | null;
}

type Failed = Extract<ApiAnswer, { kind: 'failed' }>;

interface WorkflowsRequest {
  readonly client: ApiClient;
  readonly source: string;
  readonly sink: AuditSink;
  readonly settings: LiveSettings;
}

/** A page of them may be large: each comes with all its nodes, twice where it is published. */
const PER_PAGE = '100';
const PATH = '/workflows';
const SCOPE = 'workflow:list';

/** Reads all workflows, each with the version that is published, and without pinned data. Never rejects. */
export async function readApiWorkflows(request: WorkflowsRequest): Promise<ApiWorkflows> {
  const names = new Map<string, string>();
  let failed = await readList(request, { limit: PER_PAGE, excludePinnedData: 'true' }, names);
  // Servers from before this parameter refuse it; pinned data then comes along and is passed by.
  if (failed?.status === 400 && names.size === 0) failed = await readList(request, { limit: PER_PAGE }, names);
  return { names, failed };
}

async function readList(
  { client, source, sink, settings }: WorkflowsRequest,
  parameters: Readonly<Record<string, string>>,
  names: Map<string, string>,
): Promise<Failed | null> {
  for await (const page of readPages(client, { path: PATH, parameters, scope: SCOPE })) {
    if (page.kind === 'failed') return page;
    // Pages go by position: one that was made or deleted meanwhile shifts the others.
    for (const workflow of page.rows.filter((row) => !names.has(String(row['id'])))) {
      const id = String(workflow['id']);
      names.set(id, redact(typeof workflow['name'] === 'string' ? workflow['name'] : id));
      await settings.readWorkflow(workflow, source, sink);
    }
    settings.progress(`${source}: ${grouped(names.size)} workflows`);
  }
  return null;
}
