import type { AuditSink } from '../../model/sink.ts';
import { historyBegin } from '../live/history-begin.ts';
import { sentence, tellLost } from '../live/sentence.ts';
import type { LiveSettings } from '../live/settings.ts';
import type { LiveSource } from '../live/source.ts';
import type { ApiAnswer } from './answer.ts';
import { type ApiClient, createApiClient } from './client.ts';
import { type ApiExecutions, readApiExecutions } from './executions.ts';
import { readApiWorkflows } from './workflows.ts';
import { grouped } from '../../words.ts';

type N8nApi = Extract<LiveSource, { kind: 'n8n-api' }>;
type Failed = Extract<ApiAnswer, { kind: 'failed' }>;

/**
 * Reads an n8n by its public API: its workflows, then its runs of the last days. What can't be read is one line each;
 * what was read before counts. Never rejects.
 */
export async function readN8nApi(source: N8nApi, sink: AuditSink, settings: LiveSettings): Promise<void> {
  const client = createApiClient(source, settings);
  const wrong = await findApi(client, source.base);
  if (wrong !== null) return sink.unread(source.name, sentence(`It ${wrong.why}`));
  const workflows = await readApiWorkflows({ client, source: source.name, sink, settings });
  if (workflows.failed !== null) {
    const some = workflows.names.size > 0 ? `Only ${workflows.names.size} of its workflows` : 'None of its workflows';
    tellLost(sink, source.name, sentence(`${some} could be read: it ${workflows.failed.why}`));
  }
  const executions = await readApiExecutions({ client, source: source.name, names: workflows.names, sink, settings });
  if (executions.failed !== null) {
    const some = executions.count > 0 ? `Only the newest ${grouped(executions.count)} of its runs` : 'None of its runs';
    tellLost(sink, source.name, sentence(`${some} could be read: it ${executions.failed.why}`));
  }
  tellLimits(source.name, executions, sink, settings);
}

/**
 * The API is below the address that the editor has. People copy longer addresses than that, of a page of the editor or
 * of the API itself; so the address as it is comes first, then its host alone. Null once it is found.
 */
async function findApi(client: ApiClient, base: URL): Promise<Failed | null> {
  const path = base.pathname.replace(/\/+$/, '');
  const candidates = [...new Set([/\/v\d+$/.test(path) ? path : `${path}/api/v1`, '/api/v1'])];
  let first: Failed | null = null;
  for (const candidate of candidates) {
    client.base = new URL(candidate, base);
    const answer = await client.get('/workflows', { limit: '1' }, 'workflow:list');
    // 403: it is there, and the key may still read the runs.
    if (answer.kind === 'json' || answer.status === 403) return null;
    first ??= answer;
    if (answer.status !== 404 && answer.status !== 200) return answer;
  }
  return first;
}

function tellLimits(source: string, executions: ApiExecutions, sink: AuditSink, settings: LiveSettings): void {
  const begin = executions.failed === null ? historyBegin(executions, settings) : null;
  if (begin !== null) sink.limit(source, null, begin);
  if (executions.unlisted.length > 0) {
    const statuses = executions.unlisted.join(', ');
    sink.limit(source, null, `This n8n is too old to list runs by the status ${statuses}: those may be missing.`);
  }
  sink.limit(source, null, 'The API shows the workflows and runs that the user of its key may see, and no others.');
}
