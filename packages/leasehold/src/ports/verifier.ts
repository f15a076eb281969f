import type { LookupAnswer } from '../domain/records/lookup.ts';
import type { ProviderDelays } from '../domain/records/decide-lookup.ts';
import type { RecordKey } from '../domain/records/record.ts';

/** Numbers without which nobody knows when "not found" means "not sent". */
type Needed = 'commitDelayMs' | 'visibilityDelayMs';

/** The effect that a provider is asked for. */
export interface AskedEffect extends RecordKey {
  readonly pool: string;
  /** Our key, as it was sent with the effect. */
  readonly effectKey: string;
  /** The provider's reference, where a former owner or a person named one; else null. */
  readonly providerRef: string | null;
  /** What the record came with; null where it came without. */
  readonly payload: unknown;
  readonly attempt: number;
  /** When its work was begun last, and first, by the store's clock. */
  readonly begunAt: Date;
  readonly firstBegunAt: Date;
}

/**
 * Asks a provider whether an effect happened. It only ever asks: nothing that it does may make an effect.
 *
 * `found`, with the provider's reference where there is one. `absent`: the provider was asked and knows no such effect.
 * `pending`: it has the order and has not decided. `unknown`: everything else. A lookup that throws, or that
 * doesn't answer in time, counts as `unknown`, and the record then goes to review.
 */
export interface Verifier extends Pick<ProviderDelays, Needed>, Partial<Omit<ProviderDelays, Needed>> {
  /** `signal` fires when nobody listens any more. */
  lookup(effect: AskedEffect, signal: AbortSignal): Promise<LookupAnswer> | LookupAnswer;
  /** How long one look-up is waited for: 100 ms to 10 min, default 30 s. */
  readonly lookupTimeoutMs?: number;
}
