import { decideLookup, type ProviderDelays } from '../../domain/records/decide-lookup.ts';
import { errorText } from '../../domain/records/error-text.ts';
import type { LookupAnswer, LookupDecision } from '../../domain/records/lookup.ts';
import { checkProviderRef } from '../../domain/records/record-key.ts';
import { formatDuration } from '../../domain/duration.ts';
import { type ClockReading, elapsedMs } from '../../domain/timing.ts';
import type { AskedRecord } from '../../ports/record-store.ts';
import type { Verifier } from '../../ports/verifier.ts';
import { PROBE_MS_MAX } from '../inquiry.ts';
import type { EngineParts } from '../parts.ts';
import { askProbe } from '../probe-asking.ts';

/** A verifier whose numbers are known to be good. */
export interface CheckedVerifier {
  readonly lookup: Verifier['lookup'];
  readonly lookupTimeoutMs: number;
  readonly delays: ProviderDelays;
}

/** A record to ask for, and this host's clocks from before the store said of it when it is asked for. */
export interface TakenRecord {
  readonly record: AskedRecord;
  readonly takenAt: ClockReading;
}

/** Asks the provider about one record and says what follows. Never rejects for what the provider or its code does. */
export async function verifyRecord(
  parts: EngineParts,
  verifier: CheckedVerifier,
  { record, takenAt }: TakenRecord,
  provenEnded: (record: AskedRecord) => Promise<Date | null>,
): Promise<LookupDecision> {
  // A look-up shows what the provider knows when it answers, which may be long after it was asked for.
  const answer = await lookUp(parts, verifier, record);
  // Whether the sender can still send matters only where its effect isn't there, and a sender that spoke has stopped.
  const isOpen = answer.kind === 'absent' && record.unknownAt === null && record.holderEndedAt === null;
  const holderEndedAt = isOpen ? await provenEnded(record) : record.holderEndedAt;
  const scene = {
    begunAt: record.begunAt.getTime(),
    firstBegunAt: record.firstBegunAt.getTime(),
    leaseUntil: record.leaseUntil.getTime(),
    unknownAt: record.unknownAt?.getTime() ?? null,
    holderEndedAt: holderEndedAt?.getTime() ?? null,
    sendBefore: record.sendBefore?.getTime() ?? null,
    askedAt: record.askedAt.getTime(),
    answeredAfterMs: elapsedMs(takenAt, parts.clock.read()),
    askSince: record.askSince.getTime(),
  };
  return decideLookup(scene, verifier.delays, answer);
}

async function lookUp(parts: EngineParts, verifier: CheckedVerifier, record: AskedRecord): Promise<LookupAnswer> {
  const { clock, logger } = parts;
  const { pool, id, version, effectKey, providerRef, attempt, begunAt, firstBegunAt } = record;
  const over = new AbortController();
  const late = clock.sleep(verifier.lookupTimeoutMs, over.signal).then(
    () => unknown(`no answer within ${formatDuration(verifier.lookupTimeoutMs)}`),
    () => unknown('not asked'),
  );
  try {
    const payload: unknown = record.payload === null ? null : JSON.parse(record.payload);
    const effect = { pool, id, version, effectKey, providerRef, payload, attempt, begunAt, firstBegunAt };
    const asking = Promise.resolve().then(() => verifier.lookup(effect, over.signal));
    return checkAnswer(await Promise.race([asking, late]));
  } catch (error) {
    logger.warn(`The look-up of record "${id}" of pool "${pool}" failed.`, { pool, id, version, error });
    return unknown(errorText(error) ?? 'the look-up failed');
  } finally {
    over.abort();
  }
}

/** A verifier is a caller's own: what is none of the four answers is no answer. */
function checkAnswer(answer: LookupAnswer): LookupAnswer {
  const { kind } = (answer ?? {}) as { readonly kind?: unknown };
  switch (kind) {
    case 'found': {
      const ref: unknown = (answer as { readonly providerRef?: unknown }).providerRef;
      return { kind, providerRef: ref === undefined || ref === null ? null : checkProviderRef(ref) };
    }
    case 'absent':
    case 'pending':
      return { kind };
    case 'unknown':
      return unknown(errorText((answer as { readonly error?: unknown }).error) ?? 'it gave no reason');
    default:
      return unknown('its answer is none of found, absent, pending, unknown');
  }
}

function unknown(error: string): LookupAnswer {
  return { kind: 'unknown', error };
}

/** Proves holders ended, each claim's once a sweep, and writes down from when on. Null where nothing is proven. */
export class HolderEnds {
  readonly #parts: EngineParts;
  readonly #asked = new Map<string, Promise<Date | null>>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  provenEnded(record: AskedRecord): Promise<Date | null> {
    const key = `${record.claimId}\n${record.holder}`;
    const asked = this.#asked.get(key) ?? this.#ask(record);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask({ pool, claimId, holder, holderInfo }: AskedRecord): Promise<Date | null> {
    if (holderInfo === null) return null;
    const { clock, logger, probes = [], store } = this.#parts;
    const subject = { lock: pool, holder, runId: null, holderInfo };
    const words = { of: `pool "${pool}"`, fields: { pool, claimId } };
    const verdict = await askProbe({ clock, logger, probes }, subject, PROBE_MS_MAX, words);
    if (verdict.state !== 'ended') return null;
    return await store.noteHolderEnded({ pool, claimId, holder });
  }
}
