import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideAcquire, hasProceeded, type StartRequest } from '../../src/domain/acquire.ts';
import { isDraining, isExpired, type LockState } from '../../src/domain/lock-state.ts';
import type { RunState } from '../../src/domain/run.ts';
import { lockState, NOW, runState } from './samples.ts';

const request: fc.Arbitrary<StartRequest> = fc.record({
  holder: fc.constantFrom('host:1', 'host:2'),
  onStale: fc.constantFrom('reclaim', 'hold'),
  bypassReason: fc.option(fc.constant('fire drill'), { freq: 4 }),
});
const seen = fc.option(runState, { freq: 2 });

type Scene = [LockState, RunState | null, StartRequest];
const scene: fc.Arbitrary<Scene> = fc.tuple(lockState, seen, request);
const property = (check: (...scene: Scene) => void): void => {
  fc.assert(
    fc.property(scene, (drawn) => check(...drawn)),
    { numRuns: 2_000 },
  );
};
const isLive = (lock: LockState): boolean => lock.token !== null && !isExpired(lock, NOW);

test('a live lease is never granted to another start, whatever else the row says', () => {
  property((lock, run, start) => {
    fc.pre(isLive(lock) && (lock.drainUntil === null || lock.drainUntil > NOW));
    assert.notEqual(decideAcquire(lock, run, start, NOW).kind, 'grant');
  });
});

test('a grant says reclaimed exactly where somebody had not given the lock back by himself, and names him', () => {
  property((lock, run, start) => {
    const decision = decideAcquire(lock, run, start, NOW);
    if (decision.kind !== 'grant') return;
    const wasTaken = lock.token !== null || lock.drainUntil !== null;
    assert.equal(decision.outcome, wasTaken ? 'reclaimed' : 'acquired');
    assert.equal(decision.previous?.holder, wasTaken ? lock.holder : undefined);
  });
});

test('the age of a reclaimed lease is unknown or at least 1 ms', () => {
  property((lock, run, start) => {
    const decision = decideAcquire(lock, run, start, NOW);
    if (decision.kind !== 'grant' || decision.previous === null) return;
    const age = decision.previous.ageMs;
    assert.ok(age === null || (Number.isFinite(age) && age >= 1), `age ${age}`);
  });
});

test('a start that proceeded before gets its own token again while that lease is live, and else is told that it ended', () => {
  property((lock, run, start) => {
    fc.pre(run !== null && hasProceeded(run.outcome) && run.outcome !== 'bypassed');
    const decision = decideAcquire(lock, run, start, NOW);
    const isOwn = run?.token !== null && lock.token === run?.token && isLive(lock);
    if (isOwn && lock.drainUntil === null) assert.deepEqual(decision, { kind: 'replay' });
    else if (isOwn && isDraining(lock, NOW)) assert.deepEqual(decision, { kind: 'skip', reason: 'draining' });
    else assert.deepEqual(decision, { kind: 'skip', reason: 'run_ended' });
  });
});

test('only a start that proceeded is answered as a repeat; one that was skipped is decided anew', () => {
  property((lock, run, start) => {
    fc.pre(run === null || !hasProceeded(run.outcome));
    assert.deepEqual(decideAcquire(lock, run, start, NOW), decideAcquire(lock, null, start, NOW));
  });
});

test('"held" is said exactly where a lease is live and nobody has force-released it', () => {
  property((lock, _run, start) => {
    fc.pre(start.bypassReason === null);
    const decision = decideAcquire(lock, null, start, NOW);
    const saysHeld = decision.kind === 'skip' && decision.reason === 'held';
    assert.equal(saysHeld, isLive(lock) && lock.drainUntil === null);
  });
});

test('onStale hold never takes a stale lease over, unless a person force-released it', () => {
  property((lock, run, start) => {
    fc.pre(lock.token !== null && lock.drainUntil === null);
    assert.notEqual(decideAcquire(lock, run, { ...start, onStale: 'hold' }, NOW).kind, 'grant');
  });
});

test('a lock without a lease is not granted before its freeAt', () => {
  property((lock, run, start) => {
    fc.pre(lock.token === null && lock.freeAt !== null && lock.freeAt > NOW);
    assert.notEqual(decideAcquire(lock, run, start, NOW).kind, 'grant');
  });
});

test('an explicit bypass passes every lock by, and is answered the same when repeated', () => {
  property((lock, run, start) => {
    const bypass = { ...start, bypassReason: 'fire drill' };
    const fresh = run === null || !hasProceeded(run.outcome) ? run : null;
    assert.deepEqual(decideAcquire(lock, fresh, bypass, NOW), { kind: 'bypass', reason: 'fire drill' });
    if (run?.outcome === 'bypassed') assert.deepEqual(decideAcquire(lock, run, bypass, NOW), { kind: 'replay_bypass' });
  });
});
