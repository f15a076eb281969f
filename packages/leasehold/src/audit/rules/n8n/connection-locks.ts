import { doing, nameOf } from '../../graph/flow.ts';
import { actsAfter, guards, type OpenGuard } from './guards.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';
import { GUARD } from './steps.ts';

/** A lock of a database that belongs to a connection or to a transaction: no node of n8n keeps either. */
export function connectionLocks(input: StaticInput): readonly OpenGuard[] {
  const { flow } = input;
  return guards(flow, (kind) => kind === 'connection-lock')
    .filter((at) => actsAfter(input, at))
    .map((at) => {
      const { name = '', until = 'connection' } = doing(flow, at)?.connection ?? {};
      return {
        guard: at,
        finding: findingOf({
          rule: 'guard.fails-open',
          severity: until === 'transaction' ? 'critical' : 'warning',
          message:
            until === 'transaction'
              ? `"${nameOf(flow, at)}" takes a lock (${name}) that ends with its transaction, and that is over before the next node begins: it keeps no run out.`
              : `"${nameOf(flow, at)}" takes a lock (${name}) that belongs to its connection and not to the run: n8n gives the connection back to a pool, so the lock ends when the pool closes it, at a moment that nobody chose, and a run that gets the same connection takes the lock once more. Another node can give it back only if it happens to get that connection.`,
          evidence: [nodeEvidence(flow, at, 'takes')],
          advice: `Put ${GUARD} in place of "${nameOf(flow, at)}": its lease is a row, which belongs to the run on whatever connection.`,
        }),
      };
    });
}
