import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BeginScene, decideBegin } from '../../../src/domain/records/decide-begin.ts';
import { NOW, storedRecord } from './samples.ts';

const unbegun = storedRecord({ isBegun: false, attempt: 0, begunAt: null, firstBegunAt: null });

function scene(patch: Partial<BeginScene> = {}): BeginScene {
  return { record: unbegun, isOwner: true, leaseUntil: NOW + 60_000, callTimeoutMs: 30_000, ...patch };
}

test('a begin is accepted while the lease outlasts one call, and not a millisecond longer', () => {
  assert.equal(decideBegin(scene({ leaseUntil: NOW + 30_000 }), NOW).kind, 'begin');
  const late = decideBegin(scene({ leaseUntil: NOW + 29_999 }), NOW);
  assert.deepEqual(late, { kind: 'refuse', reason: 'lease_over', flags: false });
});

test('a begin without a call time-out is refused once the lease is over', () => {
  assert.equal(decideBegin(scene({ leaseUntil: NOW + 1, callTimeoutMs: 0 }), NOW).kind, 'begin');
  const over = decideBegin(scene({ leaseUntil: NOW, callTimeoutMs: 0 }), NOW);
  assert.deepEqual(over, { kind: 'refuse', reason: 'lease_over', flags: false });
});

test('a begin whose claim has no row any more is refused', () => {
  assert.deepEqual(decideBegin(scene({ leaseUntil: null }), NOW), {
    kind: 'refuse',
    reason: 'lease_over',
    flags: false,
  });
});

test('a repeated begin is accepted as one, and refused too near the end of the lease', () => {
  assert.equal(decideBegin(scene({ record: storedRecord() }), NOW).kind, 'repeat');
  const late = decideBegin(scene({ record: storedRecord(), leaseUntil: NOW + 29_999 }), NOW);
  assert.deepEqual(late, { kind: 'refuse', reason: 'lease_over', flags: false });
});

test('a begin past sendBefore is refused, and its provider must be asked', () => {
  const record = storedRecord({ isBegun: false, sendBefore: NOW - 1 });
  assert.deepEqual(decideBegin(scene({ record }), NOW), { kind: 'refuse', reason: 'send_before', flags: true });
  assert.equal(decideBegin(scene({ record: storedRecord({ isBegun: false, sendBefore: NOW }) }), NOW).kind, 'begin');
});

test('a begin of a record that has its verdict, was given back or is flagged is refused', () => {
  for (const record of [
    storedRecord({ state: 'done' }),
    storedRecord({ state: 'queued' }),
    storedRecord({ unknownAt: NOW }),
  ]) {
    assert.deepEqual(decideBegin(scene({ record }), NOW), { kind: 'refuse', reason: 'not_claimed', flags: false });
  }
});

test('a begin by a token that the record does not carry is refused, and so is one of an unknown record', () => {
  assert.deepEqual(decideBegin(scene({ isOwner: false }), NOW), { kind: 'refuse', reason: 'not_owner', flags: false });
  const unknown = decideBegin(scene({ record: null, isOwner: false }), NOW);
  assert.deepEqual(unknown, { kind: 'refuse', reason: 'unknown_record', flags: false });
});
