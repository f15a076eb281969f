import type { LookupAnswer, LookupDecision } from './lookup.ts';

/**
 * What follows from a provider's answer about a record whose outcome nobody knows (design §7).
 *
 * "Not found" is "not sent" only once nothing can still be on its way. From when on that is so depends on who could still
 * send: a sender that said it doesn't know has stopped sending then; one that is proven to have ended could send until that
 * was seen; any other one may be paused and send yet, so for it no waiting is long enough. When its work was begun says
 * nothing: a worker may begin, be paused, and send at the end of its lease.
 */

/** How long a record is asked for before a person must decide, in ms. */
export const ASK_MS_MAX: number = 24 * 3_600_000;

/** What a provider documents, in ms. */
export interface ProviderDelays {
  /** How long one call may take. */
  readonly callTimeoutMs: number;
  /** The latest that a call may still take effect after that. */
  readonly commitDelayMs: number;
  /** Until an effect shows in a look-up. */
  readonly visibilityDelayMs: number;
  /** How long an effect can be looked up; null for ever. */
  readonly retentionMs: number | null;
  /** How long the same effectKey is recognised; null where it isn't at all. */
  readonly idempotencyWindowMs: number | null;
}

/** What was known of the record when its provider was asked. Instants are ms since 1970 by the store's clock. */
export interface LookupScene {
  readonly begunAt: number;
  readonly firstBegunAt: number;
  readonly leaseUntil: number;
  readonly unknownAt: number | null;
  readonly holderEndedAt: number | null;
  /** Set where somebody before the present claim may still send: until then the provider recognises the key. */
  readonly sendBefore: number | null;
  readonly askedAt: number;
  /** How long after that the answer was there, by the asker's clock. */
  readonly answeredAfterMs: number;
  readonly askSince: number;
}

export function decideLookup(scene: LookupScene, delays: ProviderDelays, answer: LookupAnswer): LookupDecision {
  switch (answer.kind) {
    case 'found':
      return { kind: 'done', providerRef: answer.providerRef };
    case 'pending':
      return waitOrReview(scene, 'the provider has not decided it yet');
    case 'unknown':
      return { kind: 'review', reason: `the provider could not say: ${answer.error}` };
    case 'absent':
      return decideAbsent(scene, delays);
  }
}

function decideAbsent(scene: LookupScene, delays: ProviderDelays): LookupDecision {
  const { begunAt, firstBegunAt, askedAt } = scene;
  const settledAt = lastSendAt(scene, delays) + delays.commitDelayMs + delays.visibilityDelayMs;
  if (askedAt < settledAt) return waitOrReview(scene, 'an effect might not be visible yet');
  if (delays.retentionMs !== null && askedAt + scene.answeredAfterMs > begunAt + delays.retentionMs) {
    return { kind: 'review', reason: 'the provider no longer knows effects that old' };
  }
  if (scene.sendBefore !== null) return decideAgain(scene, scene.sendBefore);
  if (scene.unknownAt !== null || scene.holderEndedAt !== null) {
    return { kind: 'requeue', sendBefore: null, reason: 'the provider has no such effect' };
  }
  const { idempotencyWindowMs } = delays;
  const sendBefore = idempotencyWindowMs === null ? null : firstBegunAt + idempotencyWindowMs - delays.callTimeoutMs;
  if (sendBefore !== null && askedAt < sendBefore) {
    const reason = 'the provider has no such effect and would recognise a second one';
    return { kind: 'requeue', sendBefore: new Date(sendBefore), reason };
  }
  return { kind: 'review', reason: 'the provider has no such effect, but its sender may still be running' };
}

/**
 * That the present sender has stopped says nothing of the one before it, which may have been paused since. So the way that
 * this record came back by is the only one left: while its provider recognises the key, and no longer.
 */
function decideAgain({ askedAt }: LookupScene, sendBefore: number): LookupDecision {
  return askedAt < sendBefore
    ? {
        kind: 'requeue',
        sendBefore: new Date(sendBefore),
        reason: 'the provider has no such effect and would recognise a second one',
      }
    : { kind: 'review', reason: 'the provider has no such effect, but an earlier sender may still be running' };
}

/** The latest instant at which the sender can have sent, as far as that is known. */
function lastSendAt({ begunAt, leaseUntil, unknownAt, holderEndedAt }: LookupScene, delays: ProviderDelays): number {
  const answeredAt = begunAt + delays.callTimeoutMs;
  if (unknownAt !== null) return Math.max(answeredAt, unknownAt);
  if (holderEndedAt !== null) return Math.max(answeredAt, holderEndedAt);
  return leaseUntil;
}

function waitOrReview({ askedAt, askSince }: LookupScene, reason: string): LookupDecision {
  return askedAt - askSince >= ASK_MS_MAX
    ? { kind: 'review', reason: `${reason}, after 24h` }
    : { kind: 'wait', reason };
}
