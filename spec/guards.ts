/**
 * Every guard of the protocol that the model knows, each to be taken away: then a named property must be violated, and how
 * is kept as a story. A guard without which nothing goes wrong is either not needed or not modelled.
 */
import { LOCK_GUARDS } from './guards/lock.ts';
import { BEGIN_GUARDS } from './guards/begins.ts';
import { LIVENESS_GUARDS } from './guards/liveness.ts';
import { SWEEP_GUARDS } from './guards/sweep.ts';
import { VERDICT_GUARDS } from './guards/verdicts.ts';
import { WINDOW_GUARDS } from './guards/windows.ts';

export interface Guard {
  /** Also the name of its story. */
  readonly name: string;
  /** The macro that takes it away. */
  readonly without: string;
  readonly instance: string;
  readonly violates: Property;
  /** What the guard says. */
  readonly rule: string;
  /** What happens without it: the story's title. */
  readonly title: string;
}

export type Property = keyof typeof PROPERTIES;

/** What must never be seen, and what must always come. */
export const PROPERTIES = {
  one_live_holder: 'At most one worker holds the lock by the store’s clock.',
  ended_stays_ended: 'A lease that has ended never lives again.',
  fenced_writes: 'A write of an older holder never follows one of a newer holder.',
  taken_again: 'The lock of a holder that died is taken again.',
  one_effect: 'A record has one effect at the provider.',
  known_done_is_not_handed_out: 'A record of which somebody said “done” is never handed out or begun again.',
  no_done_without_effect: 'A record is done only where its effect happened.',
  keeps_its_record: 'A worker that is never paused keeps its record while it calls the provider.',
  accounted_for: 'A record ends done, failed or in review, as long as somebody calls.',
} as const;

export const GUARDS: readonly Guard[] = [
  ...LOCK_GUARDS,
  ...BEGIN_GUARDS,
  ...VERDICT_GUARDS,
  ...SWEEP_GUARDS,
  ...WINDOW_GUARDS,
  ...LIVENESS_GUARDS,
];
