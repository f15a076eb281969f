import { attemptBackoffMs } from './backoff.ts';
import type { Verdict, VerdictRefusal } from './record.ts';
import { isIdleSpent, isSpent, oneMore, type SpokenVerdict, type StoredRecord } from './stored-record.ts';

/**
 * Verdicts: whose word counts, and for what.
 *
 * Identity: who speaks is known by the token alone, whether its lease lives or not. Crash: a verdict that got no answer
 * is given again, and the same word of the same token counts once. A word that comes too late changes nothing but for one:
 * `done` is evidence, whoever of its owners says it, and a record that is known to be done is never worked again.
 */

/** What was said, and by whom. */
export interface VerdictScene {
  /** The version that carries the token or once did; failing that one that the id names; null for an unknown id. */
  readonly record: StoredRecord | null;
  /** `owner`: the record carries the token. `former`: it did. `stranger`: it never did. */
  readonly speaker: 'owner' | 'former' | 'stranger';
  /** What a former owner said last; of an owner a `done` after its own, with another reference. */
  readonly formerVerdict: SpokenVerdict | null;
  /** The reference that came with it. */
  readonly formerRef: string | null;
  readonly verdict: Verdict;
  readonly isPermanent: boolean;
  readonly providerRef: string | null;
  /** Begins that the pool grants. */
  readonly attempts: number;
}

export type VerdictDecision =
  /** The owner's word on a record that it has: the state is that, and `spoken` is kept. */
  | { readonly kind: 'done' | 'failed' | 'flag' | 'review'; readonly spoken: SpokenVerdict }
  /** A temporary failure: tried again from `notBefore` on. `idleRequeues`: as they are then. */
  | {
      readonly kind: 'requeue';
      readonly spoken: 'failed';
      readonly notBefore: number;
      readonly idleRequeues: number;
    }
  /** A temporary failure of the last attempt. */
  | { readonly kind: 'spent'; readonly spoken: 'failed' }
  /** The same of a claim that never began it, as the last ones: so many times. */
  | { readonly kind: 'idle'; readonly spoken: 'failed'; readonly times: number }
  /** Said before. `fills`: it brings the reference that was missing. */
  | { readonly kind: 'repeat'; readonly fills: boolean }
  /**
   * `done` from one who no longer owns it, or after its own other word: the record is done. `isDoubled`: an earlier owner had
   * named another effect, against which a person has decided.
   */
  | { readonly kind: 'evidence_done'; readonly isDoubled: boolean }
  /** The same while another one works it: kept until that one speaks. `isDoubled`: a second former owner, another effect. */
  | { readonly kind: 'evidence_waits'; readonly isDoubled: boolean; readonly isTold: boolean }
  /** The one that worked it speaks: done, by its own word (`own`) or by the evidence. `isDoubled`: two effects. */
  | {
      readonly kind: 'evidence_settles';
      readonly own: boolean;
      readonly isDoubled: boolean;
      readonly spoken: SpokenVerdict;
    }
  /** Evidence of what is known already. `isTold`, here and elsewhere: this token said the same before, and it was told then. */
  | { readonly kind: 'evidence_known'; readonly fills: boolean; readonly isTold: boolean }
  /** Done, with another reference than the one that is known: two effects. */
  | { readonly kind: 'doubled'; readonly isTold: boolean }
  | { readonly kind: 'refuse'; readonly reason: VerdictRefusal };

export function decideVerdict(scene: VerdictScene, now: number): VerdictDecision {
  const { record, speaker } = scene;
  if (record === null) return { kind: 'refuse', reason: 'unknown_record' };
  if (speaker === 'stranger') return { kind: 'refuse', reason: 'not_owner' };
  if (speaker === 'former') return decideFormer(scene, record);
  if (record.state === 'claimed') return decideOwner(scene, record, now);
  return record.state === 'review' && record.evidenceAt !== null
    ? decideEvidenced(scene, record)
    : decideSettled(scene, record);
}

/** What a token keeps as its last word. */
export function spokenOf(verdict: Verdict, isPermanent: boolean): SpokenVerdict {
  return verdict === 'failed' && isPermanent ? 'failed_permanent' : verdict;
}

