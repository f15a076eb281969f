import type { OffTime } from '../model/sink.ts';
import type { FoundWorkflow } from '../model/workflow.ts';
import { redact } from '../redact.ts';
import type { Collector, RunGroup } from './collector.ts';
import { type Part, partsOf } from './hosts.ts';
import { ofEvent, ofTrigger } from './run-words.ts';
import { type Told, toldBy } from './told.ts';

/** One workflow to audit: its definition, its runs, or both. */
export interface Subject {
  readonly id: string;
  readonly name: string;
  /** Where it was found, in order; at least one. */
  readonly sources: readonly string[];
  readonly definition: FoundWorkflow | null;
  /** Null where no run was found. */
  readonly group: RunGroup | null;
  /** The rows of its runs in the table, in the order they were found. */
  readonly rows: Int32Array;
  /** Sentences about how complete its history is. */
  readonly limits: readonly string[];
  /** When it was switched off, as far as its sources know. */
  readonly offTimes: readonly OffTime[];
  /** Newest instant that its sources know of; null where they know none. */
  readonly newestMs: number | null;
}

/**
 * Joins definitions with runs: by id; else by name, where only one definition of the same folder has that name. A
 * definition that was found twice counts once, the active one before others; that another version was there is told.
 */
export function subjectsOf(found: Collector): readonly Subject[] {
  found.table.seal();
  const definitions = uniqueDefinitions(found);
  const byName = Map.groupBy(definitions.values(), (definition) => placeOf(definition.source, definition.name));
  const rows = rowsByGroup(found);
  const told = toldBy(found);
  const taken = new Set<FoundWorkflow>();
  const subjects: Subject[] = [];
  const byId = Map.groupBy(found.groups.values(), ({ id }) => id);
  const placed = { table: found.table, hostColumns: found.hostColumns };
  const rowsOf = ({ index }: RunGroup): Int32Array => rows[index] ?? NONE;
  for (const [id, groups] of byId) {
    const named = groups.map((group) => namesake(group, byName, definitions, byId)).find((each) => each !== null);
    const definition = definitions.get(id) ?? named ?? null;
    if (definition !== null) taken.add(definition);
    for (const part of partsOf(groups, rowsOf, { ...placed, isDefined: definition !== null })) {
      markStarts(definition, part.rows, found.table);
      subjects.push(subjectOf(found, told, definition, part));
    }
  }
  for (const definition of definitions.values()) {
    if (!taken.has(definition)) subjects.push(subjectOf(found, told, definition, NOTHING));
  }
  return subjects;
}

/**
 * What started a run the definition knows better than the history: a run of a Zap counts as started by a record, unless a
 * schedule starts the Zap; and n8n calls a run that a message started as it calls one that the clock did.
 */
function markStarts(definition: FoundWorkflow | null, rows: Int32Array, { words }: Collector['table']): void {
  if (definition === null) return;
  const { platform, schedule, isByEvents } = definition;
  const isPlannedZap = platform === 'zapier' && schedule !== null && schedule.kind !== 'poll';
  const as = isPlannedZap ? ofTrigger : isByEvents === true ? ofEvent : null;
  if (as !== null) for (const row of rows) words[row] = as(words[row] ?? 0);
}

function uniqueDefinitions(found: Collector): Map<string, FoundWorkflow> {
  const unique = new Map<string, FoundWorkflow>();
  for (const workflow of found.workflows) {
    const known = unique.get(workflow.id);
    if (known === undefined) {
      unique.set(workflow.id, workflow);
      continue;
    }
    const [kept, left] = workflow.isActive === true && known.isActive !== true ? [workflow, known] : [known, workflow];
    unique.set(workflow.id, kept);
    // The same once more is nothing to tell of: exports of runs bring the workflow with each.
    if (saying(kept) === saying(left)) continue;
    found.unread(
      left.source,
      `Workflow "${kept.name}" (${kept.id}) was read from ${kept.source}, in another version; this copy is left out.`,
    );
  }
  return unique;
}

/** What a definition comes to, wherever it lies. */
function saying({ name, isActive, schedule, paths, findings }: FoundWorkflow): string {
  return JSON.stringify([name, isActive, schedule, paths, findings]);
}

function namesake(
  group: RunGroup,
  byName: ReadonlyMap<string, readonly FoundWorkflow[]>,
  byId: ReadonlyMap<string, FoundWorkflow>,
  withRuns: ReadonlyMap<string, readonly RunGroup[]>,
): FoundWorkflow | null {
  for (const source of group.sources) {
    for (const name of [group.name, group.id]) {
      const [only, ...others] = name === null ? [] : (byName.get(placeOf(source, name)) ?? []);
      // One whose own runs were found belongs to them.
      if (only !== undefined && others.length === 0 && byId.has(only.id) && !withRuns.has(only.id)) return only;
    }
  }
  return null;
}

/** A name counts within one folder, or one address. */
function placeOf(source: string, name: string): string {
  const folder = source.includes('://') ? source : source.slice(0, source.lastIndexOf('/') + 1);
  return `${folder}\n${name}`;
}

const NONE = new Int32Array(0);
const NOTHING = { host: null, group: null, rows: NONE, sentence: null } as const;

function subjectOf(
  found: Collector,
  told: Told,
  definition: FoundWorkflow | null,
  { host, group, rows, sentence }: Part | typeof NOTHING,
): Subject {
  const sources = [...new Set([...(definition === null ? [] : [definition.source]), ...(group?.sources ?? [])])];
  const id = definition?.id ?? group?.id ?? '';
  const name = definition?.name ?? group?.name ?? id;
  const newest = [...(group?.sources ?? [])].flatMap((source) => found.newestOf(source) ?? []);
  return {
    id: host === null ? id : `${id} on ${host}`,
    name: host === null ? name : `${name} on ${redact(host)}`,
    sources,
    definition,
    group,
    rows,
    offTimes: told.offTimes(sources, id),
    limits: [...(sentence === null ? [] : [sentence]), ...told.limits(sources, [id, group?.id ?? id])],
    newestMs: newest.length === 0 ? null : newest.reduce((one, other) => Math.max(one, other)),
  };
}

/** Two passes, so that each list is as long as it has to be. */
function rowsByGroup({ table, groups }: Collector): readonly Int32Array[] {
  const counts = new Int32Array(groups.size);
  for (let row = 0; row < table.count; row += 1) {
    const group = table.workflow[row] ?? 0;
    counts[group] = (counts[group] ?? 0) + 1;
  }
  const rows = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  for (let row = 0; row < table.count; row += 1) {
    const group = table.workflow[row] ?? 0;
    const at = counts[group] ?? 0;
    const own = rows[group];
    if (own !== undefined) own[at] = row;
    counts[group] = at + 1;
  }
  return rows;
}
