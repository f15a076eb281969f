import { checkCallTimeoutMs } from '../../domain/records/pool-settings.ts';
import type { PoolStatus } from '../../domain/records/record.ts';
import { LeaseholdError } from '../../errors.ts';
import type { Verifier } from '../../ports/verifier.ts';
import { checkObject, checkSignal, checkSpan } from '../arguments.ts';
import type { SweepOptions } from './api.ts';
import type { CheckedVerifier } from './verify.ts';

const LOOKUPS_AT_ONCE_MAX = 50;
/** Ten years: what a provider keeps for longer it keeps for ever. */
const DELAY_MS_MAX: number = 3_650 * 86_400_000;

export interface CheckedSweep {
  readonly verifier: Verifier | null;
  readonly concurrency: number;
  readonly everyMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | null;
}

/** Throws INVALID_ARGUMENT. */
export function checkSweep(options: SweepOptions): CheckedSweep {
  checkObject(options, 'options');
  const { verifier = null, concurrency = 5, everyMs = 60_000, timeoutMs = 60_000, signal } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > LOOKUPS_AT_ONCE_MAX) {
    refuse(`concurrency must be a whole number from 1 to ${LOOKUPS_AT_ONCE_MAX}`);
  }
  if (verifier !== null) checkVerifierShape(verifier);
  return {
    verifier,
    concurrency,
    everyMs: checkSpan(everyMs, 'everyMs', 1_000, 86_400_000),
    timeoutMs: checkSpan(timeoutMs, 'timeoutMs', 1, 3_600_000),
    signal: signal === undefined ? null : checkSignal(signal),
  };
}

function checkVerifierShape(verifier: Verifier): void {
  checkObject(verifier, 'verifier');
  if (typeof verifier.lookup !== 'function') refuse('verifier.lookup must be a function');
  if (verifier.commitDelayMs === undefined || verifier.visibilityDelayMs === undefined) {
    refuse('verifier needs commitDelayMs and visibilityDelayMs, as the provider documents them; 0 where there is none');
  }
  delaysOf(verifier, 0);
}

/** The verifier for a pool that must say that it has one: without it what expired went to review and waits for nobody. */
export function verifierFor(pool: string, verifier: Verifier, status: PoolStatus | undefined): CheckedVerifier {
  if (status !== undefined && status.verifier === null) {
    refuse(
      `pool "${pool}" does not say that its provider can be asked, so what expires goes to review; set it once: configure({ verifier: { kind: 'function' } })`,
    );
  }
  return {
    lookup: (effect, signal) => verifier.lookup(effect, signal),
    lookupTimeoutMs: checkSpan(verifier.lookupTimeoutMs ?? 30_000, 'verifier.lookupTimeoutMs', 100, 600_000),
    delays: delaysOf(verifier, status?.callTimeoutMs ?? 0),
  };
}

function delaysOf(verifier: Verifier, poolCallTimeoutMs: number): CheckedVerifier['delays'] {
  const {
    callTimeoutMs = 0,
    commitDelayMs,
    visibilityDelayMs,
    retentionMs = null,
    idempotencyWindowMs = null,
  } = verifier;
  return {
    callTimeoutMs: Math.max(poolCallTimeoutMs, checkCallTimeoutMs(callTimeoutMs)),
    commitDelayMs: checkDelay(commitDelayMs, 'commitDelayMs'),
    visibilityDelayMs: checkDelay(visibilityDelayMs, 'visibilityDelayMs'),
    retentionMs: retentionMs === null ? null : checkDelay(retentionMs, 'retentionMs'),
    idempotencyWindowMs: idempotencyWindowMs === null ? null : checkDelay(idempotencyWindowMs, 'idempotencyWindowMs'),
  };
}

function checkDelay(value: unknown, name: string): number {
  return checkSpan(value, `verifier.${name}`, 0, DELAY_MS_MAX);
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
