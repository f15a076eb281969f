import { trustWindow } from '../domain/timing.ts';
import type { Start } from './api.ts';
import type { CheckedStart } from './arguments.ts';
import type { Asked } from './ask.ts';
import { HeldStart } from './held-start.ts';
import type { EngineParts } from './parts.ts';
import { UnheldStart } from './unheld-start.ts';

/** Joins an answer with the handle that fits it. The answer's fields are the start's own, the handle's are not. */
export async function openStart(parts: EngineParts, checked: CheckedStart, asked: Asked): Promise<Start> {
  const { answer, anchor } = asked;
  if (answer.outcome !== 'acquired' && answer.outcome !== 'reclaimed') {
    return Object.assign(new UnheldStart(answer.lock, answer.runId), answer);
  }
  const { leaseMs } = checked.request;
  const handle = new HeldStart(parts, {
    lock: answer.lock,
    runId: answer.runId,
    token: answer.token,
    leaseMs,
    window: trustWindow(anchor, leaseMs, answer.remainingMs),
    renewal: checked.renewal,
    withholdRenewal: checked.withholdRenewal,
  });
  await handle.begin();
  return Object.assign(handle, answer);
}
