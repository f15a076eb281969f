import { formatDuration } from '../../../domain/duration.ts';
import { type EmptyReason, emptyLocks } from '../../graph/empty-locks.ts';
import { nameOf } from '../../graph/flow.ts';
import { freedAll } from '../../graph/gates.ts';
import type { Finding } from '../../model/finding.ts';
import { actsAfter } from './guards.ts';
import { findingOf, named, nodeEvidence, type StaticInput } from './input.ts';
import type { OpenLock } from './unasked-lock.ts';

/** Of one workflow. */
const LOCKS_MAX = 10;

/** Locks that each run gets, whoever has them. */
export function openByTerms(input: StaticInput): readonly OpenLock[] {
  const { flow } = input;
  return [...emptyLocks(flow)]
    .filter(([lock]) => actsAfter(input, lock))
    .slice(0, LOCKS_MAX)
    .map(([lock, reason]) => ({ lock, finding: emptyLock(input, lock, reason) }));
}

export function emptyLockFindings(input: StaticInput): readonly Finding[] {
  return openByTerms(input).map(({ finding }) => finding);
}

function emptyLock({ flow }: StaticInput, at: number, reason: EmptyReason): Finding {
  const lock = `"${nameOf(flow, at)}"`;
  const waits = reason.kind === 'short-lease' ? reason.waits : [];
  const { message, advice } = saidOf(lock, named(flow, waits), reason);
  return findingOf({
    rule: 'guard.fails-open',
    severity: 'critical',
    message,
    evidence: [nodeEvidence(flow, at, 'takes'), ...waits.map((wait) => nodeEvidence(flow, wait, 'waits'))],
    advice,
  });
}

type Said = Pick<Finding, 'message' | 'advice'>;

function saidOf(lock: string, waits: string, reason: EmptyReason): Said {
  switch (reason.kind) {
    case 'own-name': {
      const since = reason.everyMs === null ? '' : ` (it changes every ${formatDuration(reason.everyMs)})`;
      return {
        message: `The name of the lock that ${lock} takes has ${reason.part} in it, which is another one at each start${since}: each run has a lock of its own and keeps nobody out.`,
        advice: `Give ${lock} the same name for each run, such as that of the workflow; what differs from run to run belongs into the holder and the run id.`,
      };
    }
    case 'counted-name':
      return {
        message: `The name of the lock that ${lock} takes has ${reason.part} in it, which counts the ${reason.counts} of its own run: a run with more of them, or with others in their places, gets through.`,
        advice: `Take one lock in front of all ${reason.counts}, with the same name for each run; or claim each record by its id.`,
      };
    case 'one-start':
      return {
        message: `${lock} asks with the same holder and the same run id in each run: every start is taken for a repeat of the first and gets its lock, too, and once that lease is over none gets it again.`,
        advice: `Give ${lock} the execution's id as run id: run_id => '{{ $execution.id }}'.`,
      };
    case 'passed-by':
      return {
        message: `${lock} gives a reason to pass the lock by (bypass_reason): it goes on whoever holds the lock, and holds nothing itself.`,
        advice: `Take the reason out of ${lock}.`,
      };
    case 'short-lease':
      return {
        message: `The lease that ${lock} takes is over after ${formatDuration(reason.leaseMs)}, and ${waits} wait${reason.waits.length === 1 ? 's' : ''} ${formatDuration(reason.waitMs)} before the work is done: from then on the next start gets the lock, and both work the same records.`,
        advice: `Give ${lock} a lease that is longer than ${formatDuration(reason.waitMs)} and the work behind it, or renew it in front of ${waits} (leasehold.renew with a lease of its own).`,
      };
  }
}

/** Locks that are given back before the work is done. */
export function releasedTooEarly({ flow }: StaticInput): readonly Finding[] {
  return freedAll(flow)
    .slice(0, LOCKS_MAX)
    .map(({ lock, release, after, loop, isUnawaited }) => {
      const [given, taken] = [`"${nameOf(flow, release)}"`, `"${nameOf(flow, lock)}"`];
      const last = `"${nameOf(flow, after.at(-1) ?? lock)}"`;
      return findingOf({
        rule: 'guard.fails-open',
        severity: 'critical',
        message: isUnawaited
          ? `${given} gives back the lock of ${taken} while ${named(flow, after)}, which the run does not wait for, is still at work: the next start gets it and works the same records.`
          : loop === null
            ? `${given} gives back the lock of ${taken} before ${named(flow, after)}: the next start gets it while this run is still at work.`
            : `${given} stands inside the loop "${nameOf(flow, loop)}": the first pass gives back the lock of ${taken}, and the next start gets it while this run still does ${named(flow, after)} for the rest.`,
        evidence: [
          nodeEvidence(flow, lock, 'takes'),
          nodeEvidence(flow, release, 'gives back'),
          ...after.map((at) => nodeEvidence(flow, at, 'after it')),
        ],
        advice: isUnawaited
          ? `Let ${named(flow, after)} wait for the sub-workflow (Wait For Sub-Workflow Completion), or let the sub-workflow give back the lock.`
          : loop === null
            ? `Move ${given} behind ${last}, to the end of each way.`
            : `Move ${given} to the "done" output of "${nameOf(flow, loop)}".`,
      });
    });
}
