import { doing, type Flow, leadingTo, nameOf, reachedFrom } from '../../graph/flow.ts';
import { holds } from '../../graph/gates.ts';
import type { Finding } from '../../model/finding.ts';
import { textOf } from '../../readers/n8n-workflow/definition.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';

/**
 * A lock that is given back in the last node alone stays held after every run that fails before it. Our own nodes give
 * back by themselves when a run ends, so they are not meant.
 */
export function lateRelease({ flow }: StaticInput): readonly Finding[] {
  // An error workflow may be what gives back.
  if ((textOf(flow.definition.settings['errorWorkflow']) ?? 'DEFAULT') !== 'DEFAULT') return [];
  return flow.order
    .filter((at) => isForeignLock(flow, at))
    .flatMap((lock) => {
      const after = reachedFrom(flow, [lock]);
      const releases = flow.order.filter((at) => after.has(at) && gives(flow, at, lock));
      const [release, ...others] = releases;
      if (release === undefined || others.length > 0) return [];
      const before = leadingTo(flow, release);
      const failing = flow.order.find((at) => after.has(at) && before.has(at) && at !== lock && canFail(flow, at));
      if (failing === undefined) return [];
      return [
        findingOf({
          rule: 'guard.fails-open',
          severity: 'info',
          message: `"${nameOf(flow, release)}" gives back only where all before it went well: after a failure in "${nameOf(flow, failing)}" the lock that "${nameOf(flow, lock)}" took stays until it expires, and every start until then is lost.`,
          evidence: [nodeEvidence(flow, lock, 'takes'), nodeEvidence(flow, release, 'gives back')],
          advice: `Lead the error output of what can fail to "${nameOf(flow, release)}", too, or give back in an error workflow, as docs/guides/sql.md#n8n shows.`,
        }),
      ];
    })
    .slice(0, FINDINGS_MAX);
}

const FINDINGS_MAX = 3;

function isForeignLock(flow: Flow, at: number): boolean {
  const facts = doing(flow, at);
  return (
    facts?.guard === 'redis-set' ||
    (facts?.guard === 'redis-incr' && holds(flow, at)) ||
    (facts?.guard === 'lock' && facts.label !== 'leasehold' && holds(flow, at))
  );
}

function gives(flow: Flow, at: number, lock: number): boolean {
  const guard = doing(flow, at)?.guard ?? null;
  if (guard === 'release') return doing(flow, lock)?.guard === 'lock';
  const key = (node: number): string | null => textOf(flow.definition.nodes[node]?.parameters['key']);
  return guard === 'redis-delete' && key(at) === key(lock);
}

/** What calls out fails one day, and stops the run unless it is told otherwise. */
function canFail(flow: Flow, at: number): boolean {
  const does = doing(flow, at)?.does ?? 'transform';
  return does !== 'transform' && does !== 'loop' && does !== 'wait' && flow.definition.nodes[at]?.onError === 'stop';
}
