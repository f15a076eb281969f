import type { AuditSink } from '../../model/sink.ts';
import { type JsonObject, textAt } from '../json/json-value.ts';
import { readN8nWorkflow } from '../n8n-workflow/read.ts';
import { definitionIn } from './exported-run.ts';

/** Definitions may be large, and a file may have very many. */
const WORKFLOWS_MAX = 2_000;

/**
 * Executions that were exported with their data bring the workflow as it was when they ran. Of each workflow the one
 * that ran last is handed on, at the end of the file.
 */
export class ExecutedWorkflows {
  readonly #source: string;
  readonly #sink: AuditSink;
  readonly #newest = new Map<string, { readonly startedAt: string; readonly definition: JsonObject }>();

  constructor(source: string, sink: AuditSink) {
    this.#source = source;
    this.#sink = sink;
  }

  see(execution: JsonObject): void {
    const definition = definitionIn(execution);
    if (definition === null) return;
    const id = textAt(execution, 'workflowId') ?? textAt(definition, 'id', 'name') ?? '';
    const startedAt = textAt(execution, 'startedAt') ?? '';
    const known = this.#newest.get(id);
    if (known === undefined ? this.#newest.size >= WORKFLOWS_MAX : known.startedAt >= startedAt) return;
    this.#newest.set(id, { startedAt, definition: { id, ...definition } });
  }

  end(): void {
    for (const { definition } of this.#newest.values()) readN8nWorkflow(definition, this.#source, this.#sink);
  }
}
