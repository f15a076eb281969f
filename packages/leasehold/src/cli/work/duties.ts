import type { Leasehold } from '../../engine/api.ts';
import { failureText } from '../alerts/delivery.ts';

/** What `work` does again and again. */
export interface Duty {
  readonly name: string;
  readonly everyMs: number;
  /** Answers what it did, in sentences and as fields; null for nothing worth a word. Throws what the store throws. */
  do(leasehold: Leasehold, signal: AbortSignal): Promise<Done | null>;
}

export interface Done {
  readonly sentences: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** In the order in which they are done: what one raises, the last delivers. */
export const DUTIES: readonly Duty[] = [{ name: 'alerts', everyMs: 5_000, do: deliverAlerts }];

async function deliverAlerts(leasehold: Leasehold, signal: AbortSignal): Promise<Done | null> {
  const report = await leasehold.deliverAlerts({ signal });
  const { delivered, unwanted, failed, dead, failures } = report;
  if (delivered + unwanted + failed + dead === 0) return null;
  const failure = failureText(report);
  const sentences = [
    ...(delivered === 0 ? [] : [`Delivered ${delivered} ${delivered === 1 ? 'alert' : 'alerts'}.`]),
    ...(unwanted === 0 ? [] : [`No channel wanted ${unwanted} ${unwanted === 1 ? 'alert' : 'alerts'}.`]),
    ...(failure === null ? [] : [`${failure}.`]),
  ];
  return { sentences, fields: { delivered, unwanted, failed, dead, failures } };
}
