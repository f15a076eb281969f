import { qualified } from '../../n8n-nodes/places.ts';
import { chosen, textIn } from '../../n8n-nodes/values.ts';
import { formatDuration } from '../../../domain/duration.ts';
import { type Flow, leadingTo, nameOf, reachedFrom } from '../../graph/flow.ts';
import { nominalGapMs } from '../../graph/gap.ts';
import { holds } from '../../graph/gates.ts';
import { numberOf, textOf } from '../../readers/n8n-workflow/definition.ts';
import { actsAfter, guards, type OpenGuard } from './guards.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';
import { GUARD } from './steps.ts';

/** Flags that are read and then set, and counters that never end. */
export function openFlags(input: StaticInput): readonly OpenGuard[] {
  return [...redisFlags(input), ...rowFlags(input), ...redisCounters(input)];
}

/** Read, then write: two runs both read "free". */
function redisFlags(input: StaticInput): readonly OpenGuard[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'redis-get').flatMap((get) => {
    const after = reachedFrom(flow, [get]);
    const key = keyAt(flow, get);
    const set = guards(flow, (kind) => kind === 'redis-set').find(
      (at) => after.has(at) && (keyAt(flow, at) === key || key === null || keyAt(flow, at) === null),
    );
    if (set === undefined || !(actsAfter(input, get) || isNamedLock(flow, get))) return [];
    const ends = flow.definition.nodes[set]?.parameters['expire'] === true;
    const stays = ends ? '' : ' It has no expiry: after a crash the flag stays until somebody deletes it.';
    return [readThenSet(flow, { get, set }, stays)];
  });
}

/** The same by a row of a table. It has an expiry where its age is looked at. */
function rowFlags(input: StaticInput): readonly OpenGuard[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'flag-get').flatMap((get) => {
    const after = reachedFrom(flow, [get]);
    const place = placeAt(flow, get);
    const set = guards(flow, (kind) => kind === 'flag-set').find(
      (at) => after.has(at) && (place === null || placeAt(flow, at) === place),
    );
    if (set === undefined || !actsAfter(input, get)) return [];
    const before = leadingTo(flow, set);
    const asking = [get, ...[...after].filter((at) => before.has(at))];
    const ends = asking.some((at) => AGE.test(textIn(flow.definition.nodes[at]?.parameters ?? {})));
    const stays = ends ? '' : ' It has no expiry: after a crash the flag stays until somebody resets it.';
    return [readThenSet(flow, { get, set }, stays)];
  });
}

/** Words by which the age of a flag is reckoned with. */
const AGE =
  /\bnow\(\)|current_timestamp|\binterval\b|expire|_until\b|\$now\b|\$today\b|Date\.now|new Date|dateadd|timeout/i;

function placeAt(flow: Flow, at: number): string | null {
  const { parameters } = flow.definition.nodes[at] ?? {};
  const name = /\b(?:from|update|into)\s+([\w."`[\]]+)/i.exec(textOf(parameters?.['query']) ?? '')?.[1];
  return name === undefined ? null : qualified(name);
}

function readThenSet(flow: Flow, { get, set }: { get: number; set: number }, stays: string): OpenGuard {
  return {
    guard: get,
    finding: findingOf({
      rule: 'guard.fails-open',
      severity: 'warning',
      message: `"${nameOf(flow, get)}" reads a flag and "${nameOf(flow, set)}" sets it later: two runs that start together both find it free.${stays}`,
      evidence: [nodeEvidence(flow, get, 'reads the flag'), nodeEvidence(flow, set, 'sets the flag')],
      advice: `Put ${GUARD} in place of "${nameOf(flow, get)}" and "${nameOf(flow, set)}": it takes and checks in one step, and its lease ends by itself.`,
    }),
  };
}

function redisCounters(input: StaticInput): readonly OpenGuard[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'redis-incr')
    .filter((at) => actsAfter(input, at))
    .flatMap((at) => {
      const isLock = holds(flow, at);
      const said = isLock
        ? lockedForEver(input, at)
        : flow.definition.nodes[at]?.parameters['expire'] === true
          ? null
          : COUNTS;
      if (said === null) return [];
      return [
        {
          guard: at,
          finding: findingOf({
            rule: 'guard.fails-open',
            severity: isLock ? 'warning' : 'info',
            message: `"${nameOf(flow, at)}" ${said}`,
            evidence: [nodeEvidence(flow, at, 'counts')],
            advice: `${isLock ? 'Put' : 'If it is a lock, put'} ${GUARD} in place of "${nameOf(flow, at)}": its lease ends by itself.`,
          }),
        },
      ];
    });
}

const COUNTS = 'counts without an expiry: where it serves as a lock, a run that crashes leaves it taken for ever.';

/** Why a counter that is asked for as a lock stays taken; null where it ends by itself. n8n's node sets its expiry at each count. */
function lockedForEver({ flow, schedule }: StaticInput, at: number): string | null {
  const { parameters = {} } = flow.definition.nodes[at] ?? {};
  const isFreed = guards(flow, (kind) => kind === 'redis-delete').some(
    (each) => keyAt(flow, each) === keyAt(flow, at) && reachedFrom(flow, [at]).has(each),
  );
  const after = isFreed ? 'after a run that crashed' : 'since nothing deletes it, after its first run';
  if (parameters['expire'] !== true) return `is a lock by counting and has no expiry: ${after} no run gets it again.`;
  const ttlMs = numberOf(parameters['ttl'] ?? TTL_SECONDS) * 1_000;
  const gapMs = nominalGapMs(schedule);
  if (gapMs === null || !(ttlMs >= gapMs)) return null;
  return `is a lock by counting whose expiry of ${formatDuration(ttlMs)} begins anew at each start, got or not: ${after} the starts that come every ${formatDuration(gapMs)} keep it taken for ever.`;
}

/** What n8n takes where none is said. */
const TTL_SECONDS = 60;

const LOCK_WORDS = /lock|mutex|busy|running|in.?progress|flag/i;

function isNamedLock(flow: Flow, at: number): boolean {
  return LOCK_WORDS.test(textOf(flow.definition.nodes[at]?.parameters['key']) ?? '');
}

function keyAt(flow: Flow, at: number): string | null {
  return chosen(flow.definition.nodes[at]?.parameters['key']);
}
