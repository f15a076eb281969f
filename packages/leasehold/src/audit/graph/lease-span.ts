import { fixedWaitMs } from '../readers/n8n-workflow/wait.ts';
import { plainType } from '../n8n-nodes/classify.ts';
import { doing, type Flow } from './flow.ts';
import { gotSide } from './got-side.ts';
import { isUnfinishedAt } from './unfinished.ts';

/** Waits that are longer than a lease, together or alone. */
export interface Outlived {
  readonly waitMs: number;
  readonly waits: readonly number[];
}

interface Since {
  /** Since the lease began, or was renewed. */
  readonly waitMs: number;
  readonly leaseMs: number;
  readonly waits: readonly number[];
}

/** The first waits behind a lock that its lease doesn't span, with work still to do behind them; null where there are none. */
export function outlived(flow: Flow, lock: number, leaseMs: number): Outlived | null {
  const under = gotSide(flow, lock);
  const since = new Map<number, Since>([[lock, { waitMs: 0, leaseMs, waits: [] }]]);
  for (const at of flow.order) {
    const before = under.has(at) ? since.get(at) : undefined;
    // Another one of ours holds from here on, or fails where the lease is over.
    if (before === undefined || (at !== lock && holdsAnew(flow, at))) continue;
    const here = after(flow, at, before);
    if (here.waitMs >= here.leaseMs && isUnfinishedAt(flow, lock, at))
      return { waitMs: here.waitMs, waits: here.waits };
    for (const { to } of flow.next[at] ?? []) {
      const known = since.get(to);
      if (known === undefined || known.leaseMs - known.waitMs > here.leaseMs - here.waitMs) since.set(to, here);
    }
  }
  return null;
}

function holdsAnew(flow: Flow, at: number): boolean {
  const guard = doing(flow, at)?.guard ?? null;
  return guard === 'lock' || guard === 'claim' || guard === 'sql-claim' || guard === 'release';
}

function after(flow: Flow, at: number, before: Since): Since {
  const node = flow.definition.nodes[at];
  const facts = doing(flow, at);
  if (node === undefined || facts === null) return before;
  if (facts.call?.does === 'renew') return { waitMs: 0, leaseMs: facts.call.leaseMs ?? before.leaseMs, waits: [] };
  const own = plainType(node) === 'wait' ? fixedWaitMs(node) : 0;
  return own === 0 ? before : { ...before, waitMs: before.waitMs + own, waits: [...before.waits, at] };
}
