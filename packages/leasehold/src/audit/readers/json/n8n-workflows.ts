import type { AuditSink } from '../../model/sink.ts';
import { isObject, type JsonObject } from './json-value.ts';

/** True for a workflow of n8n, also where it stands in `{"workflow": …}` beside its name. */
export function isN8nWorkflow(value: JsonObject): boolean {
  const inner = value['workflow'];
  return hasNodes(value) || (isObject(inner) && hasNodes(inner));
}

function hasNodes(value: JsonObject): boolean {
  const nodes = value['nodes'];
  if (Array.isArray(nodes)) {
    const first: unknown = nodes[0];
    return (
      isObject(value['connections']) || (isObject(first) && typeof first['type'] === 'string' && 'position' in first)
    );
  }
  return nodes === null && ('connections' in value || 'settings' in value);
}

export function readN8nWorkflow(_value: unknown, source: string, sink: AuditSink): void {
  sink.unread(source, 'A workflow of n8n.');
}
