import type { AuditSink } from '../../model/sink.ts';
import type { LiveSettings } from '../live/settings.ts';
import type { ApiAnswer } from './answer.ts';
import type { ApiClient } from './client.ts';
import { readPages } from './pages.ts';

/** A page of them may be large: each comes with all its nodes, twice where it is published. */
const PER_PAGE = '100';
const PATH = '/workflows';
const SCOPE = 'workflow:list';

export interface ApiWorkflows {
  /** By id, for the runs, which come without. */
  readonly names: ReadonlyMap<string, string>;
  /** Null where all were read. */
  readonly failed: Extract<ApiAnswer, { kind: 'failed' }> | null;
}

/** Reads all workflows, each with the version that is published, and without pinned data. Never rejects. */
export async function readApiWorkflows(
  client: ApiClient,
  source: string,
  sink: AuditSink,
  settings: LiveSettings,
): Promise<ApiWorkflows> {
  const names = new Map<string, string>();
  // Servers from before this parameter answer 400 to it; pinned data then comes along and is passed by.
  for (const parameters of [{ limit: PER_PAGE, excludePinnedData: 'true' }, { limit: PER_PAGE }]) {
    let isRefused = false;
    for await (const page of readPages(client, { path: PATH, parameters, scope: SCOPE })) {
      if (page.kind === 'failed') {
        isRefused = page.status === 400 && names.size === 0 && 'excludePinnedData' in parameters;
        if (!isRefused) return { names, failed: page };
        continue;
      }
      for (const workflow of page.rows) {
        const id = String(workflow['id']);
        if (names.has(id)) continue;
        names.set(id, typeof workflow['name'] === 'string' ? workflow['name'] : id);
        await settings.readWorkflow(workflow, source, sink);
      }
      settings.progress(`${source}: ${names.size.toLocaleString('en')} workflows`);
    }
    if (!isRefused) break;
  }
  return { names, failed: null };
}
