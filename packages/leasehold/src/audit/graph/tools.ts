import type { NodeFacts } from '../n8n-nodes/facts.ts';
import type { N8nDefinition } from '../readers/n8n-workflow/definition.ts';

/**
 * An agent does what the tools plugged into it do, and nobody knows when: their writes become its own. A tool that
 * nobody knows makes the agent unknown.
 */
export function joinTools({ nodes, edges }: N8nDefinition, facts: readonly NodeFacts[]): readonly NodeFacts[] {
  const tools = new Map<number, number[]>();
  for (const { type, from, to } of edges) {
    if (type !== 'ai_tool' || nodes[from]?.isDisabled === true) continue;
    const list = tools.get(to);
    if (list === undefined) tools.set(to, [from]);
    else list.push(from);
  }
  return facts.map((own, at) => {
    const parts = (tools.get(at) ?? []).map((tool) => facts[tool]).filter((part) => part !== undefined);
    if (parts.length === 0 || own.does !== 'cost') return own;
    const writes = parts.flatMap((part) => part.writes);
    if (writes.length > 0) return { ...own, does: 'write', label: `${own.label} with tools`, writes };
    return parts.some(({ does }) => does === 'unknown')
      ? { ...own, does: 'unknown', label: `${own.label} with tools` }
      : own;
  });
}
