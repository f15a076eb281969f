/** A store under the property tests, on a clock that stands still until a sequence moves it. */
import type { HolderInfo } from '../../src/domain/lock-state.ts';
import type { AcquireAnswer } from '../../src/domain/answers.ts';
import type { AcquireRequest, Store } from '../../src/ports/store.ts';
import type { ModelAsk } from './model/model-rows.ts';

/** Probes are part of the store's port. */
export const HAS_EVIDENCE = false;

export interface Subject {
  readonly store: Store;
  /** Locks of this sequence alone. */
  readonly locks: readonly string[];
  /** The store's clock when the sequence began, in ms since 1970. */
  readonly startMs: number;
  /** False: its clock is the server's wall clock, and a step of that is no other case than a restart. */
  readonly hasBootClock: boolean;
  pass(ms: number): Promise<void>;
  suspend(ms: number): Promise<void>;
  stepWall(ms: number): Promise<void>;
  restart(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens stores for one sequence after the other. */
export interface Subjects {
  readonly name: string;
  open(): Promise<Subject>;
  end(): Promise<void>;
}

const SYSTEM = 'process';

/** The ask as the store's port has it. */
export function requestOf(ask: ModelAsk, lock: string, startMs: number): AcquireRequest {
  const { slot, bypass, isProbed, isExtendable, canProbe, evidence, ...same } = ask;
  const slotAt = slot === null ? null : new Date(startMs + slot);
  const holderInfo: HolderInfo | null = isProbed ? { probe: SYSTEM, extendable: isExtendable } : null;
  const request = { ...same, lock, holderInfo, slotAt, trigger: null, bypassReason: bypass };
  if (!HAS_EVIDENCE) return request;
  const said =
    evidence === null
      ? null
      : {
          fence: evidence.fence,
          leaseUntil: new Date(startMs + evidence.until),
          state: evidence.state,
          detail: 'said',
        };
  return { ...request, probes: canProbe ? [SYSTEM] : [], evidence: said } as AcquireRequest;
}

/** An answer of a store as plain data, instants in ms since `startMs`. */
export function plain(value: object, startMs: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plainValue(field, startMs)]));
}

function plainValue(value: unknown, startMs: number): unknown {
  if (value instanceof Date) return value.getTime() - startMs;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, startMs));
  return typeof value === 'object' && value !== null ? plain(value, startMs) : value;
}

/** The token of a grant; null for any other answer. */
export function tokenOf(answer: AcquireAnswer): string | null {
  return answer.outcome === 'acquired' || answer.outcome === 'reclaimed' ? answer.token : null;
}
