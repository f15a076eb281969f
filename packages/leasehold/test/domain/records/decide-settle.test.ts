import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ASK_MS_MAX } from '../../../src/domain/records/decide-lookup.ts';
import { decideSettle, type SettleDecision } from '../../../src/domain/records/decide-settle.ts';
import type { RecordRules, StoredRecord } from '../../../src/domain/records/stored-record.ts';
import { NOW, storedRecord } from './samples.ts';

const ASK: RecordRules = { redo: 'ask', redoWindowMs: null, attempts: 5, callTimeoutMs: 10_000, hasVerifier: false };
const SAFE: RecordRules = { ...ASK, redo: 'safe' };
const WINDOW: RecordRules = { ...SAFE, redoWindowMs: 3_600_000 };
const ENDED = NOW - 1;

const UNBEGUN = { isBegun: false, attempt: 0, begunAt: null, firstBegunAt: null } as const;

function settled(patch: Partial<StoredRecord>, rules: RecordRules, leaseUntil: number | null = ENDED): SettleDecision {
  return decideSettle(storedRecord(patch), leaseUntil, rules, NOW);
}

describe('a record whose work never began', () => {
  test('goes back to the queue, whatever its pool says of repeats', () => {
    for (const rules of [ASK, SAFE, WINDOW, { ...ASK, hasVerifier: true }]) {
      assert.deepEqual(settled(UNBEGUN, rules), { kind: 'requeue', wasBegun: false, sendBefore: null });
    }
  });

  test('keeps the instant until which an attempt before this one is known again', () => {
    const sendBefore = NOW + 5;
    const decision = settled({ ...UNBEGUN, attempt: 1, sendBefore }, ASK);
    assert.deepEqual(decision, { kind: 'requeue', wasBegun: false, sendBefore });
  });

  test('is cancelled where a newer version is known, unless an attempt was made of it', () => {
    assert.deepEqual(settled({ ...UNBEGUN, hasNewer: true }, ASK), { kind: 'cancel' });
    assert.equal(settled({ ...UNBEGUN, attempt: 1, hasNewer: true }, ASK).kind, 'requeue');
  });

  test('goes to a person once two claims, and as many again as its pool grants attempts, have come to nothing', () => {
    assert.equal(settled({ ...UNBEGUN, idleRequeues: 6 }, ASK).kind, 'requeue');
    assert.deepEqual(settled({ ...UNBEGUN, idleRequeues: 7 }, ASK), { kind: 'review', reason: 'idle', times: 8 });
  });
});

describe('a record that was begun', () => {
  test('goes to a person where nothing can ask for it', () => {
    assert.deepEqual(settled({}, ASK), { kind: 'review', reason: 'expired', times: 1 });
  });

  test('waits for the sweep where something can, for 24 h after its lease', () => {
    const rules = { ...ASK, hasVerifier: true };
    assert.deepEqual(settled({}, rules, NOW - ASK_MS_MAX + 1), { kind: 'ask' });
    assert.deepEqual(settled({}, rules, NOW - ASK_MS_MAX), { kind: 'review', reason: 'unanswered', times: 1 });
  });

  test('waits from its last change on where its claim is lost', () => {
    const rules = { ...ASK, hasVerifier: true };
    assert.equal(settled({ updatedAt: NOW - ASK_MS_MAX + 1 }, rules, null).kind, 'ask');
    assert.equal(settled({ updatedAt: NOW - ASK_MS_MAX }, rules, null).kind, 'review');
  });

  test('is repeated in a pool that says it may be, until its attempts are used up', () => {
    assert.deepEqual(settled({ attempt: 4 }, SAFE), { kind: 'requeue', wasBegun: true, sendBefore: null });
    assert.deepEqual(settled({ attempt: 5 }, SAFE), { kind: 'review', reason: 'attempts', times: 5 });
    assert.equal(settled({ attempt: 7, attemptsForgiven: 3 }, SAFE).kind, 'requeue', 'what a person forgave');
  });

  test('is repeated within the window only, which counts from the first begin and leaves room for a call', () => {
    const inside = NOW - 3_600_000 + 10_000 + 1;
    const decision = settled({ firstBegunAt: inside }, WINDOW);
    assert.deepEqual(decision, { kind: 'requeue', wasBegun: true, sendBefore: NOW + 1 });
    assert.deepEqual(settled({ firstBegunAt: inside - 1 }, WINDOW), { kind: 'review', reason: 'expired', times: 1 });
    assert.equal(settled({ firstBegunAt: inside - 1 }, { ...WINDOW, hasVerifier: true }).kind, 'ask');
  });

  test('is taken to have begun with its claim where nothing says when, and long ago where that is lost too', () => {
    const lost = { begunAt: null, firstBegunAt: null };
    const claimedAt = NOW - 3_600_000 + 10_000 + 1;
    assert.equal(settled({ ...lost, claimedAt }, WINDOW).kind, 'requeue');
    assert.equal(settled({ ...lost, claimedAt: claimedAt - 1 }, WINDOW).kind, 'review');
    assert.equal(settled({ ...lost, claimedAt: null }, WINDOW).kind, 'review');
  });

  test('is judged by its flag, not by its lease, where its outcome is unknown', () => {
    const flagged = { unknownAt: NOW - ASK_MS_MAX };
    const rules = { ...ASK, hasVerifier: true };
    assert.equal(settled(flagged, rules, NOW + 60_000).kind, 'review');
    assert.equal(settled({ unknownAt: NOW }, rules, NOW - 2 * ASK_MS_MAX).kind, 'ask');
    assert.equal(settled({ ...UNBEGUN, unknownAt: NOW }, ASK).kind, 'review', 'its owner said so without a begin');
  });
});

test('work that may have taken effect is never repeated in a pool that asks, whatever the record is like', () => {
  fc.assert(
    fc.property(
      fc.record({
        attempt: fc.nat(20),
        attemptsForgiven: fc.nat(20),
        idleRequeues: fc.nat(20),
        hasNewer: fc.boolean(),
        unknownAt: fc.option(fc.integer({ min: NOW - 2 * ASK_MS_MAX, max: NOW })),
        firstBegunAt: fc.option(fc.integer({ min: NOW - 2 * ASK_MS_MAX, max: NOW })),
        isBegun: fc.boolean(),
      }),
      fc.boolean(),
      (patch, hasVerifier) => {
        const { kind } = settled(patch, { ...ASK, hasVerifier });
        if (patch.isBegun || patch.unknownAt !== null) assert.ok(kind === 'ask' || kind === 'review', kind);
      },
    ),
  );
});
