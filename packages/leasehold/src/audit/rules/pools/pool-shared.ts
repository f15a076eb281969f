import { createHash } from 'node:crypto';
import type { Finding } from '../../model/finding.ts';
import type { FoundWorkflow } from '../../model/workflow.ts';
import { redact } from '../../redact.ts';

/** A workflow with what it does, node by node, where that is enough to know a copy by. */
export interface Pooling
  extends Pick<FoundWorkflow, 'id' | 'name' | 'source' | 'isActive' | 'schedule' | 'paths' | 'reads' | 'writes'> {
  readonly print: string | null;
}

const EVIDENCE_MAX = 20;

/**
 * Workflows that take records from one table and mark them there, and copies of one workflow that both run. Pure. By
 * place in the list; who is switched off, or is read twice, shares nothing.
 */
export function sharedPools(workflows: readonly Pooling[]): ReadonlyMap<number, readonly Finding[]> {
  const findings = new Map<number, Finding[]>();
  const add = (at: number, finding: Finding): void => {
    findings.set(at, [...(findings.get(at) ?? []), finding]);
  };
  const live = [...workflows.entries()].filter(([, { isActive }]) => isActive !== false);
  const copies = groupsOf(live, ({ print, isActive }) => (print === null || isActive !== true ? [] : [print]));
  const copied = new Set<string>();
  for (const group of copies.values()) {
    for (const [at] of group) {
      add(at, copyFinding(workflows, at, group));
      for (const [other] of group) copied.add(`${at} ${other}`);
    }
  }
  const pools = groupsOf(live, ({ paths, reads, writes }) =>
    paths.length === 0 ? [] : reads.filter((key) => writes.includes(key)),
  );
  for (const [key, group] of pools) {
    for (const [at] of group) {
      const others = group.filter(([other]) => other === at || !copied.has(`${at} ${other}`));
      if (others.length > 1) add(at, poolFinding(workflows, at, { key, group: others }));
    }
  }
  return findings;
}

/** Workflows of one group that are compared; who comes after them is told nothing. */
const GROUP_MAX = 200;

type Entry = readonly [number, Pooling];

/** Groups of at least two different workflows. */
function groupsOf(entries: readonly Entry[], keysOf: (workflow: Pooling) => readonly string[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const key of new Set(keysOf(entry[1]))) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [entry]);
      else if (group.length < GROUP_MAX && !group.some(([, { id }]) => id === entry[1].id)) group.push(entry);
    }
  }
  for (const [key, group] of groups) if (group.length < 2) groups.delete(key);
  return groups;
}

function poolFinding(
  workflows: readonly Pooling[],
  at: number,
  { key, group }: { key: string; group: readonly Entry[] },
): Finding {
  const others = group.filter(([other]) => other !== at).map(([, workflow]) => workflow);
  const [system = '', , table = ''] = key.split('\t');
  return {
    rule: 'pool.shared',
    severity: 'warning',
    message: redact(
      `"${workflows[at]?.name}" takes records from ${system} "${table}" and marks them there, and so ${others.length === 1 ? 'does' : 'do'} ${listed(others)}: both can take the same record.`,
    ),
    evidence: evidenceOf(others, key),
    advice: redact(
      `Let all of them claim from one Leasehold pool, named after "${table}": a record that one has claimed is not handed to another.`,
    ),
  };
}

function copyFinding(workflows: readonly Pooling[], at: number, group: readonly Entry[]): Finding {
  const others = group.filter(([other]) => other !== at).map(([, workflow]) => workflow);
  return {
    rule: 'pool.shared',
    severity: 'critical',
    message: redact(
      `"${workflows[at]?.name}" and ${listed(others)} do the same at the same places and are all switched on: one looks like a copy of the other, and each record is worked by both.`,
    ),
    evidence: evidenceOf(others, null),
    advice: redact('Switch off all but one; if all are meant to run, give them one Leasehold lock and one pool.'),
  };
}

const LISTED_MAX = 4;

function listed(workflows: readonly Pooling[]): string {
  const some = workflows.slice(0, LISTED_MAX).map(({ name }) => `"${name}"`);
  return workflows.length > LISTED_MAX
    ? `${some.join(', ')} and ${workflows.length - LISTED_MAX} more`
    : some.join(', ');
}

/** The key names accounts and documents, so that its digest stands for it. */
function evidenceOf(others: readonly Pooling[], key: string | null): Finding['evidence'] {
  const place = key === null ? null : createHash('sha256').update(key).digest('hex').slice(0, 12);
  return others.slice(0, EVIDENCE_MAX).map(({ id, name, source }) => ({
    workflow: redact(id),
    name: redact(name),
    source,
    ...(place === null ? {} : { place }),
  }));
}
