import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decideVerdict, type VerdictDecision, type VerdictScene } from '../../../src/domain/records/decide-verdict.ts';
import { RECORD_STATES, type Verdict } from '../../../src/domain/records/record.ts';
import type { StoredRecord } from '../../../src/domain/records/stored-record.ts';
import { NOW, storedRecord } from './samples.ts';

const EVIDENCE = { kind: 'evidence_done', isDoubled: false } as const;
const VERDICTS: readonly Verdict[] = ['done', 'failed', 'unknown', 'review'];

function said(patch: Partial<VerdictScene> = {}): VerdictScene {
  return {
    record: storedRecord(),
    speaker: 'owner',
    formerVerdict: null,
    formerRef: null,
    verdict: 'done',
    isPermanent: false,
    providerRef: 'ref-1',
    attempts: 5,
    ...patch,
  };
}

describe('the owner of a claimed record', () => {
  test('is believed, whatever it says', () => {
    assert.deepEqual(decideVerdict(said(), NOW), { kind: 'done', spoken: 'done' });
    const permanent = decideVerdict(said({ verdict: 'failed', isPermanent: true }), NOW);
    assert.deepEqual(permanent, { kind: 'failed', spoken: 'failed_permanent' });
    assert.deepEqual(decideVerdict(said({ verdict: 'unknown' }), NOW), { kind: 'flag', spoken: 'unknown' });
    assert.deepEqual(decideVerdict(said({ verdict: 'review' }), NOW), { kind: 'review', spoken: 'review' });
  });

  test('gets its record back after a temporary failure: 30 s, doubling to 1 h', () => {
    const waits = [1, 2, 3, 7, 8, 50].map((attempt) => {
      const decision = decideVerdict(
        said({ record: storedRecord({ attempt }), verdict: 'failed', attempts: 100 }),
        NOW,
      );
      return decision.kind === 'requeue' ? decision.notBefore - NOW : null;
    });
    assert.deepEqual(waits, [30_000, 60_000, 120_000, 1_920_000, 3_600_000, 3_600_000]);
  });

  test('gets it back later each time where it failed before its work began, and that counts as a claim for nothing', () => {
    const failed = (idleRequeues: number, patch: Partial<StoredRecord> = {}): VerdictDecision => {
      const record = storedRecord({ isBegun: false, attempt: 0, idleRequeues, ...patch });
      return decideVerdict(said({ record, verdict: 'failed' }), NOW);
    };
    for (const [idleRequeues, waitMs] of [[0, 30_000] as const, [1, 60_000] as const, [6, 1_920_000] as const]) {
      const notBefore = NOW + waitMs;
      const decision = { kind: 'requeue', spoken: 'failed', notBefore, idleRequeues: idleRequeues + 1 };
      assert.deepEqual(failed(idleRequeues), decision);
    }
    const later = failed(1, { attempt: 3, attemptsForgiven: 1 });
    assert.deepEqual(later, { kind: 'requeue', spoken: 'failed', notBefore: NOW + 240_000, idleRequeues: 2 });
    assert.deepEqual(failed(7), { kind: 'idle', spoken: 'failed', times: 8 });
    const begun = failed(7, { isBegun: true, attempt: 1 });
    assert.deepEqual(begun, { kind: 'requeue', spoken: 'failed', notBefore: NOW + 30_000, idleRequeues: 7 });
  });

  test('does not get it back after the last attempt, which a person may forgive', () => {
    const spent = decideVerdict(said({ record: storedRecord({ attempt: 5 }), verdict: 'failed' }), NOW);
    assert.deepEqual(spent, { kind: 'spent', spoken: 'failed' });
    const forgiven = storedRecord({ attempt: 6, attemptsForgiven: 5 });
    const decision = decideVerdict(said({ record: forgiven, verdict: 'failed' }), NOW);
    assert.deepEqual(decision, { kind: 'requeue', spoken: 'failed', notBefore: NOW + 30_000, idleRequeues: 0 });
  });

  test('may say done after it said that it does not know, and unknown twice', () => {
    const record = storedRecord({ unknownAt: NOW - 1, verdict: 'unknown' });
    assert.equal(decideVerdict(said({ record }), NOW).kind, 'done');
    assert.deepEqual(decideVerdict(said({ record, verdict: 'unknown' }), NOW), { kind: 'repeat', fills: false });
  });
});

