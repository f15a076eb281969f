import assert from 'node:assert/strict';
import type { AcquireAnswer, AcquiredAnswer, ReclaimedAnswer, SkippedAnswer } from '../../../domain/answers.ts';
import type { ProbeEvidence, ProbeFirstAnswer, ProbeState } from '../../../domain/evidence.ts';
import type { SkipReason } from '../../../domain/run.ts';
import type { AcquireRequest, ProbingRequest } from '../../../ports/store.ts';
import type { Scene } from './scene.ts';

/** Starts of a caller that can ask the system `process` after a holder. */

type Patch = Partial<AcquireRequest>;

/** A holder that can be asked after. */
export const PROBED = { holderInfo: { host: 'a', pid: 17, probe: 'process' } } as const;

const WORDS: Readonly<Record<ProbeState, string>> = {
  alive: 'process 17 runs',
  ended: 'process 17 has ended',
  unknown: 'its host is another one',
};

/** What a probe says of the lease that this answer names. */
export function evidence({ fence, leaseUntil }: ProbeFirstAnswer, state: ProbeState): ProbeEvidence {
  return { fence, leaseUntil, state, detail: WORDS[state] };
}

/** Asks without having asked anybody yet. */
export function ask(scene: Scene, lock: string, patch: Patch = {}): Promise<AcquireAnswer | ProbeFirstAnswer> {
  return scene.store.acquireOrProbe(probing(scene, lock, null, patch));
}

/** The start is told to ask after the holder first. */
export async function askedFirst(scene: Scene, lock: string, patch: Patch = {}): Promise<ProbeFirstAnswer> {
  const answer = await ask(scene, lock, patch);
  assert.ok(answer.outcome === 'probe_first', `expected probe_first: ${answer.outcome}`);
  return answer;
}

export function probing(
  scene: Scene,
  lock: string,
  heard: ProbeEvidence | null,
  patch: Patch & { readonly probes?: readonly string[] } = {},
): ProbingRequest {
  const { probes = ['process'], ...rest } = patch;
  return { ...scene.request(lock, rest), probes, evidence: heard };
}

/** Brings evidence about the lease as it is now. */
export async function bring(
  scene: Scene,
  lock: string,
  state: ProbeState,
  patch: Patch = {},
): Promise<AcquireAnswer | ProbeFirstAnswer> {
  const first = await askedFirst(scene, lock, patch);
  return await scene.store.acquireOrProbe(probing(scene, lock, evidence(first, state), patch));
}

export async function reclaimedBy(
  scene: Scene,
  lock: string,
  state: ProbeState,
  patch: Patch = {},
): Promise<ReclaimedAnswer> {
  const answer = await bring(scene, lock, state, patch);
  assert.ok(answer.outcome === 'reclaimed', `expected reclaimed: ${JSON.stringify(answer)}`);
  return answer;
}

export async function skippedWith(
  scene: Scene,
  lock: string,
  state: ProbeState,
  reason: SkipReason,
  patch: Patch = {},
): Promise<SkippedAnswer> {
  const answer = await bring(scene, lock, state, patch);
  assert.ok(answer.outcome === 'skipped', `expected skipped: ${JSON.stringify(answer)}`);
  assert.equal(answer.reason, reason, answer.message);
  return answer;
}

/** A lease whose holder can be asked after. */
export function probedLease(scene: Scene, lock: string, patch: Patch = {}): Promise<AcquiredAnswer> {
  return scene.acquired(lock, { ...PROBED, ...patch });
}
