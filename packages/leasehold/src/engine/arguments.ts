import { checkHolderInfo } from '../domain/holder-info.ts';
import {
  checkAfterMs,
  checkGraceMs,
  checkId,
  checkLeaseMs,
  checkReason,
  checkToken,
  checkWaitMs,
} from '../domain/limits.ts';
import type { HolderInfo } from '../domain/lock-state.ts';
import type { RunStatus } from '../domain/run.ts';
import { killGraceMs } from '../domain/timing.ts';
import { LeaseholdError } from '../errors.ts';
import type { ScheduleSpec } from '../ports/schedule.ts';
import type { AcquireRequest, ReleaseRequest, RenewRequest } from '../ports/store.ts';
import type { AcquireOptions, ScheduleOptions } from './api.ts';
import type { DeliverOptions } from './duty-options.ts';
import type { DeliveryBounds } from './deliver.ts';
import type { EngineParts } from './parts.ts';

/**
 * What callers pass in, checked before any store hears of it. JavaScript callers have no types, so
 * everything is looked at as if it could be anything. All functions throw INVALID_ARGUMENT.
 */

/** A start whose arguments are known to be good. */
export interface CheckedStart {
  /** What the store is asked; `waiting` is set with each ask. */
  readonly request: Omit<AcquireRequest, 'waiting'>;
  /** How long to wait for a busy lock; 0 for not at all. */
  readonly waitMs: number;
  readonly renewal: 'heartbeat' | 'touch';
  readonly signal: AbortSignal | null;
  /** When such starts are planned; null where nobody said. */
  readonly schedule: ScheduleSpec | null;
  readonly withholdRenewal: (() => string | null) | null;
}

/** `self`: what is known of this process, for a start that says nothing of its holder. */
export function checkStart(
  lock: string,
  options: AcquireOptions,
  parts: EngineParts,
  self: HolderInfo = parts.self.holderInfo,
): CheckedStart {
  checkObject(options, 'options');
  const leaseMs = checkLeaseMs(options.leaseMs);
  return {
    request: {
      lock,
      leaseMs,
      holder: options.holder === undefined ? parts.self.holder : checkId(options.holder, 'holder'),
      holderInfo: holderInfoOf(options, self),
      runId: options.runId === undefined ? parts.ids.newId() : checkId(options.runId, 'run id'),
      slotAt: options.slotAt === undefined ? null : checkInstant(options.slotAt, 'slotAt'),
      onStale: checkChoice(options.onStale ?? 'reclaim', 'onStale', ['reclaim', 'hold']),
      again: checkFlag(options.again ?? false, 'again'),
      trigger: options.trigger === undefined ? null : checkId(options.trigger, 'trigger'),
      graceMs: options.graceMs === undefined ? killGraceMs(leaseMs) : checkGraceMs(options.graceMs),
      bypassReason: options.bypass === undefined ? null : checkBypass(options.bypass),
      plan: null,
    },
    waitMs: checkOnBusy(options.onBusy ?? 'skip'),
    renewal: checkChoice(options.renewal ?? 'heartbeat', 'renewal', ['heartbeat', 'touch']),
    signal: options.signal === undefined ? null : checkSignal(options.signal),
    schedule: options.schedule === undefined ? null : checkSchedule(options.schedule),
    withholdRenewal: options.withholdRenewal === undefined ? null : checkFunction(options.withholdRenewal),
  };
}

/** A holder that may stop renewing on purpose is alive and is not to stay: no probe extends its lease. */
function holderInfoOf({ holderInfo, withholdRenewal }: AcquireOptions, self: HolderInfo): HolderInfo {
  const info = holderInfo === undefined ? self : checkHolderInfo(holderInfo);
  return withholdRenewal === undefined ? info : { ...info, extendable: false };
}

export function checkRenew(
  lock: string,
  options: {
    readonly token: string;
    readonly leaseMs?: number;
    readonly progress?: string;
    readonly holderInfo?: HolderInfo;
  },
): RenewRequest {
  checkObject(options, 'options');
  return {
    lock,
    token: checkToken(options.token),
    leaseMs: options.leaseMs === undefined ? null : checkLeaseMs(options.leaseMs),
    progress: checkProgress(options.progress),
    holderInfo: options.holderInfo === undefined ? null : checkHolderInfo(options.holderInfo),
  };
}

export function checkRelease(
  lock: string,
  options: { readonly token: string; readonly status?: RunStatus; readonly afterMs?: number },
): ReleaseRequest {
  checkObject(options, 'options');
  return {
    lock,
    token: checkToken(options.token),
    status:
      options.status === undefined ? null : checkChoice<RunStatus>(options.status, 'status', ['success', 'failure']),
    afterMs: options.afterMs === undefined ? 0 : checkAfterMs(options.afterMs),
    lost: null,
  };
}

export function checkDelivery(options: DeliverOptions): DeliveryBounds {
  checkObject(options, 'options');
  const { forMs = 30_000, sendTimeoutMs = 10_000, signal } = options;
  return {
    forMs: checkSpan(forMs, 'forMs', 100, 600_000),
    sendMs: checkSpan(sendTimeoutMs, 'sendTimeoutMs', 100, 60_000),
    signal: signal === undefined ? null : checkSignal(signal),
  };
}

export function checkSpan(value: unknown, label: string, min: number, max: number): number {
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    refuse(`${label} must be a number of milliseconds from ${min} to ${max}`);
  }
  return value;
}

export function checkProgress(progress: string | undefined): string | null {
  return progress === undefined ? null : checkReason(progress, 'progress');
}

export function checkFlag(value: unknown, label: string): boolean {
  if (typeof value !== 'boolean') refuse(`${label} must be true or false`);
  return value;
}

export function checkObject(value: unknown, label: string): void {
  if (typeof value !== 'object' || value === null) refuse(`${label} must be an object`);
}

export function checkChoice<T extends string>(value: T, label: string, choices: readonly T[]): T {
  if (!choices.includes(value)) refuse(`${label} must be ${choices.map((choice) => `"${choice}"`).join(' or ')}`);
  return value;
}

function checkOnBusy(onBusy: unknown): number {
  if (onBusy === 'skip') return 0;
  if (typeof onBusy !== 'object' || onBusy === null) refuse('onBusy must be "skip" or { waitMs }');
  return checkWaitMs((onBusy as { waitMs?: unknown }).waitMs);
}

function checkBypass(bypass: { readonly reason: string }): string {
  checkObject(bypass, 'bypass');
  return checkReason(bypass.reason, 'bypass reason');
}

export function checkSchedule(schedule: ScheduleOptions): ScheduleSpec {
  checkObject(schedule, 'schedule');
  const { expression, timezone } = schedule;
  return {
    expression: checkId(expression, 'schedule'),
    timezone: timezone === undefined ? null : checkId(timezone, 'timezone'),
  };
}

function checkFunction(value: () => string | null): () => string | null {
  if (typeof value !== 'function') refuse('withholdRenewal must be a function');
  return value;
}

/** Years outside 1970 to 9999 have no plain ISO 8601 form and come from a mistaken unit. */
export function checkInstant(value: unknown, label: string): Date {
  const isInstant = value instanceof Date && value.getTime() >= 0 && value.getTime() < Date.UTC(10_000, 0);
  if (!isInstant) refuse(`${label} must be a Date between the years 1970 and 9999`);
  return new Date(value);
}

export function checkSignal(value: unknown): AbortSignal {
  if (!(value instanceof AbortSignal)) refuse('signal must be an AbortSignal');
  return value;
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
