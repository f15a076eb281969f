import { createHash } from 'node:crypto';
import type { Finding } from '../../model/finding.ts';
import type { FoundWorkflow } from '../../model/workflow.ts';
import { isKept } from '../../readers/n8n-workflow/kept.ts';
import { findingOf } from '../n8n/input.ts';
import type { SharedRule } from '../rule.ts';

/**
 * Workflows that take records from one table and mark them there, and copies of one workflow that both run. What is
 * switched off shares nothing; a file that does not say whether it is on counts for the first and not for the second.
 */
export const poolShared: SharedRule = (all) => {
  const live = [...all.entries()].flatMap(([at, { subject }]): Entry[] =>
    subject.definition === null || subject.definition.isActive === false ? [] : [[at, subject.definition]],
  );
  const found: { at: number; finding: Finding }[] = [];
  for (const group of groupsOf(live, copyKeys).values()) {
    for (const [at, workflow] of unclaimed(group))
      found.push({ at, finding: copyFinding(workflow, othersIn(group, at)) });
  }
  for (const [key, group] of groupsOf(live, watchKeys)) {
    for (const [at, workflow] of unclaimed(group)) {
      const others = othersIn(group, at).filter((other) => !isCopy(workflow, other));
      if (others.length > 0) found.push({ at, finding: watchFinding(workflow, key, others) });
    }
  }
  for (const [key, group] of groupsOf(live, poolKeys)) {
    for (const [at, workflow] of unclaimed(group)) {
      const others = othersIn(group, at).filter((other) => !isCopy(workflow, other));
      if (others.length > 0) found.push({ at, finding: poolFinding(workflow, key, others) });
    }
    for (const [at, workflow] of group) {
      const others = unclaimed(group).map(([, other]) => other);
      if (isClaiming(workflow) && others.length > 0) found.push({ at, finding: besideFinding(workflow, key, others) });
    }
  }
  return found;
};

function copyKeys({ kept, isActive }: FoundWorkflow): readonly string[] {
  return isActive === true && isKept(kept) && kept.print !== null ? [kept.print] : [];
}

/** Who claims what it works may share it: what is wrong is told of the others. */
function unclaimed(group: readonly Entry[]): readonly Entry[] {
  return group.filter(([, workflow]) => !isClaiming(workflow));
}

const isClaiming = ({ kept }: FoundWorkflow): boolean => isKept(kept) && kept.isClaimed;

/** What copies share beside all else needs no finding of its own. */
function isCopy(one: FoundWorkflow, other: FoundWorkflow): boolean {
  const [print] = copyKeys(one);
  return print !== undefined && print === copyKeys(other)[0];
}

function watchKeys({ kept, isActive }: FoundWorkflow): readonly string[] {
  return isActive === true && isKept(kept) ? kept.watches : [];
}

/** SQL that takes and marks in one statement has no path from a read to a mark, and takes all the same. */
function poolKeys({ paths, reads, writes, kept }: FoundWorkflow): readonly string[] {
  const marks = paths.some(({ firstWrite }) => firstWrite !== null) || (isKept(kept) && kept.isClaimed);
  return marks ? reads.filter((key) => writes.includes(key)) : [];
}

function othersIn(group: readonly Entry[], at: number): readonly FoundWorkflow[] {
  return group.filter(([other]) => other !== at).map(([, workflow]) => workflow);
}

/** Workflows of one group that are compared; who comes after them is told nothing. */
const GROUP_MAX = 200;

type Entry = readonly [number, FoundWorkflow];

/** Groups of at least two different workflows. */
function groupsOf(
  entries: readonly Entry[],
  keysOf: (workflow: FoundWorkflow) => readonly string[],
): Map<string, Entry[]> {
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

function poolFinding(workflow: FoundWorkflow, key: string, others: readonly FoundWorkflow[]): Finding {
  const [system = '', , table = ''] = key.split('\t');
  return findingOf({
    rule: 'pool.shared',
    severity: 'warning',
    message: `"${workflow.name}" takes records from ${system} "${table}" and marks them there, and so ${others.length === 1 ? 'does' : 'do'} ${listed(others)}: both can take the same record.`,
    evidence: evidenceOf(others, key),
    advice: `Let all of them claim from one Leasehold pool, named after "${table}": a record that one has claimed is not handed to another.`,
  });
}

/** What it does is right, and is worth nothing while others don't: told where it is read, without counting against it. */
function besideFinding(workflow: FoundWorkflow, key: string, others: readonly FoundWorkflow[]): Finding {
  const [system = '', , table = ''] = key.split('\t');
  const takes = others.length === 1 ? 'takes' : 'take';
  return findingOf({
    rule: 'pool.shared',
    severity: 'info',
    message: `"${workflow.name}" claims the records that it takes from ${system} "${table}", but ${listed(others)} ${takes} records from there without a claim: both can take the same record.`,
    evidence: evidenceOf(others, key),
    advice: `Nothing has to change here: let ${listed(others)} claim as this workflow does.`,
  });
}

function watchFinding(workflow: FoundWorkflow, key: string, others: readonly FoundWorkflow[]): Finding {
  return findingOf({
    rule: 'pool.shared',
    severity: 'info',
    message: `${listed([workflow, ...others])} listen to the same thing (${key.slice(0, key.indexOf('\t'))}, one account and filter): each record that comes starts all of them.`,
    evidence: evidenceOf(others, key),
    advice:
      'If one of them is enough, switch off the others; else let each claim its records in a Leasehold pool of its own.',
  });
}

function copyFinding(workflow: FoundWorkflow, others: readonly FoundWorkflow[]): Finding {
  return findingOf({
    rule: 'pool.shared',
    severity: 'critical',
    message: `${listed([workflow, ...others])} do the same at the same places and are all switched on: one looks like a copy of the other, and each record is worked by both.`,
    evidence: evidenceOf(others, null),
    advice: 'Switch off all but one; if all are meant to run, give them one Leasehold lock and one pool.',
  });
}

const LISTED_MAX = 4;

function listed(workflows: readonly FoundWorkflow[]): string {
  const some = workflows.slice(0, LISTED_MAX).map(({ name }) => `"${name}"`);
  const last = workflows.length > LISTED_MAX ? `${workflows.length - LISTED_MAX} more` : some.pop();
  return some.length === 0 ? `${last}` : `${some.join(', ')} and ${last}`;
}

/** The key names accounts and documents, so that its digest stands for it. */
function evidenceOf(others: readonly FoundWorkflow[], key: string | null): Finding['evidence'] {
  const place = key === null ? null : createHash('sha256').update(key).digest('hex').slice(0, 12);
  return others.map(({ id, name, source }) => ({
    workflow: id,
    name,
    source,
    ...(place === null ? {} : { place }),
  }));
}
