/**
 * What may happen to the records of a pool, as plain data, so that a counterexample can be read and shrinks well. Which
 * claim or look-up is meant is a number counted back from the newest, modulo how many there are.
 */
import fc from 'fast-check';
import type { Action, ModelDecision } from './model/sweep-model.ts';
import type { Key, Word } from './model/model-rows.ts';
import { HOUR, MINUTE, SECOND, STORIES } from './stories.ts';

export type RecordCommand =
  | { readonly do: 'enqueue'; readonly keys: readonly Key[]; readonly inMs: number | null }
  | ClaimCommand
  | { readonly do: 'work'; readonly verdicts: readonly SaidItem[]; readonly begins: readonly SaidItem[] }
  | { readonly do: 'extend'; readonly claim: number; readonly leaseMs: number | null; readonly isByToken: boolean }
  | {
      readonly do: 'return';
      readonly claim: number;
      readonly ids: readonly string[] | null;
      readonly isByToken: boolean;
    }
  | { readonly do: 'settle' }
  | { readonly do: 'ask'; readonly everyMs: number }
  | {
      readonly do: 'lookup';
      readonly asked: number;
      readonly kind: ModelDecision;
      readonly ref: string | null;
      readonly inMs: number | null;
    }
  | { readonly do: 'ended'; readonly claim: number }
  | {
      readonly do: 'decide';
      readonly id: string;
      readonly version: string | null;
      readonly action: Action;
      readonly ref: string | null;
    }
  | {
      readonly do: 'set';
      readonly redo: 'ask' | 'safe';
      readonly windowMs: number | null;
      readonly attempts: number;
      readonly callTimeoutMs: number;
      readonly hasVerifier: boolean;
    }
  | { readonly do: 'pause'; readonly paused: boolean }
  | { readonly do: 'pass'; readonly ms: number };

export interface ClaimCommand {
  readonly do: 'claim';
  /** Null: the next ones of the queue. */
  readonly keys: readonly Key[] | null;
  readonly limit: number;
  readonly leaseMs: number;
  readonly isExplicit: boolean;
  /** Null: a new claim; else one before, asked again. */
  readonly repeats: number | null;
  readonly isContinued: boolean;
  /** True: asked again by another process. */
  readonly isOther: boolean;
}

/** A verdict or a begin: `claim` null for a token of nobody. */
export interface SaidItem {
  readonly claim: number | null;
  readonly id: string;
  readonly word: Word;
  readonly ref: string | null;
  /** With all but `done`. */
  readonly error: string | null;
  /** False: by the claim's own handle. */
  readonly isByToken: boolean;
}

const id = fc.constantFrom('a', 'a', 'b', 'b', 'c');
const version = fc.constantFrom('', '', '2', '3');
const key = fc.record({ id, version });
/** No two versions of one id: which of them is the newer, the contract leaves to the store. */
const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 3, selector: (each) => each.id });
const ref = fc.constantFrom(null, 'ref-1', 'ref-1', 'ref-2');
const older = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 5);
const seldom = fc.constantFrom(false, false, false, false, true);
const lease = fc.constantFrom(MINUTE, 10 * MINUTE, HOUR);

const enqueue = fc.record({
  do: fc.constant('enqueue' as const),
  keys,
  inMs: fc.constantFrom(null, null, -MINUTE, 0, MINUTE, HOUR),
});

const claim = fc.record({
  do: fc.constant('claim' as const),
  keys: fc.option(keys, { nil: null }),
  limit: fc.constantFrom(1, 2, 10),
  leaseMs: lease,
  isExplicit: fc.boolean(),
  repeats: fc.option(older, { nil: null, freq: 3 }),
  isContinued: fc.boolean(),
  isOther: seldom,
});

const said = fc.record({
  claim: fc.option(older, { nil: null, freq: 12 }),
  id,
  word: fc.constantFrom<Word>('done', 'done', 'failed', 'failed', 'failed_permanent', 'unknown', 'review'),
  ref,
  error: fc.constantFrom('it went wrong', 'it went wrong', null),
  isByToken: seldom,
});

const work = fc.record({
  do: fc.constant('work' as const),
  verdicts: fc.array(said, { maxLength: 2 }),
  begins: fc.array(said, { maxLength: 2 }),
});

const sweep: fc.Arbitrary<RecordCommand> = fc.oneof(
  fc.record({ do: fc.constant('ask' as const), everyMs: fc.constantFrom(0, MINUTE) }),
  fc.record({
    do: fc.constant('lookup' as const),
    asked: older,
    kind: fc.constantFrom<ModelDecision>('done', 'requeue', 'requeue', 'review', 'wait'),
    ref,
    inMs: fc.constantFrom(null, null, HOUR, 2 * HOUR),
  }),
);

const commands: fc.Arbitrary<RecordCommand>[] = [
  enqueue,
  fc.record({
    do: fc.constant('extend' as const),
    claim: older,
    leaseMs: fc.option(lease, { nil: null }),
    isByToken: seldom,
  }),
  fc.record({
    do: fc.constant('return' as const),
    claim: older,
    ids: fc.option(fc.uniqueArray(id, { maxLength: 2 }), { nil: null }),
    isByToken: seldom,
  }),
  fc.constant({ do: 'settle' as const }),
  fc.record({ do: fc.constant('ended' as const), claim: older }),
  fc.record({
    do: fc.constant('decide' as const),
    id,
    version: fc.option(version, { nil: null }),
    action: fc.constantFrom<Action>('ask', 'done', 'requeue', 'requeue', 'fail'),
    ref,
  }),
  fc.record({
    do: fc.constant('set' as const),
    redo: fc.constantFrom('ask' as const, 'safe' as const),
    windowMs: fc.constantFrom(null, null, 2 * HOUR),
    attempts: fc.constantFrom(1, 2, 3),
    callTimeoutMs: fc.constantFrom(0, 0, MINUTE),
    hasVerifier: fc.constantFrom(true, true, false),
  }),
  fc.record({ do: fc.constant('pause' as const), paused: fc.constantFrom(false, false, true) }),
];

const pass = fc.record({
  do: fc.constant('pass' as const),
  ms: fc.constantFrom(1, 30 * SECOND, MINUTE, MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, HOUR, 25 * HOUR),
});

export function recordSequences(lengthMax: number): fc.Arbitrary<RecordCommand[]> {
  const command = fc.oneof(
    { weight: 6, arbitrary: claim },
    { weight: 8, arbitrary: work },
    { weight: 5, arbitrary: pass },
    { weight: 4, arbitrary: sweep },
    ...commands.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
  const steps = fc.oneof(
    { weight: 5, arbitrary: command.map((each): readonly RecordCommand[] => [each]) },
    { weight: 1, arbitrary: fc.constantFrom(...STORIES) },
  );
  return fc.array(steps, { maxLength: lengthMax, size: 'max' }).map((parts) => parts.flat());
}
