import type { LockState } from '../../../domain/lock-state.ts';
import { type Fact, fact } from './fact.ts';
import type { Scene } from './scene.ts';
import { HOUR } from './timeline.ts';

/** The lease that stands in a row written by hand. */
export const HAND = { lock: 'job', token: 'token-by-hand' } as const;

/** A fact about rows as a faulty clock, a restore or a person's SQL leaves them. */
export function odd(name: string, show: (scene: Scene) => Promise<void>): Fact {
  return fact(name, show, ['hand_written_rows']);
}

/** A live lease of one hour that began now, but for what `patch` says. */
export async function handWritten(scene: Scene, patch: Partial<LockState>): Promise<void> {
  // The store is in use already: nothing that it does at its first write may be taken for a judgement.
  await scene.start('in-use', { leaseMs: HOUR });
  const now = await scene.now();
  await scene.writeLock('job', {
    fence: 7,
    token: HAND.token,
    runId: 'run-by-hand',
    holder: 'by-hand',
    since: now,
    leaseMs: HOUR,
    leaseUntil: now + HOUR,
    ...patch,
  });
}
