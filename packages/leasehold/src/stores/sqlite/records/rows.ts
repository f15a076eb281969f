import type { HolderInfo } from '../../../domain/lock-state.ts';
import type { PoolSettings, RecordRow, RecordState, Redo } from '../../../domain/records/record.ts';
import type { RecordRules, SpokenVerdict, StoredRecord } from '../../../domain/records/stored-record.ts';
import {
  readDate,
  readDateOrNull,
  readInteger,
  readIntegerOrNull,
  readObjectOrNull,
  readText,
  readTextOrNull,
} from '../columns.ts';
import type { SqlRow } from '../driver.ts';

/** Rows of pools, records and claims as values of the domain. Words with a check constraint are taken at their word. */

export interface Pool {
  readonly pool: string;
  readonly settings: PoolSettings;
  readonly rules: RecordRules;
  readonly pausedAt: number | null;
}

/** One lease over records; instants are ms by the store's clock. */
export interface StoredClaim {
  readonly token: string;
  readonly claimId: string;
  readonly pool: string;
  readonly holder: string;
  readonly holderInfo: HolderInfo | null;
  readonly explicitBegin: boolean;
  readonly leaseMs: number;
  readonly leaseUntil: number;
  readonly holderEndedAt: number | null;
  /** Another process than the one that claimed has the token. */
  readonly isShared: boolean;
}

export function toPool(row: SqlRow): Pool {
  const settings: PoolSettings = {
    redo: readText(row, 'redo') as Redo,
    redoWindowMs: readIntegerOrNull(row, 'redo_window_ms'),
    attempts: readInteger(row, 'attempts'),
    leaseMs: readInteger(row, 'lease_ms'),
    limit: readInteger(row, 'claim_limit'),
    callTimeoutMs: readInteger(row, 'call_timeout_ms'),
    verifier: readTextOrNull(row, 'verifier'),
  };
  return {
    pool: readText(row, 'pool'),
    settings,
    rules: { ...settings, hasVerifier: settings.verifier !== null },
    pausedAt: readIntegerOrNull(row, 'paused_at'),
  };
}

export function toClaim(row: SqlRow): StoredClaim {
  return {
    token: readText(row, 'token'),
    claimId: readText(row, 'claim_id'),
    pool: readText(row, 'pool'),
    holder: readText(row, 'holder'),
    holderInfo: readObjectOrNull(row, 'holder_info'),
    explicitBegin: readInteger(row, 'explicit_begin') !== 0,
    leaseMs: readInteger(row, 'lease_ms'),
    leaseUntil: readInteger(row, 'lease_until'),
    holderEndedAt: readIntegerOrNull(row, 'holder_ended_at'),
    isShared: readInteger(row, 'is_shared') !== 0,
  };
}

export function toStoredRecord(row: SqlRow): StoredRecord {
  return {
    no: readInteger(row, 'no'),
    pool: readText(row, 'pool'),
    id: readText(row, 'id'),
    version: readText(row, 'version'),
    state: readText(row, 'state') as RecordState,
    effectKey: readText(row, 'effect_key'),
    attempt: readInteger(row, 'attempt'),
    attemptsForgiven: readInteger(row, 'attempts_forgiven'),
    idleRequeues: readInteger(row, 'idle_requeues'),
    token: readTextOrNull(row, 'token'),
    claimedAt: readIntegerOrNull(row, 'claimed_at'),
    isBegun: readInteger(row, 'is_begun') !== 0,
    begunAt: readIntegerOrNull(row, 'begun_at'),
    firstBegunAt: readIntegerOrNull(row, 'first_begun_at'),
    unknownAt: readIntegerOrNull(row, 'unknown_at'),
    askedAt: readIntegerOrNull(row, 'asked_at'),
    askSince: readIntegerOrNull(row, 'ask_since'),
    sendBefore: readIntegerOrNull(row, 'send_before'),
    notBefore: readIntegerOrNull(row, 'not_before'),
    waits: readInteger(row, 'waits') !== 0,
    hasNewer: readInteger(row, 'has_newer') !== 0,
    providerRef: readTextOrNull(row, 'provider_ref'),
    evidenceRef: readTextOrNull(row, 'evidence_ref'),
    evidenceAt: readIntegerOrNull(row, 'evidence_at'),
    verdict: readTextOrNull(row, 'verdict') as SpokenVerdict | null,
    error: readTextOrNull(row, 'error'),
    updatedAt: readInteger(row, 'updated_at'),
  };
}

/** A record as it is listed. */
export function toRecordRow(row: SqlRow): RecordRow {
  return {
    pool: readText(row, 'pool'),
    id: readText(row, 'id'),
    version: readText(row, 'version'),
    state: readText(row, 'state') as RecordState,
    effectKey: readText(row, 'effect_key'),
    attempt: readInteger(row, 'attempt'),
    claimedBy: readTextOrNull(row, 'claimed_by'),
    claimedAt: readDateOrNull(row, 'claimed_at'),
    leaseUntil: readDateOrNull(row, 'lease_until'),
    begunAt: readDateOrNull(row, 'begun_at'),
    providerRef: readTextOrNull(row, 'provider_ref'),
    error: readTextOrNull(row, 'error'),
    notBefore: readDateOrNull(row, 'not_before'),
    updatedAt: readDate(row, 'updated_at'),
    evidenceRef: readTextOrNull(row, 'evidence_ref'),
    evidenceAt: readDateOrNull(row, 'evidence_at'),
  };
}
