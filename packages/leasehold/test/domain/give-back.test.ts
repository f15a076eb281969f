import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideForceRelease, decideRelease, decideRenew } from '../../src/domain/give-back.ts';
import { isExpired, isGivenBack, isHeldBy, type LockState } from '../../src/domain/lock-state.ts';
import type { RunState } from '../../src/domain/run.ts';
import { lockState, NOW, runState, token } from './samples.ts';

type Scene = [LockState | null, RunState | null, string];
const scene: fc.Arbitrary<Scene> = fc.tuple(fc.option(lockState, { freq: 9 }), fc.option(runState, { freq: 4 }), token);
const property = (check: (...scene: Scene) => void): void => {
  fc.assert(
    fc.property(scene, (drawn) => check(...drawn)),
    { numRuns: 2_000 },
  );
};

test('a renewal gets through exactly for the holder of a live lease that nobody force-released', () => {
  property((lock, owner, held) => {
    const isRenewed = decideRenew(lock, owner, held, NOW).kind === 'renew';
    assert.equal(isRenewed, lock !== null && isHeldBy(lock, held, NOW));
  });
});

test('a renewal after expiry is lost even if nobody took the lock', () => {
  property((lock, owner, held) => {
    fc.pre(lock !== null && lock.token === held && lock.drainUntil === null && isExpired(lock, NOW));
    assert.deepEqual(decideRenew(lock, owner, held, NOW), { kind: 'lost', reason: 'expired', drainUntil: null });
  });
});

test('a holder who is told of a force-release has his grace from then on, and never longer than the drain', () => {
  property((lock, owner, held) => {
    const decision = decideRenew(lock, owner, held, NOW);
    if (decision.kind === 'renew' || decision.reason !== 'force_released') return;
    assert.ok(lock !== null && lock.drainUntil !== null && decision.drainUntil !== null);
    assert.ok(decision.drainUntil <= lock.drainUntil && decision.drainUntil <= NOW + lock.graceMs);
  });
});

test('nothing but the token of the lease frees a lock', () => {
  property((lock, owner, held) => {
    assert.equal(decideRelease(lock, owner, held, NOW).frees, lock !== null && lock.token === held);
  });
});

test('a release is refused as not_holder, and frees nothing, where another took the lock over', () => {
  property((lock, owner, held) => {
    fc.pre(lock !== null && lock.token !== null && lock.token !== held);
    fc.pre(owner === null || owner.endedAt === null || owner.lostAt !== null);
    const decision = decideRelease(lock, owner, held, NOW);
    assert.equal(decision.outcome, 'not_holder');
    assert.equal(decision.frees, false);
  });
});

test('what a known run says of itself is kept whatever became of its lease', () => {
  property((lock, owner, held) => {
    assert.equal(decideRelease(lock, owner, held, NOW).storesStatus, owner !== null);
  });
});

test('a repeated release of a run that ended in order answers released and ends nothing twice', () => {
  property((lock, owner, held) => {
    fc.pre(owner !== null && owner.endedAt !== null && owner.lostAt === null && lock?.token !== held);
    assert.deepEqual(decideRelease(lock, owner, held, NOW), {
      outcome: 'released',
      frees: false,
      endsRun: false,
      storesStatus: true,
    });
  });
});

test('a release after expiry says expired while the token is still current', () => {
  property((lock, owner, held) => {
    fc.pre(lock !== null && lock.token === held && lock.drainUntil === null && isExpired(lock, NOW));
    assert.equal(decideRelease(lock, owner, held, NOW).outcome, 'expired');
  });
});

test('a force-release drains a live lease, at most until its end, and frees at once what is stale or asked for now', () => {
  fc.assert(
    fc.property(lockState, fc.boolean(), (lock, atOnce) => {
      const { outcome, drainUntil } = decideForceRelease(lock, atOnce, NOW);
      if (outcome === 'already_free') {
        assert.ok(lock.token === null || (lock.drainUntil !== null && lock.drainUntil <= NOW));
        assert.ok(lock.freeAt === null || lock.freeAt <= NOW, 'a pause after a release is not free');
      } else if (outcome === 'released') {
        assert.equal(drainUntil, NOW);
        assert.ok(atOnce || isExpired(lock, NOW) || isGivenBack(lock, NOW));
      } else {
        assert.ok(!atOnce && drainUntil !== null && drainUntil > NOW && drainUntil <= (lock.leaseUntil ?? 0));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a lock that the store does not know is free already', () => {
  assert.deepEqual(decideForceRelease(null, true, NOW), { outcome: 'already_free', drainUntil: null });
});
