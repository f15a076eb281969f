/** G1 and G3: one live holder, fences that grow, tokens that die, and no lease that ends before its time. */
import assert from 'node:assert/strict';
import type { HistoryEntry, StartEntry, TokenEntry } from '../history.ts';

/** The latest lease of one lock, as its answers tell. */
interface Lease {
  readonly token: string;
  readonly fence: number;
  readonly graceMs: number;
  leaseMs: number;
  /** When it was last given its whole length, on the clock that nobody steps. */
  fullAt: number;
  /** When an extension ends: its holder was found alive. */
  extendedTo: number;
  isReleased: boolean;
  isForced: boolean;
  /** When a force-release frees the lock, if nothing else does before. */
  forcedFreeAt: number;
}

/** `entries` are those of one lock. With a steady clock a lease that is over is over for everybody. */
export function checkLeases(entries: readonly HistoryEntry[], isSteady: boolean): void {
  const fences = new Map<string, number>();
  let lease: Lease | null = null;
  for (const entry of entries) {
    if (entry.call === 'start') {
      const { evidence, answer } = entry;
      // Of a clock that was set back only the model can tell when an extension ends.
      if (isSteady && lease !== null && evidence === 'alive' && answer['reason'] === 'held') extend(entry, lease);
      lease = checkStart(entry, lease, fences);
    } else if (entry.call === 'renew') checkRenewal(entry, lease, isSteady);
    else if (entry.call === 'release' && entry.token === lease?.token) lease.isReleased = true;
    else if (entry.call === 'force' && lease !== null) force(entry, lease);
    checkHolders(entry, lease, isSteady);
  }
}

function checkStart(entry: StartEntry, lease: Lease | null, fences: Map<string, number>): Lease | null {
  const { token, fence } = entry.answer;
  if (typeof token !== 'string' || typeof fence !== 'number') return lease;
  const before = fences.get(token);
  if (before !== undefined) {
    assert.deepEqual([token, fence], [lease?.token, before], 'a repeat gets the latest token, with its own fence');
    return lease;
  }
  assert.equal(fence, (lease?.fence ?? 0) + 1, 'a fence grows by one with each grant');
  if (lease !== null && entry.evidence !== 'ended') {
    assert.ok(freeAt(lease) <= entry.elapsed, `the lease before lasts until ${freeAt(lease)}, it is ${entry.elapsed}`);
  }
  const isPlain = lease === null || (lease.isReleased && !lease.isForced);
  assert.equal(
    entry.answer['outcome'],
    isPlain ? 'acquired' : 'reclaimed',
    'a lease that was not given back is reclaimed',
  );
  fences.set(token, fence);
  const { leaseMs, graceMs } = entry;
  const began = { leaseMs, graceMs, fullAt: entry.elapsed, extendedTo: -Infinity };
  return { token, fence, ...began, isReleased: false, isForced: false, forcedFreeAt: Infinity };
}

/** The earliest instant at which another may have the lock. */
function freeAt(lease: Lease): number {
  const over = Math.max(lease.fullAt + lease.leaseMs, lease.extendedTo);
  return lease.isReleased ? -Infinity : Math.min(over, lease.forcedFreeAt);
}

/** A stale lease whose holder is alive goes on: by a lease from now at most, and four past the last renewal. */
function extend({ elapsed, status }: StartEntry, lease: Lease): void {
  if (elapsed < freeAt(lease)) return;
  const to = elapsed + Number(status?.['remainingMs']);
  assert.ok(to <= elapsed + lease.leaseMs && to <= lease.fullAt + 4 * lease.leaseMs, `extended to ${to}`);
  lease.extendedTo = to;
}

function checkRenewal({ token, answer, leaseMs, elapsed }: TokenEntry, lease: Lease | null, isSteady: boolean): void {
  if (answer['outcome'] === 'renewed') {
    assert.ok(lease !== null && token === lease.token, 'no token works after another grant');
    assert.ok(!lease.isReleased && !lease.isForced, 'what was given back or taken by force is not renewed');
    assert.ok(!isSteady || elapsed < freeAt(lease), 'no lease is renewed once it is over');
    lease.leaseMs = leaseMs ?? lease.leaseMs;
    lease.fullAt = elapsed;
    lease.extendedTo = -Infinity;
  } else if (token === lease?.token && lease.isForced) {
    lease.forcedFreeAt = Math.min(lease.forcedFreeAt, elapsed + lease.graceMs);
  }
}

function force({ answer, elapsed }: HistoryEntry, lease: Lease): void {
  if (answer['outcome'] === 'already_free') return;
  lease.isForced = true;
  if (answer['outcome'] === 'released') lease.forcedFreeAt = elapsed;
}

function checkHolders({ holders, elapsed, call }: HistoryEntry, lease: Lease | null, isSteady: boolean): void {
  assert.ok(holders.length <= 1, `${holders.length} live holders after ${call}`);
  const [holder] = holders;
  if (holder !== undefined) assert.equal(holder, lease?.token, 'nobody but the latest holds the lock');
  if (lease === null) return;
  const isLive = !lease.isReleased && !lease.isForced && elapsed < freeAt(lease);
  if (isLive) assert.equal(holder, lease.token, `after ${call} a lease is live until its end`);
  else if (isSteady) assert.equal(holder, undefined, `after ${call} a lease that is over is live`);
}

/** Nothing starts in a pause, but for who passes by or asks again for what it has. */
export function checkPauses(entries: readonly HistoryEntry[]): void {
  const tokens = new Set<unknown>();
  let isPaused = false;
  for (const { call, answer } of entries) {
    if (call === 'pause') isPaused = true;
    else if (call === 'resume') isPaused = false;
    const { token } = answer;
    if (token === undefined) continue;
    assert.ok(!isPaused || tokens.has(token), 'a start was let in while the lock was paused');
    tokens.add(token);
  }
}
