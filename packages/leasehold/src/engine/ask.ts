import type { AcquireAnswer } from '../domain/answers.ts';
import { type ClockReading, storeTimeoutMs } from '../domain/timing.ts';
import { isLeaseholdError } from '../errors.ts';
import type { AcquireRequest } from '../ports/store.ts';
import { Inquiry } from './inquiry.ts';
import type { EngineParts } from './parts.ts';

/** After so many leases that each were another one by the time a probe had spoken, the clock decides. */
const PROBES_MAX = 2;

/** An answer, and the moment before its request was sent: trust counts from there. */
export interface Asked<A = AcquireAnswer> {
  readonly answer: A;
  readonly anchor: ClockReading;
}

/** What a start needs to ask after holders; to be kept from one ask to the next where it waits. */
export function startInquiry(parts: EngineParts, { leaseMs }: Pick<AcquireRequest, 'leaseMs'>): Inquiry {
  return new Inquiry({ clock: parts.clock, logger: parts.logger, probes: parts.probes ?? [], leaseMs });
}

/**
 * Asks for the lock. An answer may be lost after the store has granted it; asking once more with the
 * same run id and holder gets the same token, where giving up would leave a lease that nobody knows
 * of and that keeps every other run out until it ends.
 *
 * Where the start meets a holder that can be asked after, that is done in between, and the store is asked
 * again with what was heard: by compare-and-set, since the holder may have renewed or gone meanwhile.
 * Three asks at most, each of one store time-out and one of them twice, and two probes; never more.
 *
 * Throws STORE_UNREACHABLE if an ask failed twice: nothing may start.
 */
export async function askStore(parts: EngineParts, request: AcquireRequest, inquiry: Inquiry): Promise<Asked> {
  const call = { timeoutMs: storeTimeoutMs(request.leaseMs) };
  const line = new Line(parts, request);
  let evidence = inquiry.recall();
  for (let probed = 0; probed < PROBES_MAX && inquiry.systems.length > 0; probed += 1) {
    const asking = { ...request, probes: inquiry.systems, evidence };
    const { answer, anchor } = await line.ask((store) => store.acquireOrProbe(asking, call));
    if (answer.outcome !== 'probe_first') return { answer, anchor };
    evidence = await inquiry.about(answer);
  }
  if (evidence === null) return await line.ask((store) => store.acquire(request, call));
  const last = { ...request, probes: [], evidence };
  const { answer, anchor } = await line.ask((store) => store.acquireOrProbe(last, call));
  if (answer.outcome === 'probe_first') throw new TypeError('the store asked for a probe that it was not offered');
  return { answer, anchor };
}

function isContended(answer: unknown): boolean {
  const { outcome, reason } = answer as { outcome?: unknown; reason?: unknown };
  return outcome === 'skipped' && reason === 'contended';
}

/** The asks of one start: of all of them, one may be repeated. */
class Line {
  readonly #parts: EngineParts;
  readonly #request: AcquireRequest;
  #mayRepeat = true;

  constructor(parts: EngineParts, request: AcquireRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  async ask<A>(send: (store: EngineParts['store']) => Promise<A>): Promise<Asked<A>> {
    const { store, clock, logger } = this.#parts;
    const anchor = clock.read();
    try {
      return { answer: await send(store), anchor };
    } catch (error) {
      if (!this.#mayRepeat || !isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;
      this.#mayRepeat = false;
      const { lock, runId } = this.#request;
      logger.warn(`No answer to the start of lock "${lock}"; it is asked once more.`, { lock, runId, error });
      const again = await this.ask(send);
      // The other transaction is our own first ask, whose commit hangs: nothing was answered, and nothing was recorded.
      if (isContended(again.answer)) throw error;
      return again;
    }
  }
}
