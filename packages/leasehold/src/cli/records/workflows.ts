import type { HolderInfo } from '../../domain/lock-state.ts';
import type { PoolStatus } from '../../domain/records/record.ts';

/** Who works which pool, as far as claims under way say it. */

/** A word of a holder's; null where it says none. */
export function saidBy(holderInfo: HolderInfo | null, key: 'workflow' | 'host'): string | null {
  const value = holderInfo?.[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The workflows with a claim in this pool, by name. */
export function workflowsOf({ claims }: Pick<PoolStatus, 'claims'>): readonly string[] {
  const names = claims.map(({ holderInfo }) => saidBy(holderInfo, 'workflow')).filter((name) => name !== null);
  return [...new Set(names)].toSorted();
}

/** What is worth a second look: a pool that two workflows work, and a workflow that works two pools. */
export function sharedWork(pools: readonly PoolStatus[]): string[] {
  const ofPools = pools
    .map((status) => ({ pool: status.pool, workflows: workflowsOf(status) }))
    .filter(({ workflows }) => workflows.length > 0);
  const names = [...new Set(ofPools.flatMap(({ workflows }) => workflows))].toSorted();
  const ofWorkflows = names.map((workflow) => ({
    workflow,
    pools: ofPools.filter(({ workflows }) => workflows.includes(workflow)).map(({ pool }) => pool),
  }));
  return [
    ...ofPools
      .filter(({ workflows }) => workflows.length > 1)
      .map(
        ({ pool, workflows }) => `Pool "${pool}" is worked by ${workflows.length} workflows: ${workflows.join(', ')}.`,
      ),
    ...ofWorkflows
      .filter((each) => each.pools.length > 1)
      .map((each) => `Workflow "${each.workflow}" works ${each.pools.length} pools: ${each.pools.join(', ')}.`),
  ];
}