describe('the owner of a settled record', () => {
  const done = storedRecord({ state: 'done', providerRef: 'ref-1', verdict: 'done' });

  test('says the same again and is counted once; a missing reference is filled in', () => {
    assert.deepEqual(decideVerdict(said({ record: done }), NOW), { kind: 'repeat', fills: false });
    assert.deepEqual(decideVerdict(said({ record: done, providerRef: null }), NOW), { kind: 'repeat', fills: false });
    const bare = storedRecord({ state: 'done', verdict: 'done' });
    assert.deepEqual(decideVerdict(said({ record: bare }), NOW), { kind: 'repeat', fills: true });
    const failed = storedRecord({ state: 'failed', verdict: 'failed_permanent' });
    const again = said({ record: failed, verdict: 'failed', isPermanent: true });
    assert.deepEqual(decideVerdict(again, NOW), { kind: 'repeat', fills: false });
  });

  test('cannot take done back: a failure after it is refused', () => {
    const decision = decideVerdict(said({ record: done, verdict: 'failed' }), NOW);
    assert.deepEqual(decision, { kind: 'refuse', reason: 'other_verdict' });
  });

  test('comes too late for a record that was settled without a word of it', () => {
    const review = storedRecord({ state: 'review', verdict: null });
    for (const verdict of ['failed', 'unknown', 'review'] as const) {
      assert.deepEqual(decideVerdict(said({ record: review, verdict }), NOW), { kind: 'refuse', reason: 'settled' });
    }
  });

  test('names a second reference, and two effects are told', () => {
    const second = said({ record: done, providerRef: 'ref-2' });
    assert.deepEqual(decideVerdict(second, NOW), { kind: 'doubled', isTold: false });
    const again: VerdictScene = { ...second, formerVerdict: 'done', formerRef: 'ref-2' };
    assert.deepEqual(decideVerdict(again, NOW), { kind: 'doubled', isTold: true });
    assert.deepEqual(decideVerdict({ ...again, providerRef: 'ref-3' }, NOW), { kind: 'doubled', isTold: false });
  });

  test('says done after its failure, or of a record in review, and that is evidence', () => {
    for (const state of ['failed', 'review'] as const) {
      assert.deepEqual(decideVerdict(said({ record: storedRecord({ state }) }), NOW), EVIDENCE);
    }
  });

  test('settles a record that a former owner said is done, whatever it says', () => {
    const record = storedRecord({ state: 'review', evidenceAt: NOW - 1, evidenceRef: 'ref-0' });
    const own = decideVerdict(said({ record, providerRef: 'ref-0' }), NOW);
    assert.deepEqual(own, { kind: 'evidence_settles', own: true, isDoubled: false, spoken: 'done' });
    const doubled = decideVerdict(said({ record }), NOW);
    assert.deepEqual(doubled, { kind: 'evidence_settles', own: true, isDoubled: true, spoken: 'done' });
    const failed = decideVerdict(said({ record, verdict: 'failed' }), NOW);
    assert.deepEqual(failed, { kind: 'evidence_settles', own: false, isDoubled: false, spoken: 'failed' });
  });
});

test('an owner’s done is held against what a former one had named before a person sent the record back', () => {
  const record = storedRecord({ evidenceRef: 'ref-0' });
  const settles = { kind: 'evidence_settles', own: true, spoken: 'done' };
  for (const [providerRef, isDoubled] of [
    ['ref-1', true],
    ['ref-0', false],
    [null, false],
  ] as const) {
    assert.deepEqual(decideVerdict(said({ record, providerRef }), NOW), { ...settles, isDoubled });
  }
  assert.equal(
    decideVerdict(said({ record, verdict: 'failed' }), NOW).kind,
    'requeue',
    'the person has decided against it',
  );
  for (const state of ['failed', 'review'] as const) {
    const late = said({ record: storedRecord({ state, evidenceRef: 'ref-0' }), providerRef: 'ref-1' });
    assert.deepEqual(decideVerdict(late, NOW), { kind: 'evidence_done', isDoubled: true });
  }
});

