import type { Retention } from '../../domain/retention.ts';
import type { Leasehold } from '../../engine/api.ts';
import { failureText } from '../alerts/delivery.ts';
import { settlePools, sweepText } from '../records/settle.ts';

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

const MINUTE_MS = 60_000;

/**
 * In the order in which they are done: what one raises, the last delivers. `retention` null: nothing is taken, because
 * the file that says what to keep can't be read.
 */
export function dutiesOf(retention: Retention | null): readonly Duty[] {
  return [
    { name: 'watch', everyMs: MINUTE_MS, do: watch },
    { name: 'sweep', everyMs: MINUTE_MS, do: sweep },
    // The store itself rests for an hour once it is through.
    ...(retention === null
      ? []
      : [{ name: 'prune', everyMs: 10 * MINUTE_MS, do: (leasehold: Leasehold) => prune(leasehold, retention) }]),
    { name: 'alerts', everyMs: 5_000, do: deliverAlerts },
  ];
}

async function watch(leasehold: Leasehold): Promise<Done | null> {
  const { raised } = await leasehold.watch();
  if (raised === 0) return null;
  const sentence = `Raised ${raised} ${raised === 1 ? 'event' : 'events'} that nobody would have told of.`;
  return { sentences: [sentence], fields: { raised } };
}

/** Of each pool for so long at most, since the alerts wait behind it. */
const SWEEP_MS = 2_000;

async function sweep(leasehold: Leasehold, signal: AbortSignal): Promise<Done | null> {
  const reports = await settlePools(leasehold, SWEEP_MS, signal);
  if (reports.length === 0) return null;
  const pools = reports.map(({ pool, requeued, review, cancelled, toAsk }) => ({
    pool,
    requeued,
    review,
    cancelled,
    toAsk,
  }));
  return { sentences: reports.map(sweepText), fields: { pools } };
}

async function prune(leasehold: Leasehold, retention: Retention): Promise<Done | null> {
  const { runs, events } = await leasehold.prune(retention);
  if (runs + events === 0) return null;
  const [ofRuns, ofEvents] = [runs === 1 ? 'run' : 'runs', events === 1 ? 'event' : 'events'];
  return { sentences: [`Took ${runs} old ${ofRuns} and ${events} old ${ofEvents}.`], fields: { runs, events } };
}

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
