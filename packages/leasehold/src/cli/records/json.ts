import type {
  BeginAnswer,
  ExtendAnswer,
  LiveClaim,
  PoolSettings,
  PoolStatus,
  RecordRow,
  ReturnAnswer,
  VerdictAnswer,
} from '../../domain/records/record.ts';
import type { EnqueueReport, SweepReport } from '../../engine/records/api.ts';
import type { Claim, ClaimedRecord, RefusedOffer } from '../../engine/records/claim-api.ts';
import type { ChangePoolAnswer, ReviewAnswer } from '../../ports/record-store.ts';
import { parseExactly } from './exact-json.ts';
import { workflowsOf } from './workflows.ts';

/**
 * The objects of `--json` that speak of records, with the fields of design §6 and §11 and no others. Only the answer of
 * `claim` has a token, and payloads; a payload is what was given, number for number.
 */

/**
 * The object in two halves: between them more of `refused` may stand, each piece by `refusedJson`, of which the message in
 * the second one tells.
 */
export function claimJson(answer: Claim): readonly [before: string, after: (message: string) => string] {
  const { outcome, pool, claimId, token, leaseUntil, remainingMs, settled } = answer;
  const { requeued, review, cancelled } = settled;
  const owned = answer.owned.map(ownedFields);
  const before = JSON.stringify({ outcome, pool, claimId, token, leaseUntil, remainingMs, owned, refused: [] });
  const after = (message: string): string =>
    `],${JSON.stringify({ settled: { requeued, review, cancelled }, message }).slice('{'.length)}`;
  return [`${before.slice(0, -']}'.length)}${answer.refused.map(refusedJson).join(',')}`, after];
}

function ownedFields({ id, version, effectKey, attempt, payloadText }: ClaimedRecord): object {
  return { id, version, effectKey, attempt, payload: payloadText === null ? null : readable(payloadText) };
}

/** A row that was written by hand may hold what is no JSON: its text, since the claim stands and has to be answered. */
function readable(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

export function refusedJson({ id, version, why, by, since }: RefusedOffer): string {
  return JSON.stringify({ id, version, why, by, since });
}

export function beginJson(answer: BeginAnswer): string {
  const { outcome, pool, id, version, attempt, begunAt, remainingMs, reason, message } = answer;
  return JSON.stringify({ outcome, pool, id, version, attempt, begunAt, remainingMs, reason, message });
}

export function verdictJson({ outcome, pool, id, version, state, notBefore, reason, message }: VerdictAnswer): string {
  return JSON.stringify({ outcome, pool, id, version, state, notBefore, reason, message });
}

export function extendJson({ outcome, pool, claimId, leaseUntil, remainingMs, reason, message }: ExtendAnswer): string {
  return JSON.stringify({ outcome, pool, claimId, leaseUntil, remainingMs, reason, message });
}

export function returnJson({ outcome, pool, claimId, returned, kept, message }: ReturnAnswer): string {
  const keys = (records: ReturnAnswer['kept']): object[] => records.map(({ id, version }) => ({ id, version }));
  return JSON.stringify({ outcome, pool, claimId, returned: keys(returned), kept: keys(kept), message });
}

/** A record as design §11 has it, and what a person needs who decides about one. */
export function recordJson(record: RecordRow): string {
  const { pool, id, version, state, effectKey, attempt, claimedBy, claimedAt, leaseUntil } = record;
  const { begunAt, providerRef, error, notBefore, updatedAt, evidenceRef, evidenceAt } = record;
  const known = { pool, id, version, state, effectKey, attempt, claimedBy, claimedAt, leaseUntil };
  return JSON.stringify({ ...known, begunAt, providerRef, error, notBefore, updatedAt, evidenceRef, evidenceAt });
}

export function reviewJson({ outcome, pool, id, version, state, why, message }: ReviewAnswer): string {
  return JSON.stringify({ outcome, pool, id, version, state, why, message });
}

/** What a pool is set to. Of its verifier the kind and the delays alone: a description may name more than all may read. */
function settingsFields(settings: PoolSettings): object {
  const { redo, redoWindowMs, attempts, leaseMs, limit, callTimeoutMs, verifier } = settings;
  return { redo, redoWindowMs, attempts, leaseMs, limit, callTimeoutMs, verifier: verifierFields(verifier) };
}

function verifierFields(text: string | null): object | null {
  if (text === null) return null;
  const described: unknown = readable(text);
  if (typeof described !== 'object' || described === null) return null;
  return Object.fromEntries(Object.entries(described).filter(([key, value]) => key === 'kind' || isDelay(key, value)));
}

function isDelay(key: string, value: unknown): boolean {
  return key.endsWith('Ms') && typeof value === 'number';
}

export function poolChangeJson({ outcome, pool, settings, paused, message }: ChangePoolAnswer): string {
  return JSON.stringify({ outcome, pool, ...settingsFields(settings), paused, message });
}

export function poolJson(status: PoolStatus): string {
  const { pool, paused, queued, deferred, claimed, toAsk, done, failed, review, cancelled, oldestClaimAt } = status;
  const counts = { queued, deferred, claimed, toAsk, done, failed, review, cancelled };
  return JSON.stringify({
    pool,
    ...settingsFields(status),
    paused,
    ...counts,
    oldestClaimAt,
    workflows: workflowsOf(status),
    claims: status.claims.map(claimFields),
  });
}

function claimFields({ claimId, holder, holderInfo, records, since, leaseUntil }: LiveClaim): object {
  return { claimId, holder, holderInfo, records, since, leaseUntil };
}

export function enqueueJson({ pool, added, known, superseded, refused }: EnqueueReport): string {
  const fields = refused.map(({ id, version, why, message }) => ({ id, version, why, message }));
  return JSON.stringify({ pool, added, known, superseded, refused: fields });
}

export function sweepJson(report: SweepReport): string {
  const { pool, requeued, review, cancelled, done, waiting, asked, overtaken, toAsk, isComplete } = report;
  return JSON.stringify({ pool, requeued, review, cancelled, done, waiting, asked, overtaken, toAsk, isComplete });
}
