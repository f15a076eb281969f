import { LeaseholdError } from '../../errors.ts';
import { checkLeaseMs } from '../limits.ts';
import { formatDuration } from '../duration.ts';
import type { PoolSettings } from './record.ts';

/** What a pool is set to until somebody changes it (design §6, §11). */
export const POOL_DEFAULTS: PoolSettings = {
  redo: 'ask',
  redoWindowMs: null,
  attempts: 5,
  leaseMs: 600_000,
  limit: 50,
  callTimeoutMs: 0,
  verifier: null,
};

export const CLAIM_LIMIT_MAX = 10_000;
export const ATTEMPTS_MAX = 100;
export const CALL_TIMEOUT_MS_MAX = 3_600_000;
/** A provider that recognises a key for longer than this does so for ever. */
export const REDO_WINDOW_MS_MAX: number = 3_650 * 86_400_000;
export const VERIFIER_BYTES_MAX = 65_536;

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}

function checkWhole(value: unknown, label: string, min: number, max: number): number {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
    refuse(`${label} must be a whole number from ${min} to ${max}`);
  }
  return value as number;
}

/** Checks how many records a claim may get: 1 to 10,000. Throws INVALID_ARGUMENT. */
export function checkClaimLimit(value: unknown): number {
  return checkWhole(value, 'claim limit', 1, CLAIM_LIMIT_MAX);
}

/** Checks how many begins a record gets: 1 to 100. Throws INVALID_ARGUMENT. */
export function checkAttempts(value: unknown): number {
  return checkWhole(value, 'attempts', 1, ATTEMPTS_MAX);
}

/** Checks how long a call to the provider may take: 0 to 1 h, in whole ms. Throws INVALID_ARGUMENT. */
export function checkCallTimeoutMs(value: unknown): number {
  return checkWhole(value, 'call time-out in ms', 0, CALL_TIMEOUT_MS_MAX);
}

/** Checks a claim's length against its pool: a begin needs the call time-out of what remains. Throws INVALID_ARGUMENT. */
export function checkClaimLease(leaseMs: unknown, callTimeoutMs: number): number {
  const ms = checkLeaseMs(leaseMs);
  if (ms < callTimeoutMs) {
    refuse(
      `lease is ${formatDuration(ms)}, shorter than the call time-out of its pool (${formatDuration(callTimeoutMs)}): no record of it could begin`,
    );
  }
  return ms;
}

/**
 * Checks what of a pool's settings is to change; what is left out stays. Throws INVALID_ARGUMENT, naming the setting.
 * That the claim length covers the call time-out is checked where both are known, in the store.
 */
export function checkPoolSettings(settings: Partial<PoolSettings>): Partial<PoolSettings> {
  const { redo, redoWindowMs, verifier } = settings;
  if (redo !== undefined && redo !== 'ask' && redo !== 'safe')
    refuse(`redo is "${String(redo)}"; it must be ask or safe`);
  if (redoWindowMs !== undefined && redoWindowMs !== null) {
    checkWhole(redoWindowMs, 'redo window in ms', 1, REDO_WINDOW_MS_MAX);
  }
  if (settings.attempts !== undefined) checkAttempts(settings.attempts);
  if (settings.leaseMs !== undefined) checkLeaseMs(settings.leaseMs);
  if (settings.limit !== undefined) checkClaimLimit(settings.limit);
  if (settings.callTimeoutMs !== undefined) checkCallTimeoutMs(settings.callTimeoutMs);
  if (verifier !== undefined && verifier !== null) checkVerifier(verifier);
  return settings;
}

/** What a description of a verifier may say beside its kind; in ms. */
const VERIFIER_DELAYS: readonly string[] = [
  'callTimeoutMs',
  'commitDelayMs',
  'visibilityDelayMs',
  'retentionMs',
  'idempotencyWindowMs',
  'lookupTimeoutMs',
];

/**
 * Checks a verifier's description: a JSON object of at most 64 KiB with the kind `function` and, in whole ms, delays. What
 * else it says is refused by its name: a word that is misspelt would be no delay, and no secret is to be kept here.
 * Throws INVALID_ARGUMENT.
 */
export function checkVerifier(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > VERIFIER_BYTES_MAX) refuse(`verifier is ${bytes} bytes long; the limit is ${VERIFIER_BYTES_MAX}`);
  const { kind, ...delays } = parseVerifier(text);
  if (typeof kind !== 'string' || kind === '') refuse('verifier has no kind; give it an object with a "kind"');
  if (kind !== 'function') refuse('the kind of a verifier must be "function" in this release');
  for (const [name, value] of Object.entries(delays)) {
    if (!VERIFIER_DELAYS.includes(name)) {
      refuse(`"${name}" is not known of a verifier; beside its kind it may have ${VERIFIER_DELAYS.join(', ')}`);
    }
    checkWhole(value, `verifier ${name}`, 0, name === 'callTimeoutMs' ? CALL_TIMEOUT_MS_MAX : REDO_WINDOW_MS_MAX);
  }
  return text;
}

/** What the calls take that a verifier asks after; null where its description, which was checked, doesn't say. */
export function callTimeoutOfVerifier(text: string): number | null {
  const { callTimeoutMs } = parseVerifier(text);
  return typeof callTimeoutMs === 'number' ? callTimeoutMs : null;
}

function parseVerifier(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new LeaseholdError('INVALID_ARGUMENT', 'verifier is not JSON; give it an object with a "kind"', {
      cause: error,
    });
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
