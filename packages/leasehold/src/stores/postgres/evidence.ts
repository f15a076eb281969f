import type { AcquireAnswer } from '../../domain/answers.ts';
import type { ProbeFirstAnswer } from '../../domain/evidence.ts';
import type { CallOptions, ProbingRequest } from '../../ports/store.ts';
import { startArguments } from './acquire.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { acquireAnswer, infoOrNull, instantOrNull, number, onlyRow, type Row, text, textOrNull } from './rows.ts';

/** `leasehold.acquire` of a caller that can ask after a holder. */
export async function acquireOrProbe(
  connection: Connection,
  request: ProbingRequest,
  call?: CallOptions,
): Promise<AcquireAnswer | ProbeFirstAnswer> {
  const evidence = request.evidence === null ? null : JSON.stringify(request.evidence);
  const values = [...startArguments(request), request.probes, evidence];
  const row = onlyRow(await connection.call(CALLS.acquire_or_probe, values, call?.timeoutMs));
  return text(row, 'outcome') === 'probe_first' ? probeFirstAnswer(row) : acquireAnswer(row);
}

function probeFirstAnswer(row: Row): ProbeFirstAnswer {
  return {
    outcome: 'probe_first',
    lock: text(row, 'lock'),
    fence: number(row, 'fence'),
    leaseUntil: instantOrNull(row, 'lease_until'),
    remainingMs: number(row, 'remaining_ms'),
    holder: textOrNull(row, 'current_holder'),
    runId: textOrNull(row, 'current_run_id'),
    holderInfo: infoOrNull(row, 'current_holder_info') ?? {},
  };
}
