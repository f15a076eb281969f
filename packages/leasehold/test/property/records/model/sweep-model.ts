import type { ModelClaim, ModelRecord } from './model-rows.ts';
import { differ, nameOf } from './model-rows.ts';
import type { PoolModel } from './pool-model.ts';

/** What a record was like when its provider was to be asked. */
export interface Asked {
  readonly record: ModelRecord;
  readonly claim: ModelClaim;
  readonly attempt: number;
  readonly begunAt: number | null;
  readonly until: number;
  /** Since when its sender says that it doesn't know, and since when it is proven to have ended: of nobody else's end. */
  readonly unknownAt: number | null;
  readonly endedAt: number | null;
  readonly sendBefore: number | null;
}

export function takeToAsk(pool: PoolModel, everyMs: number): Asked[] {
  // A person may have wanted one asked for while there was somebody to ask.
  if (!pool.settings.hasVerifier) return [];
  return pool
    .toAsk()
    .filter(({ askedAt }) => askedAt === null || pool.now - askedAt >= everyMs)
    .flatMap((record) => {
      record.askedAt = pool.now;
      record.askSince ??= pool.now;
      const { claim, attempt, begunAt, sendBefore } = record;
      if (claim === null) return [];
      const isSaid = record.said === 'unknown';
      const unknownAt = isSaid ? record.unknownAt : null;
      const isProof = !claim.isShared && (isSaid || record.unknownAt === null);
      const endedAt = isProof ? claim.endedAt : null;
      return [{ record, claim, attempt, begunAt, until: claim.until, unknownAt, endedAt, sendBefore }];
    });
}

export type ModelDecision = 'done' | 'requeue' | 'review' | 'wait';

export function applyLookup(
  pool: PoolModel,
  asked: Asked,
  kind: ModelDecision,
  { ref, sendBefore }: { readonly ref: string | null; readonly sendBefore: number | null },
): object {
  const { record, claim, attempt, begunAt, until } = asked;
  const isSame = record.claim === claim && record.attempt === attempt && record.begunAt === begunAt;
  if (!isSame || claim.until !== until || !pool.toAsk().includes(record)) {
    // Found, though not of what was asked about: it is asked for anew before anything is sent.
    const mayBeSent = ['queued', 'claimed'].includes(record.state) && !record.isBegun && record.unknownAt === null;
    if (kind === 'done' && mayBeSent) record.sendBefore = pool.now - 1;
    return { outcome: 'overtaken' };
  }
  if (kind === 'done') finishOver(pool, record, ref);
  else if (kind === 'review') pool.toReview(record, 'looked_up');
  else if (kind === 'requeue') {
    // A former owner says that it is done: not found is then an index that lags, rather than nothing sent.
    if (record.evidenceAt !== null) pool.toReview(record, 'looked_up');
    else if (pool.isSpent(record)) pool.toReview(record, 'attempts');
    else pool.requeue(record, 'looked_up', { sendBefore: earlierOf(record.sendBefore, sendBefore) });
  }
  return { outcome: 'applied', state: record.state };
}

/** What an attempt before needs holds on: its sender may still be running. */
function earlierOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

export function noteHolderEnded(pool: PoolModel, claim: ModelClaim): number | null {
  if (claim.isShared) return null;
  claim.endedAt ??= pool.now;
  return claim.endedAt;
}

const ACTS_ON: Readonly<Record<string, readonly string[]>> = {
  ask: ['review'],
  done: ['review', 'failed'],
  requeue: ['review', 'failed'],
  fail: ['review'],
};

export type Action = 'ask' | 'done' | 'requeue' | 'fail';

/** A person's decision; without a version on the one version that this can be done to. */
export function decide(
  pool: PoolModel,
  id: string,
  version: string | null,
  action: Action,
  ref: string | null,
): object {
  const versions = pool.ofId(id).filter((record) => version === null || record.version === version);
  if (versions.length === 0) return { outcome: 'refused', why: 'no_such_record' };
  const fitting = versions.filter(({ state }) => ACTS_ON[action]?.includes(state));
  if (fitting.length > 1) return { outcome: 'refused', why: 'several_versions' };
  const [record] = fitting;
  if (record === undefined) return { outcome: 'refused', why: 'wrong_state' };
  if (action === 'ask' && !pool.settings.hasVerifier) return { outcome: 'refused', why: 'no_verifier' };
  carryOut(pool, record, action, ref);
  return { outcome: 'accepted', why: null, state: record.state };
}

function carryOut(pool: PoolModel, record: ModelRecord, action: Action, ref: string | null): void {
  if (action === 'requeue') {
    record.forgiven = record.attempt;
    record.idle = 0;
    pool.requeue(record, 'person', { sendBefore: null });
    record.hasError = false;
    pool.putInOrder(record);
    return;
  }
  pool.told.expected.push(`record.review ${nameOf(record)} ${action}`);
  if (action === 'ask') {
    record.askSince = pool.now;
    record.askedAt = null;
    return;
  }
  pool.leave(record);
  if (action === 'done') finishOver(pool, record, ref);
  else pool.end(record, 'failed');
}

/** Done by somebody else's word than its owners': what a former owner named, if it is another, is a second effect. */
function finishOver(pool: PoolModel, record: ModelRecord, ref: string | null): void {
  if (differ(ref, record.evidenceRef)) pool.told.expected.push(`effect.doubled ${nameOf(record)}`);
  pool.finish(record, ref ?? record.evidenceRef);
}
