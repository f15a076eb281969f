/**
 * Locks that are taken and asked for, and keep nobody out all the same: each run has a lock of its own, each is taken for a
 * repeat of the first, the lock is told to be passed by, or its lease is over while the run still waits for its work.
 */
import { nominalGapMs } from './gap.ts';
import { plainType } from '../n8n-nodes/classify.ts';
import type { LockTerms } from '../n8n-nodes/lock-terms.ts';
import { scheduleOf } from '../readers/n8n-workflow/schedule.ts';
import { doing, type Flow, leadingTo } from './flow.ts';
import { variesBefore } from './name-parts.ts';
import { outlived } from './lease-span.ts';

export type EmptyReason =
  | { readonly kind: 'own-name'; readonly part: string; readonly everyMs: number | null }
  /** By item or by pass: who has more of them gets through. */
  | { readonly kind: 'counted-name'; readonly part: string; readonly counts: 'items' | 'passes' }
  | { readonly kind: 'one-start' }
  | { readonly kind: 'passed-by' }
  | {
      readonly kind: 'short-lease';
      readonly leaseMs: number;
      readonly waitMs: number;
      readonly waits: readonly number[];
    };

/** By node. Kept with the flow: each walk asks. */
export type EmptyLocks = ReadonlyMap<number, EmptyReason>;

const known = new WeakMap<Flow, EmptyLocks>();
/** Of one workflow; further ones are believed. */
const LOCKS_MAX = 20;

export function emptyLocks(flow: Flow): EmptyLocks {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const found = new Map<number, EmptyReason>();
  for (const at of flow.order.filter((each) => termsAt(flow, each) !== null).slice(0, LOCKS_MAX)) {
    const terms = termsAt(flow, at);
    const reason = terms === null ? null : reasonOf(flow, at, terms);
    if (reason !== null) found.set(at, reason);
  }
  known.set(flow, found);
  return found;
}

/** How the lock that is taken here is asked for; null where none is taken, or nothing is known of it. */
export function termsAt(flow: Flow, at: number): LockTerms | null {
  const call = doing(flow, at)?.call ?? null;
  return call?.does === 'take' ? call.terms : null;
}

function reasonOf(flow: Flow, at: number, terms: LockTerms): EmptyReason | null {
  if (terms.isPassedBy) return { kind: 'passed-by' };
  const byName = reasonOfName(flow, at, terms);
  if (byName !== null) return byName;
  if (terms.isOneStart) return { kind: 'one-start' };
  const over = terms.leaseMs === null ? null : outlived(flow, at, terms.leaseMs);
  return over === null || terms.leaseMs === null ? null : { kind: 'short-lease', leaseMs: terms.leaseMs, ...over };
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function reasonOfName(flow: Flow, at: number, terms: LockTerms): EmptyReason | null {
  const varies = terms.varies ?? variesBefore(flow, at, terms.parts);
  if (varies === null) return null;
  const { text: part, keepsMs } = varies;
  if (keepsMs === 'items') return isOfList(flow, at) ? { kind: 'counted-name', part, counts: 'items' } : null;
  if (keepsMs === 'passes') return isInLoop(flow, at) ? { kind: 'counted-name', part, counts: 'passes' } : null;
  if (keepsMs === 'slot') return isBehindClock(flow, at) ? { kind: 'own-name', part, everyMs: null } : null;
  if (keepsMs === 0) return { kind: 'own-name', part, everyMs: null };
  // A name for each hour keeps out nobody where starts are an hour apart. One for each day is meant to: once a day is enough.
  const gapMs = nominalGapMs(scheduleOf(flow.definition)) ?? MINUTE;
  return keepsMs <= gapMs && keepsMs < DAY ? { kind: 'own-name', part, everyMs: keepsMs } : null;
}

/** Its items come from a read, so that a run may have more of them than another. */
function isOfList(flow: Flow, at: number): boolean {
  return [...leadingTo(flow, at)].some((node) => doing(flow, node)?.does === 'read');
}

function isInLoop(flow: Flow, at: number): boolean {
  return [...flow.loops.values()].some((body) => body.has(at));
}

/** Straight behind, so that its `$json` is what the trigger hands on. */
function isBehindClock(flow: Flow, at: number): boolean {
  return (flow.before[at] ?? []).some((node) => {
    const trigger = flow.definition.nodes[node];
    return trigger !== undefined && plainType(trigger) === 'scheduleTrigger';
  });
}