function decideOwner(scene: VerdictScene, record: StoredRecord, now: number): VerdictDecision {
  const spoken = spokenOf(scene.verdict, scene.isPermanent);
  if (spoken === 'done') return record.evidenceRef === null ? { kind: 'done', spoken } : decideEvidenced(scene, record);
  if (spoken === 'failed_permanent') return { kind: 'failed', spoken };
  if (spoken === 'review') return { kind: 'review', spoken };
  if (spoken === 'unknown')
    return record.unknownAt === null ? { kind: 'flag', spoken } : { kind: 'repeat', fills: false };
  if (isSpent(record, scene.attempts)) return { kind: 'spent', spoken };
  const { idleRequeues } = record;
  const attempts = record.attempt - record.attemptsForgiven;
  if (record.isBegun) return { kind: 'requeue', spoken, notBefore: now + attemptBackoffMs(attempts), idleRequeues };
  // No attempt was made, so something else must count them: a record that fails before it is begun would go round for ever.
  const times = oneMore(idleRequeues);
  if (isIdleSpent(times, scene.attempts)) return { kind: 'idle', spoken, times };
  return { kind: 'requeue', spoken, notBefore: now + attemptBackoffMs(attempts + times), idleRequeues: times };
}

/**
 * A former owner has said `done` while this one worked the record: whatever it says, the record is done. So is one whose
 * evidence a person has decided against, by the owner's `done`: the earlier reference is known all the same.
 */
function decideEvidenced(scene: VerdictScene, record: StoredRecord): VerdictDecision {
  const own = scene.verdict === 'done';
  const isDoubled = own && differ(scene.providerRef, record.evidenceRef);
  return { kind: 'evidence_settles', own, isDoubled, spoken: spokenOf(scene.verdict, scene.isPermanent) };
}

function decideSettled(scene: VerdictScene, record: StoredRecord): VerdictDecision {
  if (scene.verdict === 'done') {
    if (record.state !== 'done') return evidenceDone(scene, record);
    if (differ(scene.providerRef, record.providerRef)) return { kind: 'doubled', isTold: wasSaid(scene) };
    return { kind: 'repeat', fills: record.providerRef === null && scene.providerRef !== null };
  }
  // Not this token's word made it so.
  if (record.verdict === null) return { kind: 'refuse', reason: 'settled' };
  const isSame = record.verdict === spokenOf(scene.verdict, scene.isPermanent);
  return isSame ? { kind: 'repeat', fills: false } : { kind: 'refuse', reason: 'other_verdict' };
}

function decideFormer(scene: VerdictScene, record: StoredRecord): VerdictDecision {
  if (scene.verdict !== 'done') {
    const isSame = scene.formerVerdict === spokenOf(scene.verdict, scene.isPermanent);
    return isSame ? { kind: 'repeat', fills: false } : { kind: 'refuse', reason: 'not_owner' };
  }
  if (record.state === 'done') {
    if (differ(scene.providerRef, record.providerRef)) return { kind: 'doubled', isTold: wasSaid(scene) };
    const fills = record.providerRef === null && scene.providerRef !== null;
    return { kind: 'evidence_known', fills, isTold: wasSaid(scene) };
  }
  // One that said it doesn't know has spoken.
  const isAtWork =
    record.state === 'claimed' ? record.verdict !== 'unknown' : record.state === 'review' && record.evidenceAt !== null;
  const isWorked = record.isBegun && isAtWork;
  if (!isWorked) return evidenceDone(scene, record);
  const isDoubled = differ(scene.providerRef, record.evidenceRef);
  return { kind: 'evidence_waits', isDoubled, isTold: record.evidenceAt !== null && wasSaid(scene) };
}

function evidenceDone({ providerRef }: VerdictScene, { evidenceRef }: StoredRecord): VerdictDecision {
  return { kind: 'evidence_done', isDoubled: differ(providerRef, evidenceRef) };
}

/** True where `done` brings nothing that its token has not said before. */
function wasSaid({ formerVerdict, formerRef, providerRef }: VerdictScene): boolean {
  return formerVerdict === 'done' && (providerRef === null || providerRef === formerRef);
}

function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
