import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideAcquire, hasProceeded, type StartRequest } from '../../src/domain/acquire.ts';
import { isDraining, isExpired, type LockState } from '../../src/domain/lock-state.ts';
import type { RunState } from '../../src/domain/run.ts';
import type { SlotState } from '../../src/domain/slot.ts';
import { lockState, NOW, runState, slotState } from './samples.ts';

const request: fc.Arbitrary<StartRequest> = fc.record({
  holder: fc.constantFrom('host:1', 'host:2'),
  onStale: fc.constantFrom('reclaim', 'hold'),
  bypassReason: fc.option(fc.constant('fire drill'), { freq: 4 }),
  again: fc.boolean(),
});
const seen = fc.option(runState, { freq: 2 });

const named = fc.option(slotState, { freq: 2 });

type Scene = [LockState, RunState | null, SlotState | null, StartRequest];
const scene: fc.Arbitrary<Scene> = fc.tuple(lockState, seen, named, request);
const property = (check: (...scene: Scene) => void): void => {
  fc.assert(
    fc.property(scene, (drawn) => check(...drawn)),
    { numRuns: 2_000 },
  );
};
/** A slot that is done keeps a start away, unless a person says again. */
const isDone = (slot: SlotState | null, start: StartRequest): boolean => slot?.isDone === true && !start.again;
const isLive = (lock: LockState): boolean => lock.token !== null && !isExpired(lock, NOW);

test('a live lease is never granted to another start, whatever else the row says', () => {
  property((lock, run, slot, start) => {
    fc.pre(isLive(lock) && (lock.drainUntil === null || lock.drainUntil > NOW));
    assert.notEqual(decideAcquire(lock, run, slot, start, NOW).kind, 'grant');
  });
});

test('a grant says reclaimed exactly where somebody had not given the lock back by himself, and names him', () => {
  property((lock, run, slot, start) => {
    const decision = decideAcquire(lock, run, slot, start, NOW);
    if (decision.kind !== 'grant') return;
    const wasTaken = lock.token !== null || lock.drainUntil !== null;
    assert.equal(decision.outcome, wasTaken ? 'reclaimed' : 'acquired');
    assert.equal(decision.previous?.holder, wasTaken ? lock.holder : undefined);
  });
});

test('the age of a reclaimed lease is unknown or at least 1 ms', () => {
  property((lock, run, slot, start) => {
    const decision = decideAcquire(lock, run, slot, start, NOW);
    if (decision.kind !== 'grant' || decision.previous === null) return;
    const age = decision.previous.ageMs;
    assert.ok(age === null || (Number.isFinite(age) && age >= 1), `age ${age}`);
  });
});

test('a start that proceeded before gets its own token again while that lease is live, and else is told that it ended', () => {
  property((lock, run, slot, start) => {
    fc.pre(run !== null && hasProceeded(run.outcome) && run.outcome !== 'bypassed');
    const decision = decideAcquire(lock, run, slot, start, NOW);
    const isOwn = run?.token !== null && lock.token === run?.token && isLive(lock);
    if (isOwn && lock.drainUntil === null) assert.deepEqual(decision, { kind: 'replay' });
    else if (isOwn && isDraining(lock, NOW)) assert.deepEqual(decision, { kind: 'skip', reason: 'draining' });
    else assert.deepEqual(decision, { kind: 'skip', reason: 'run_ended' });
  });
});

test('only a start that proceeded is answered as a repeat; one that was skipped is decided anew', () => {
  property((lock, run, slot, start) => {
    fc.pre(run === null || !hasProceeded(run.outcome));
    assert.deepEqual(decideAcquire(lock, run, slot, start, NOW), decideAcquire(lock, null, slot, start, NOW));
  });
});

test('"held" is said exactly where a lease is live and nobody has force-released it, and nothing else keeps the start away', () => {
  property((lock, _run, slot, start) => {
    fc.pre(start.bypassReason === null && lock.pausedAt === null && !isDone(slot, start));
    const decision = decideAcquire(lock, null, slot, start, NOW);
    const saysHeld = decision.kind === 'skip' && decision.reason === 'held';
    assert.equal(saysHeld, isLive(lock) && lock.drainUntil === null);
  });
});

test('onStale hold never takes a stale lease over, unless a person force-released it', () => {
  property((lock, run, slot, start) => {
    fc.pre(lock.token !== null && lock.drainUntil === null);
    assert.notEqual(decideAcquire(lock, run, slot, { ...start, onStale: 'hold' }, NOW).kind, 'grant');
  });
});

test('a lock without a lease is not granted before its freeAt', () => {
  property((lock, run, slot, start) => {
    fc.pre(lock.token === null && lock.freeAt !== null && lock.freeAt > NOW);
    assert.notEqual(decideAcquire(lock, run, slot, start, NOW).kind, 'grant');
  });
});

test('an explicit bypass passes every lock by, and is answered the same when repeated', () => {
  property((lock, run, slot, start) => {
    const bypass = { ...start, bypassReason: 'fire drill' };
    const fresh = run === null || !hasProceeded(run.outcome) ? run : null;
    assert.deepEqual(decideAcquire(lock, fresh, slot, bypass, NOW), { kind: 'bypass', reason: 'fire drill' });
    if (run?.outcome === 'bypassed')
      assert.deepEqual(decideAcquire(lock, run, slot, bypass, NOW), { kind: 'replay_bypass' });
  });
});

test('a slot that is done never runs again by itself, whatever the lock says; one that is not changes nothing', () => {
  property((lock, run, slot, start) => {
    fc.pre(run === null || !hasProceeded(run.outcome));
    fc.pre(start.bypassReason === null && slot !== null);
    const decision = decideAcquire(lock, run, slot, start, NOW);
    if (isDone(slot, start)) assert.deepEqual(decision, { kind: 'already_ran', slot });
    else assert.deepEqual(decision, decideAcquire(lock, run, null, start, NOW));
  });
});

test('a manual rerun of a slot that is done is decided as a start without a slot', () => {
  property((lock, run, slot, start) => {
    const again = { ...start, again: true };
    assert.deepEqual(decideAcquire(lock, run, slot, again, NOW), decideAcquire(lock, run, null, again, NOW));
  });
});

test('a paused lock lets no start in, and only a bypass, a repeat and a slot that is done are told something else', () => {
  property((lock, run, slot, start) => {
    const decision = decideAcquire({ ...lock, pausedAt: NOW - 1 }, run, slot, start, NOW);
    assert.notEqual(decision.kind, 'grant');
    const isRepeat = run !== null && hasProceeded(run.outcome);
    if (isRepeat || start.bypassReason !== null || isDone(slot, start)) return;
    assert.deepEqual(decision, { kind: 'skip', reason: 'paused' });
  });
});

test('a pause changes nothing for a start that proceeded before', () => {
  property((lock, run, slot, start) => {
    fc.pre(run !== null && hasProceeded(run.outcome));
    const paused = decideAcquire({ ...lock, pausedAt: NOW - 1 }, run, slot, start, NOW);
    assert.deepEqual(paused, decideAcquire({ ...lock, pausedAt: null }, run, slot, start, NOW));
  });
});
