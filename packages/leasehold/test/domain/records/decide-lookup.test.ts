import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ASK_MS_MAX,
  decideLookup,
  type LookupScene,
  type ProviderDelays,
} from '../../../src/domain/records/decide-lookup.ts';
import type { LookupDecision } from '../../../src/domain/records/lookup.ts';
import { NOW } from './samples.ts';

const DELAYS: ProviderDelays = {
  callTimeoutMs: 10_000,
  commitDelayMs: 20_000,
  visibilityDelayMs: 5_000,
  retentionMs: null,
  idempotencyWindowMs: null,
};
/** Begun at the start of a ten-minute lease; the times of the tests count from there. */
const BEGUN = NOW;
const LEASE_END = NOW + 600_000;

function absent(patch: Partial<LookupScene>, delays: Partial<ProviderDelays> = {}): LookupDecision {
  const askedAt = patch.askedAt ?? LEASE_END;
  const scene: LookupScene = {
    begunAt: BEGUN,
    firstBegunAt: BEGUN,
    leaseUntil: LEASE_END,
    unknownAt: null,
    holderEndedAt: null,
    sendBefore: null,
    answeredAfterMs: 0,
    askedAt,
    askSince: askedAt,
    ...patch,
  };
  return decideLookup(scene, { ...DELAYS, ...delays }, { kind: 'absent' });
}

test('a sender that said it does not know has stopped then: absent counts once its call is visible', () => {
  const unknownAt = BEGUN + 300_000;
  assert.equal(absent({ unknownAt, askedAt: unknownAt + 24_999 }).kind, 'wait');
  const decision = absent({ unknownAt, askedAt: unknownAt + 25_000 });
  assert.deepEqual(decision, { kind: 'requeue', sendBefore: null, reason: 'the provider has no such effect' });
});

test('the call time-out counts from the begin where the sender gave up before it', () => {
  const unknownAt = BEGUN + 1_000;
  assert.equal(absent({ unknownAt, askedAt: BEGUN + 34_999 }).kind, 'wait');
  assert.equal(absent({ unknownAt, askedAt: BEGUN + 35_000 }).kind, 'requeue');
});

test('a sender proven to have ended may have sent until that was seen, however long ago it began', () => {
  const holderEndedAt = LEASE_END + 60_000;
  assert.equal(absent({ holderEndedAt, askedAt: holderEndedAt + 24_999 }).kind, 'wait');
  assert.equal(absent({ holderEndedAt, askedAt: holderEndedAt + 25_000 }).kind, 'requeue');
});

test('a sender of whom nothing is known may still be running, and no waiting is long enough', () => {
  const reason = 'the provider has no such effect, but its sender may still be running';
  assert.deepEqual(absent({ askedAt: LEASE_END + ASK_MS_MAX * 300 }), { kind: 'review', reason });
  assert.equal(absent({ askedAt: LEASE_END + 24_999 }).kind, 'wait');
});

test('a provider that recognises the key lets it be sent again until its window closes, less one call', () => {
  const sendBefore = BEGUN + 86_400_000 - 10_000;
  const window = { idempotencyWindowMs: 86_400_000 };
  const reason = 'the provider has no such effect and would recognise a second one';
  assert.deepEqual(absent({ askedAt: LEASE_END + 25_000 }, window), {
    kind: 'requeue',
    sendBefore: new Date(sendBefore),
    reason,
  });
  assert.equal(absent({ askedAt: sendBefore }, window).kind, 'review');
});

test('the window counts from the first begin, not from the latest', () => {
  const firstBegunAt = BEGUN - 86_400_000;
  assert.equal(
    absent({ firstBegunAt, askedAt: LEASE_END + 25_000 }, { idempotencyWindowMs: 86_400_000 }).kind,
    'review',
  );
});

test('absent says nothing once the provider forgets effects that old', () => {
  const unknownAt = BEGUN + 1_000;
  const delays = { retentionMs: 3_600_000 };
  assert.equal(absent({ unknownAt, askedAt: BEGUN + 3_600_000 }, delays).kind, 'requeue');
  const reason = 'the provider no longer knows effects that old';
  assert.deepEqual(absent({ unknownAt, askedAt: BEGUN + 3_600_001 }, delays), { kind: 'review', reason });
});

test('where an earlier sender may still send, nothing that is known of the present one lets it be sent after the window', () => {
  const sendBefore = LEASE_END + 100_000;
  const askedAt = LEASE_END + 60_000;
  for (const known of [{ unknownAt: BEGUN + 1_000 }, { holderEndedAt: LEASE_END }, {}]) {
    const inside = absent({ ...known, sendBefore, askedAt }, { idempotencyWindowMs: null });
    const reason = 'the provider has no such effect and would recognise a second one';
    assert.deepEqual(inside, { kind: 'requeue', sendBefore: new Date(sendBefore), reason });
    const after = absent({ ...known, sendBefore, askedAt: sendBefore }, { idempotencyWindowMs: 86_400_000 });
    const late = 'the provider has no such effect, but an earlier sender may still be running';
    assert.deepEqual(after, { kind: 'review', reason: late });
  }
});

test('what a provider forgets is judged by when it answered, not by when it was asked', () => {
  const unknownAt = BEGUN + 1_000;
  const scene = { unknownAt, askedAt: BEGUN + 3_600_000 };
  assert.equal(absent({ ...scene, answeredAfterMs: 1 }, { retentionMs: 3_600_000 }).kind, 'review');
  assert.equal(absent({ ...scene, answeredAfterMs: 0 }, { retentionMs: 3_600_000 }).kind, 'requeue');
});

test('found is done with the reference of the provider; an answer that says nothing goes to a person', () => {
  const scene: LookupScene = {
    begunAt: BEGUN,
    firstBegunAt: BEGUN,
    leaseUntil: LEASE_END,
    unknownAt: null,
    holderEndedAt: null,
    sendBefore: null,
    answeredAfterMs: 0,
    askedAt: LEASE_END,
    askSince: LEASE_END,
  };
  const found = decideLookup(scene, DELAYS, { kind: 'found', providerRef: 'ch_1' });
  assert.deepEqual(found, { kind: 'done', providerRef: 'ch_1' });
  const unknown = decideLookup(scene, DELAYS, { kind: 'unknown', error: 'HTTP 500' });
  assert.deepEqual(unknown, { kind: 'review', reason: 'the provider could not say: HTTP 500' });
  const pending = decideLookup(scene, DELAYS, { kind: 'pending' });
  assert.deepEqual(pending, { kind: 'wait', reason: 'the provider has not decided it yet' });
});

test('a record is asked for during 24 h, then a person decides', () => {
  const scene: LookupScene = {
    begunAt: BEGUN,
    firstBegunAt: BEGUN,
    leaseUntil: LEASE_END,
    unknownAt: null,
    holderEndedAt: null,
    sendBefore: null,
    answeredAfterMs: 0,
    askedAt: LEASE_END + ASK_MS_MAX,
    askSince: LEASE_END,
  };
  const reason = 'the provider has not decided it yet, after 24h';
  assert.deepEqual(decideLookup(scene, DELAYS, { kind: 'pending' }), { kind: 'review', reason });
  const early = { ...scene, askedAt: scene.askedAt - 1 };
  assert.equal(decideLookup(early, DELAYS, { kind: 'pending' }).kind, 'wait');
  const unseen = decideLookup({ ...scene, leaseUntil: scene.askedAt }, DELAYS, { kind: 'absent' });
  assert.deepEqual(unseen, { kind: 'review', reason: 'an effect might not be visible yet, after 24h' });
});
