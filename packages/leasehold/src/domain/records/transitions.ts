import type { SpokenVerdict, StoredRecord } from './stored-record.ts';

/**
 * How a record changes, whoever decided it. What a record has learned outlives its requeues: attempts, the begins, its
 * effectKey, the reference that a former owner named. What belongs to one claim (its token, its word, its flags) goes with the claim; a record in review keeps it,
 * since its owner may still speak.
 */

/** The error of an older version that nobody had begun. */
export const SUPERSEDED = 'superseded by a newer version';

const UNASKED = { askedAt: null, askSince: null } as const;
const UNCLAIMED = {
  token: null,
  isBegun: false,
  unknownAt: null,
  verdict: null,
  evidenceAt: null,
  ...UNASKED,
} as const;

/** Anybody's again, at once or from `notBefore` on. */
export function queued(
  record: StoredRecord,
  when: { readonly notBefore: number | null; readonly sendBefore: number | null },
  now: number,
): StoredRecord {
  return { ...record, ...UNCLAIMED, state: 'queued', ...when, updatedAt: now };
}

/** For a person, with the words that say why. Its token stays: what its owner says is still worth knowing. */
export function inReview(record: StoredRecord, words: string, now: number): StoredRecord {
  return { ...record, ...UNASKED, state: 'review', notBefore: null, error: words, updatedAt: now };
}

/** Done, and known as that for ever. `token` is kept where its own word, or an answer about its attempt, made it so. */
export function done(
  record: StoredRecord,
  by: { readonly providerRef: string | null; readonly token: string | null; readonly spoken: SpokenVerdict | null },
  now: number,
): StoredRecord {
  const settled = { sendBefore: null, notBefore: null, waits: false, error: null, updatedAt: now };
  return {
    ...record,
    ...UNCLAIMED,
    ...settled,
    state: 'done',
    isBegun: record.isBegun,
    token: by.token,
    verdict: by.spoken,
    providerRef: by.providerRef,
    evidenceRef: null,
  };
}

/** Failed for good. `spoken` null where a person said so, and then nobody's. */
export function failed(
  record: StoredRecord,
  error: string | null,
  spoken: SpokenVerdict | null,
  now: number,
): StoredRecord {
  const token = spoken === null ? null : record.token;
  const settled = { state: 'failed', notBefore: null, waits: false, error, updatedAt: now } as const;
  return { ...record, ...UNCLAIMED, ...settled, isBegun: record.isBegun, token, verdict: spoken };
}

/** Nobody works it any more: a newer version is known, and this one was never begun. */
export function cancelled(record: StoredRecord, now: number): StoredRecord {
  const settled = { state: 'cancelled', notBefore: null, waits: false, error: SUPERSEDED, updatedAt: now } as const;
  return { ...record, ...UNCLAIMED, ...settled };
}

/** Its outcome is not known: still claimed, and the next sweep settles it. */
export function flagged(record: StoredRecord, now: number): StoredRecord {
  return { ...record, unknownAt: now, ...UNASKED, updatedAt: now };
}

/** True where an older version has its end, so that the next one may be had. */
export function isSettled({ state }: Pick<StoredRecord, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** As before its claim, where that had begun it by taking it and its holder says that nothing was sent. */
export function unbegun(record: StoredRecord): StoredRecord {
  if (!record.isBegun) return record;
  const attempt = Math.max(0, record.attempt - 1);
  const begins = attempt === 0 ? { begunAt: null, firstBegunAt: null } : {};
  return { ...record, ...begins, attempt, isBegun: false };
}
