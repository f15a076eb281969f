/** A store under the property tests, on a clock that stands still until a sequence moves it. */
import type { HolderInfo } from '../../src/domain/lock-state.ts';
import type { Store } from '../../src/ports/store.ts';
import { SAID } from './model/lock-model.ts';
import type { Expected, ModelAsk } from './model/model-rows.ts';
import type { Call } from './model/world.ts';

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
export interface Subjects extends AsyncDisposable {
  readonly name: string;
  open(): Promise<Subject>;
  /** Another client of the same store, with a connection of its own; closed with the subject or at the end. */
  another(subject: Subject): Promise<Store>;
}

const SYSTEM = 'process';

/** Makes the call; by another client of the store where one is given. */
export async function make({ store: own, locks, startMs }: Subject, call: Call, store: Store = own): Promise<Expected> {
  const lock = locks['by' in call ? call.by.lock : call.lock] ?? '';
  switch (call.call) {
    case 'start':
      return plain(await start(store, call.ask, lock, startMs), startMs);
    case 'renew': {
      const { leaseMs, progress } = call;
      const request = { lock, token: call.by.token, leaseMs, progress, holderInfo: null };
      return plain(await store.renew(request), startMs);
    }
    case 'release': {
      const { status, afterMs } = call;
      return plain(await store.release({ lock, token: call.by.token, status, afterMs, lost: null }), startMs);
    }
    case 'force':
      return plain(await store.forceRelease({ lock, reason: 'it hangs', atOnce: call.atOnce }), startMs);
    case 'pause':
      return plain(await store.pause({ lock, reason: null }), startMs);
    case 'resume':
      return plain(await store.resume({ lock }), startMs);
  }
}

/** The ask as the store's port has it. */
async function start(store: Store, ask: ModelAsk, lock: string, startMs: number): Promise<object> {
  const { slot, bypass, isProbed, isExtendable, canProbe, evidence, ...same } = ask;
  const slotAt = slot === null ? null : new Date(startMs + slot);
  const holderInfo: HolderInfo | null = isProbed ? { probe: SYSTEM, extendable: isExtendable } : null;
  const request = { ...same, lock, holderInfo, slotAt, trigger: null, bypassReason: bypass, plan: null };
  const leaseUntil = evidence === null ? null : new Date(startMs + evidence.until);
  const { fence = 0, state = 'unknown' } = evidence ?? {};
  const said = leaseUntil === null ? null : { fence, state, leaseUntil, detail: SAID };
  return await store.acquireOrProbe({
    ...request,
    probes: canProbe ? [SYSTEM] : [],
    evidence: said,
  });
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

/** Of the actual object, the fields that the expected one has. */
export function partOf(actual: Expected, expected: Expected): Expected {
  const isObject = (each: unknown): each is Expected =>
    typeof each === 'object' && each !== null && !Array.isArray(each);
  return Object.fromEntries(
    Object.entries(expected).map(([key, field]) => {
      const value = actual[key];
      return [key, isObject(field) && isObject(value) ? partOf(value, field) : value];
    }),
  );
}
