import type { AcquireAnswer } from '../../domain/answers.ts';
import type { AcquireRequest, CallOptions } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { acquireAnswer, onlyRow } from './rows.ts';

/** `leasehold.acquire`; repeated after a lost connection it is the same start by its run id and holder. */
export async function acquire(
  connection: Connection,
  request: AcquireRequest,
  call?: CallOptions,
): Promise<AcquireAnswer> {
  return acquireAnswer(onlyRow(await connection.call(CALLS.acquire, startArguments(request), call?.timeoutMs)));
}

/** The arguments of a start, in the order of `calls.sql`. */
export function startArguments(request: AcquireRequest): unknown[] {
  return [
    request.lock,
    request.leaseMs,
    request.holder,
    request.slotAt,
    request.runId,
    request.onStale,
    request.again,
    request.trigger,
    request.graceMs,
    request.holderInfo === null ? null : JSON.stringify(request.holderInfo),
    request.waiting,
    request.bypassReason,
    request.plan?.expression ?? null,
    request.plan?.timezone ?? null,
    request.plan?.nextSlotAt ?? null,
    request.plan?.overdueAt ?? null,
  ];
}
