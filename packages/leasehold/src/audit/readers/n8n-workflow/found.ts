import { callsOf, type CallMemory, type FindFlow, NO_FLOW } from '../../graph/calls.ts';
import { doing, type Flow, nameOf } from '../../graph/flow.ts';
import { waysOf, type Way, writesAt } from '../../graph/paths.ts';
import { type StartKind, startKind } from '../../graph/starts.ts';
import type { FoundPath, FoundWorkflow } from '../../model/workflow.ts';
import { keyOf, type Place } from '../../n8n-nodes/facts.ts';
import { redact } from '../../redact.ts';
import { staticFindings } from '../../rules/n8n/rules.ts';
import { awaits } from './awaits.ts';
import { fixedWaits } from './fixed-waits.ts';
import { foundLocks } from './found-locks.ts';
import { guardedBy } from './guarded-by.ts';
import { keep } from './kept.ts';
import { scheduleOf } from './schedule.ts';
import { historyLimits, timeoutLimit } from './settings.ts';
import { unknownWaits } from './unknown-waits.ts';
import { waitMs } from './wait.ts';

/** What one definition tells; sub-workflows are followed as far as `find` knows them. */
export function foundIn(flow: Flow, find: FindFlow = NO_FLOW, memory: CallMemory = new Map()): FoundWorkflow {
  const { definition } = flow;
  const calls = callsOf(flow, find, memory);
  const ways = waysOf(flow, calls);
  const schedule = scheduleOf(definition);
  const guard = guardedBy(flow, calls);
  return {
    id: definition.id,
    name: redact(definition.name),
    source: definition.source,
    platform: 'n8n',
    isActive: definition.isActive,
    ...(definition.changedAtMs === null ? {} : { changedAtMs: definition.changedAtMs }),
    schedule,
    isByEvents: isStartedBy(flow, ['event']),
    bringsRecords: isStartedBy(flow, ['event', 'poll']),
    paths: ways.map((way) => pathOf(flow, way)),
    findings: staticFindings({ flow, calls, ways, schedule }),
    reads: keysOf(flow, (at) => doing(flow, at)?.reads ?? []),
    writes: keysOf(flow, (at) => writesAt(flow, at, calls)),
    waitMs: longestWait(flow, find, memory),
    waits: fixedWaits(flow, find, memory),
    unknownWaits: unknownWaits(flow, find, memory),
    locks: foundLocks(flow),
    ...(guard === null ? {} : { guardedBy: guard }),
    historyLimits: historyLimits(definition.settings),
    ...offOf(flow),
    kept: keep(flow),
  };
}

/**
 * One that is called by others, or started by hand alone, runs whether it is switched on or not. An export that says it is off
 * may have been made to be switched on elsewhere.
 */
function offOf(flow: Flow): Pick<FoundWorkflow, 'off'> {
  const { isActive, isArchived, isLive } = flow.definition;
  if (isArchived) return { off: 'archived' };
  const kinds = flow.triggers.map((at) => startKind(flow, at));
  const isStartedElsewhere = kinds.includes('called') || (kinds.length > 0 && kinds.every((kind) => kind === 'manual'));
  return isLive && isActive === false && !isStartedElsewhere ? { off: 'off' } : {};
}

/** By nothing else that starts it by itself: n8n calls what a message started `trigger`, as it does what the clock did. */
function isStartedBy(flow: Flow, wanted: readonly StartKind[]): boolean {
  const kinds = flow.triggers.map((at) => startKind(flow, at)).filter((kind) => kind !== 'manual' && kind !== 'called');
  return kinds.length > 0 && kinds.every((kind) => kind !== null && wanted.includes(kind));
}

/** Sub-workflows that one run may wait for, those of sub-workflows included; further ones are not looked at. */
const AWAITED_MAX = 100;

/** A run stays open while a sub-workflow waits, or what that one runs in turn, unless it goes on without it. */
function longestWait(flow: Flow, find: FindFlow, memory: CallMemory): number {
  const awaited = new Set([flow]);
  let longest = 0;
  // What is added on the way is come to in its turn, and nothing twice: circles end.
  for (const each of awaited) {
    longest = Math.max(longest, waitMs(each.definition));
    const calls = callsOf(each, find, memory);
    for (const at of each.order) {
      const callee = awaits(each, at) ? calls.flowAt(at) : null;
      if (callee !== null && awaited.size <= AWAITED_MAX) awaited.add(callee);
    }
  }
  return longest;
}

function pathOf(flow: Flow, { read, mark, steps, effects }: Way): FoundPath {
  return {
    read: redact(nameOf(flow, read)),
    firstWrite: mark === null ? null : redact(nameOf(flow, mark)),
    steps,
    effectBeforeMark: effects.length > 0,
  };
}

function keysOf(flow: Flow, placesAt: (at: number) => readonly Place[]): readonly string[] {
  const keys = new Set<string>();
  for (const at of flow.order) {
    for (const place of placesAt(at)) {
      const key = place.system === 'http' ? null : keyOf(place);
      if (key !== null) keys.add(key);
    }
  }
  return [...keys];
}

/** Why the runs of a workflow may be shorter than its work: sentences. */
export function durationLimits(flow: Flow): readonly string[] {
  const first = flow.order.find((at) => doing(flow, at)?.does === 'call' && !awaits(flow, at));
  const unawaited =
    first === undefined
      ? null
      : redact(
          `"${nameOf(flow, first)}" does not wait for its sub-workflow: runs end before their work does, so durations here are too short.`,
        );
  return [timeoutLimit(flow.definition.settings), unawaited].filter((limit) => limit !== null);
}