describe('a former owner', () => {
  test('makes a record done unless another one works it', () => {
    const records = [
      storedRecord({ state: 'queued', token: null, isBegun: false }),
      storedRecord({ state: 'failed' }),
      storedRecord({ state: 'cancelled', token: null }),
      storedRecord({ state: 'review' }),
      storedRecord({ state: 'claimed', isBegun: false }),
    ];
    for (const record of records) {
      assert.deepEqual(decideVerdict(said({ speaker: 'former', record }), NOW), EVIDENCE, record.state);
    }
    const waits = { kind: 'evidence_waits', isDoubled: false, isTold: false };
    assert.deepEqual(decideVerdict(said({ speaker: 'former' }), NOW), waits);
  });

  test('tells of two effects where another former owner named another reference, and of each once', () => {
    const record = storedRecord({ state: 'review', evidenceAt: NOW - 1, evidenceRef: 'ref-0' });
    const kindOf = (providerRef: string | null, formerRef: string | null = null): VerdictDecision =>
      decideVerdict(
        said({ speaker: 'former', record, providerRef, formerRef, formerVerdict: formerRef === null ? null : 'done' }),
        NOW,
      );
    assert.deepEqual(kindOf('ref-1'), { kind: 'evidence_waits', isDoubled: true, isTold: false });
    assert.deepEqual(kindOf('ref-1', 'ref-1'), { kind: 'evidence_waits', isDoubled: true, isTold: true });
    for (const ref of ['ref-0', null]) {
      assert.deepEqual(kindOf(ref), { kind: 'evidence_waits', isDoubled: false, isTold: false });
      assert.deepEqual(kindOf(ref, 'ref-0'), { kind: 'evidence_waits', isDoubled: false, isTold: true });
    }
    const claimed = said({ speaker: 'former', providerRef: 'ref-0', formerRef: 'ref-0', formerVerdict: 'done' });
    const told = { kind: 'evidence_waits', isDoubled: false, isTold: false };
    assert.deepEqual(decideVerdict(claimed, NOW), told, 'now it changes something');
  });

  test('need not wait for one that has said it does not know', () => {
    const record = storedRecord({ unknownAt: NOW - 1, verdict: 'unknown' });
    assert.deepEqual(decideVerdict(said({ speaker: 'former', record }), NOW), EVIDENCE);
  });

  test('says done of a record that is done: the same effect, or two', () => {
    const record = storedRecord({ state: 'done', providerRef: 'ref-1' });
    const same = decideVerdict(said({ speaker: 'former', record }), NOW);
    assert.deepEqual(same, { kind: 'evidence_known', fills: false, isTold: false });
    const before = { formerVerdict: 'done', formerRef: 'ref-1' } as const;
    const again = decideVerdict(said({ speaker: 'former', record, ...before }), NOW);
    assert.deepEqual(again, { kind: 'evidence_known', fills: false, isTold: true });
    const other = decideVerdict(said({ speaker: 'former', record, providerRef: 'ref-2' }), NOW);
    assert.deepEqual(other, { kind: 'doubled', isTold: false });
  });

  test('says anything else and is refused, unless it said so before', () => {
    const failed = said({ speaker: 'former', verdict: 'failed' });
    assert.deepEqual(decideVerdict(failed, NOW), { kind: 'refuse', reason: 'not_owner' });
    assert.deepEqual(decideVerdict({ ...failed, formerVerdict: 'failed' }, NOW), { kind: 'repeat', fills: false });
  });
});

test('a token that never had the record changes nothing, and so does a verdict on an unknown record', () => {
  for (const verdict of VERDICTS) {
    const stranger = decideVerdict(said({ speaker: 'stranger', verdict }), NOW);
    assert.deepEqual(stranger, { kind: 'refuse', reason: 'not_owner' });
    const unknown = decideVerdict(said({ record: null, speaker: 'stranger', verdict }), NOW);
    assert.deepEqual(unknown, { kind: 'refuse', reason: 'unknown_record' });
  }
});

test('a record known to be done is never requeued, flagged or sent to review by any verdict of anybody', () => {
  const scene = fc.record({
    speaker: fc.constantFrom('owner' as const, 'former' as const, 'stranger' as const),
    formerVerdict: fc.constantFrom(null, 'done' as const, 'failed' as const, 'unknown' as const),
    formerRef: fc.constantFrom(null, 'ref-1', 'ref-2'),
    verdict: fc.constantFrom(...VERDICTS),
    isPermanent: fc.boolean(),
    providerRef: fc.constantFrom(null, 'ref-1', 'ref-2'),
    attempts: fc.constantFrom(1, 5),
    record: fc.record({ verdict: fc.constantFrom(null, 'done' as const, 'failed' as const), isBegun: fc.boolean() }),
  });
  fc.assert(
    fc.property(scene, ({ record, ...rest }) => {
      const stored = storedRecord({ state: 'done', providerRef: 'ref-1', ...record });
      const { kind } = decideVerdict({ ...rest, record: stored }, NOW);
      assert.ok(['repeat', 'doubled', 'evidence_known', 'refuse'].includes(kind), kind);
    }),
  );
});

test('done of one who ever had the record is never refused', () => {
  const scene = fc.record({
    speaker: fc.constantFrom('owner' as const, 'former' as const),
    state: fc.constantFrom(...RECORD_STATES),
    isBegun: fc.boolean(),
    evidenceAt: fc.constantFrom(null, NOW - 1),
    providerRef: fc.constantFrom(null, 'ref-1'),
  });
  fc.assert(
    fc.property(scene, ({ speaker, providerRef, ...record }) => {
      const decision = decideVerdict(said({ speaker, providerRef, record: storedRecord(record) }), NOW);
      assert.notEqual(decision.kind, 'refuse');
    }),
  );
});
