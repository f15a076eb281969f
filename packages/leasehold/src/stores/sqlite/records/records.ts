import { createHash } from 'node:crypto';
import { effectKeyOf, effectKeyText } from '../../../domain/records/effect-key.ts';
import type { RecordKey } from '../../../domain/records/record.ts';
import type { SpokenVerdict, StoredRecord } from '../../../domain/records/stored-record.ts';
import type { NewRecord } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger, readTextOrNull } from '../columns.ts';
import type { SqlRow } from '../driver.ts';
import type { Session } from '../session.ts';
import { toStoredRecord } from './rows.ts';

const sql = loadSqlBlocks(new URL('../sql/records.sql', import.meta.url), [
  'record_to_work',
  'record_of_owner',
  'record_of_former_owner',
  'newest_version',
  'record_by_key',
  'record_by_no',
  'insert_record',
  'insert_payload',
  'write_record',
  'fill_provider_ref',
  'mark_has_newer',
  'write_former_owner',
  'note_former_done',
  'note_refused',
  'second_done',
]);

/** What a token that once owned a record is remembered by. */
export interface FormerOwner {
  readonly verdict: SpokenVerdict | null;
  /** The reference of its latest `done`. */
  readonly providerRef: string | null;
  readonly holder: string | null;
  readonly claimId: string | null;
}

/** A record that an item names by id and token, and who its token is to it. */
export interface NamedRecord {
  readonly record: StoredRecord | null;
  readonly speaker: 'owner' | 'former' | 'stranger';
  readonly former: FormerOwner | null;
}

/** The version that carries the token; failing that one that it carried; failing that the newest of the id. */
export function findNamed(session: Session, pool: string, id: string, token: string): NamedRecord {
  const named = { pool, id, token };
  const owned = session.get(sql.record_to_work, named) ?? session.get(sql.record_of_owner, named);
  if (owned !== undefined) return { record: toStoredRecord(owned), speaker: 'owner', former: null };
  const formerly = session.get(sql.record_of_former_owner, named);
  if (formerly !== undefined)
    return { record: toStoredRecord(formerly), speaker: 'former', former: toFormer(formerly) };
  const newest = session.get(sql.newest_version, { pool, id });
  return { record: newest === undefined ? null : toStoredRecord(newest), speaker: 'stranger', former: null };
}

function toFormer(row: SqlRow): FormerOwner {
  return {
    verdict: readTextOrNull(row, 'former_verdict') as SpokenVerdict | null,
    providerRef: readTextOrNull(row, 'former_ref'),
    holder: readTextOrNull(row, 'former_holder'),
    claimId: readTextOrNull(row, 'former_claim_id'),
  };
}

export function findRecord(session: Session, pool: string, { id, version }: RecordKey): StoredRecord | null {
  const row = session.get(sql.record_by_key, { pool, id, version });
  return row === undefined ? null : toStoredRecord(row);
}

/** A record that is known to be there: rows of records are never deleted. Throws INTERNAL where it isn't. */
export function readRecord(session: Session, no: number): StoredRecord {
  return toStoredRecord(session.get(sql.record_by_no, { no }) ?? {});
}

/** Makes a record known, queued; its number. */
export function insertRecord(
  session: Session,
  pool: string,
  { id, version, payload, notBefore }: NewRecord,
  { namespace, waits, now }: { readonly namespace: string; readonly waits: boolean; readonly now: number },
): number {
  const effect_key = effectKey(namespace, pool, { id, version });
  const not_before = notBefore?.getTime() ?? null;
  const row = session.get(sql.insert_record, { pool, id, version, effect_key, not_before, waits: waits ? 1 : 0, now });
  const no = readInteger(row ?? {}, 'no');
  if (payload !== null) session.run(sql.insert_payload, { no, payload });
  return no;
}

function effectKey(namespace: string, pool: string, key: RecordKey): string {
  return effectKeyOf(
    createHash('sha256')
      .update(effectKeyText(namespace, pool, key), 'utf8')
      .digest(),
  );
}

/** Writes all of a record that can change. */
export function writeRecord(session: Session, record: StoredRecord): void {
  session.run(sql.write_record, {
    no: record.no,
    state: record.state,
    attempt: record.attempt,
    attempts_forgiven: record.attemptsForgiven,
    idle_requeues: record.idleRequeues,
    token: record.token,
    claimed_at: record.claimedAt,
    is_begun: record.isBegun ? 1 : 0,
    begun_at: record.begunAt,
    first_begun_at: record.firstBegunAt,
    unknown_at: record.unknownAt,
    asked_at: record.askedAt,
    ask_since: record.askSince,
    send_before: record.sendBefore,
    not_before: record.notBefore,
    waits: record.waits ? 1 : 0,
    has_newer: record.hasNewer ? 1 : 0,
    provider_ref: record.providerRef,
    evidence_ref: record.evidenceRef,
    evidence_at: record.evidenceAt,
    verdict: record.verdict,
    error: record.error,
    updated_at: record.updatedAt,
  });
}

/** Adds a reference that was missing; changes none, and not since when the record is done. */
export function fillProviderRef(session: Session, no: number, providerRef: string): void {
  session.run(sql.fill_provider_ref, { no, provider_ref: providerRef });
}

export function markHasNewer(session: Session, no: number): void {
  session.run(sql.mark_has_newer, { no });
}

/** Remembers a token before its record leaves it, so that its late word is known for what it is. Nothing without one. */
export function leaveToken(
  session: Session,
  record: StoredRecord,
  claim: { readonly claimId: string; readonly holder: string } | null,
  verdict: SpokenVerdict | null,
  now: number,
): void {
  const { pool, id, version, token, attempt, isBegun } = record;
  if (token === null) return;
  session.run(sql.write_former_owner, {
    pool,
    id,
    version,
    token,
    claim_id: claim?.claimId ?? null,
    holder: claim?.holder ?? null,
    attempt,
    was_begun: isBegun ? 1 : 0,
    verdict,
    now,
  });
}

/** Keeps a `done` that its record does not, so that it is told once. */
export function noteFormerDone(
  session: Session,
  { pool, id, version }: StoredRecord,
  { token, providerRef }: { readonly token: string; readonly providerRef: string | null },
): void {
  session.run(sql.note_former_done, { pool, id, version, token, provider_ref: providerRef });
}

/** Keeps what an owner says of a record that was settled without it, after `leaveToken`; true where it had not just said that. */
export function noteRefused(session: Session, { pool, id, version, token }: StoredRecord, refused: string): boolean {
  return session.get(sql.note_refused, { pool, id, version, token, refused }) !== undefined;
}

/** The same of an owner: what it has said beside its own verdict. Null for nothing. */
export function findSecondDone(session: Session, record: StoredRecord): FormerOwner | null {
  const { pool, id, version, token } = record;
  if (token === null || record.state !== 'done') return null;
  const row = session.get(sql.second_done, { pool, id, version, token });
  return row === undefined ? null : toFormer(row);
}
