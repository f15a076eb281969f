import { isWorkflow } from '../n8n-workflow/shapes.ts';
import { isObject, type JsonObject } from './json-value.ts';

/** True for a workflow of n8n, also where it stands in `{"workflow": …}` beside its name. */
export function isN8nWorkflow(value: JsonObject): boolean {
  const inner = value['workflow'];
  return isWorkflow(value) || (isObject(inner) && isWorkflow(inner));
}
