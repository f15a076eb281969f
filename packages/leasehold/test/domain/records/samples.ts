import type { StoredRecord } from '../../../src/domain/records/stored-record.ts';

export const NOW = 1_800_000_000_000;

/** A record that a claim has and has begun. */
export function storedRecord(patch: Partial<StoredRecord> = {}): StoredRecord {
  return {
    pool: 'invoices',
    id: 'a',
    version: '',
    no: 1,
    state: 'claimed',
    effectKey: '00000000-0000-8000-8000-000000000000',
    attempt: 1,
    attemptsForgiven: 0,
    idleRequeues: 0,
    token: 'token-1',
    claimedAt: NOW - 60_000,
    isBegun: true,
    begunAt: NOW - 50_000,
    firstBegunAt: NOW - 50_000,
    unknownAt: null,
    askedAt: null,
    askSince: null,
    sendBefore: null,
    notBefore: null,
    waits: false,
    hasNewer: false,
    providerRef: null,
    evidenceRef: null,
    evidenceAt: null,
    verdict: null,
    error: null,
    updatedAt: NOW - 50_000,
    ...patch,
  };
}
