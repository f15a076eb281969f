import { formatDuration } from '../duration.ts';
import { withReason } from '../messages.ts';
import { capital } from './messages.ts';
import type { PoolSettings, RecordState } from './record.ts';

/** What is said of pools and of a person's decisions. PostgreSQL says the same (`_message_pool_*`, `_message_decided`). */

/** A pool as it is set, and whether it gives anything out. */
export interface PoolChange {
  readonly settings: PoolSettings;
  readonly paused: boolean;
}

/** In the order in which they are told; the first word is the setting's name on the command line. */
const TOLD: readonly (readonly [word: string, say: (pool: PoolChange) => string])[] = [
  ['redo', ({ settings }) => settings.redo],
  ['redo window', ({ settings }) => (settings.redoWindowMs === null ? 'none' : formatDuration(settings.redoWindowMs))],
  ['attempts', ({ settings }) => String(settings.attempts)],
  ['lease', ({ settings }) => formatDuration(settings.leaseMs)],
  ['limit', ({ settings }) => String(settings.limit)],
  ['call timeout', ({ settings }) => formatDuration(settings.callTimeoutMs)],
  ['verifier', ({ settings }) => verifierKind(settings.verifier)],
  ['paused', ({ paused }) => (paused ? 'yes' : 'no')],
];

/** Also the words of the event `settings.changed`, where `reason` is added. */
export function poolChangedMessage(
  pool: string,
  before: PoolChange,
  after: PoolChange,
  reason: string | null = null,
): string {
  const changes = TOLD.map(([word, say]) => [word, say(before), say(after)] as const)
    .filter(([, old, now]) => old !== now)
    .map(([word, old, now]) => `${word} from ${old} to ${now}`);
  if (changes.length === 0 && before.settings.verifier === after.settings.verifier)
    return `Pool "${pool}" is set so already.`;
  // Another verifier of the same kind.
  const told = changes.length === 0 ? 'its verifier' : changes.join(', ');
  const message = `Changed pool "${pool}": ${told}.`;
  return reason === null ? message : withReason(message, reason);
}

/** Its `kind`; `none` for nobody, and for what no verifier can be. */
export function verifierKind(verifier: string | null): string {
  if (verifier === null) return 'none';
  try {
    const { kind } = JSON.parse(verifier) as { kind?: unknown };
    return typeof kind === 'string' ? kind : 'none';
  } catch {
    return 'none';
  }
}

/** What a person decided of a record. `record.review` says it with the reason that was given. */
export function decidedMessage(name: string, action: 'ask' | 'done' | 'requeue' | 'fail'): string {
  switch (action) {
    case 'ask':
      return `${capital(name)} stays in review: the next sweep asks its provider again.`;
    case 'done':
      return `${capital(name)} is done: a person decided so.`;
    case 'requeue':
      return `${capital(name)} is queued again: a person decided so.`;
    case 'fail':
      return `${capital(name)} has failed: a person decided so.`;
  }
}

/** Why nothing was decided. `state` with `wrong_state`. */
export function undecidedMessage(
  name: string,
  why: 'no_such_record' | 'several_versions' | 'wrong_state' | 'no_verifier',
  state: RecordState | null,
): string {
  switch (why) {
    case 'no_such_record':
      return `Decided nothing: there is no ${name}; check its id, its version and its pool.`;
    case 'several_versions':
      return `Decided nothing: several versions of ${name} could be meant; name one.`;
    case 'wrong_state':
      return `Decided nothing: ${name} is ${state ?? 'unknown'}, and that can't be done to it.`;
    case 'no_verifier':
      return `Decided nothing: nothing can ask for ${name}; give its pool a verifier first.`;
  }
}
