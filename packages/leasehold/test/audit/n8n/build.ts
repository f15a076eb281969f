/** Workflows of n8n, written short: nodes by name, and how they are joined as `A > B > C; B.1 > D`. */
import type { AuditSink } from '../../../src/audit/model/sink.ts';
import type { Finding, Rule } from '../../../src/audit/model/finding.ts';
import type { FoundWorkflow } from '../../../src/audit/model/workflow.ts';
import { completeWorkflows } from '../../../src/audit/readers/n8n-workflow/complete.ts';
import { readN8nWorkflow } from '../../../src/audit/readers/n8n-workflow/read.ts';

export interface Drawn {
  /** Without its package, that of n8n itself. */
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Drawing {
  readonly nodes: Readonly<Record<string, Drawn>>;
  readonly flow: string;
  readonly [field: string]: unknown;
}

const EVERY_HOUR = { rule: { interval: [{ field: 'hours' }] } };

export const HOURLY: Drawn = { type: 'scheduleTrigger', typeVersion: 1.2, parameters: EVERY_HOUR };

export function draw({ nodes, flow, ...more }: Drawing): Record<string, unknown> {
  return {
    id: 'w1',
    name: 'Reminders',
    active: true,
    settings: { timezone: 'Europe/Berlin' },
    nodes: Object.entries(nodes).map(([name, { type, ...rest }]) => ({
      name,
      type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
      ...rest,
    })),
    connections: joined(flow),
    ...more,
  };
}

function joined(flow: string): Record<string, { main: { node: string; type: string; index: number }[][] }> {
  const connections: Record<string, { main: { node: string; type: string; index: number }[][] }> = {};
  for (const chain of flow.split(';')) {
    const names = chain.split('>').map((name) => name.trim());
    for (const [at, name] of names.slice(1).entries()) {
      const [, from = '', output = '0'] = /^(.*?)(?:\.(\d))?$/.exec(names[at] ?? '') ?? [];
      const to = name.replace(/\.\d$/, '');
      const { main } = (connections[from] ??= { main: [] });
      for (let index = 0; index <= Number(output); index += 1) main[index] ??= [];
      main[Number(output)]?.push({ node: to, type: 'main', index: 0 });
    }
  }
  return connections;
}

export interface Heard {
  readonly workflows: readonly FoundWorkflow[];
  readonly unread: readonly string[];
  readonly limits: readonly string[];
}

/** Reads values as files of one input, and takes the second look. */
export function audit(...values: readonly unknown[]): Heard {
  const workflows: FoundWorkflow[] = [];
  const unread: string[] = [];
  const limits: string[] = [];
  const sink: AuditSink = {
    run: () => undefined,
    workflow: (workflow) => workflows.push(workflow),
    unread: (path, reason) => unread.push(`${path}: ${reason}`),
    limit: (_source, _workflow, sentence) => limits.push(sentence),
  };
  for (const [at, value] of values.entries()) readN8nWorkflow(value, `file${at + 1}.json`, sink);
  return { workflows: completeWorkflows(workflows), unread, limits };
}

/** The one workflow of a drawing. */
export function auditOf(drawing: Drawing): FoundWorkflow {
  const [workflow] = audit(draw(drawing)).workflows;
  if (workflow === undefined) throw new Error('no workflow was read');
  return workflow;
}

export function findingsOf(drawing: Drawing, rule: Rule): readonly Finding[] {
  return auditOf(drawing).findings.filter((finding) => finding.rule === rule);
}

/** The first message of a rule, or what there was instead. */
export function messageOf(drawing: Drawing, rule: Rule): string {
  const { findings } = auditOf(drawing);
  return (
    findings.find((finding) => finding.rule === rule)?.message ??
    `only ${findings.map((found) => found.rule).join(', ')}`
  );
}

/** What it takes of the processor, in ms: the clock would also count what other programs take. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
