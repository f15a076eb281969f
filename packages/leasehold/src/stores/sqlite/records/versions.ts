import { decideArrival, mustWaitFor } from '../../../domain/records/decide-claim.ts';
import type { RecordKey, RecordState } from '../../../domain/records/record.ts';
import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import { cancelled, queued } from '../../../domain/records/transitions.ts';
import type { NewRecord } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger, readText } from '../columns.ts';
import type { SqlRow } from '../driver.ts';
import type { Session } from '../session.ts';
import { findClaim } from './claims.ts';
import { insertRecord, leaveToken, markHasNewer, readRecord, writeRecord } from './records.ts';

const sql = loadSqlBlocks(new URL('../sql/record-versions.sql', import.meta.url), [
  'open_named_versions',
  'open_empty_version',
  'version_of_claim',
  'next_waiting',
  'stranded',
  'stop_waiting',
  'begin_waiting',
]);

/**
 * Versions of one id come in the order of their arrival. A newer one ends an older one that nobody has begun, and waits for
 * one that somebody has; it is free once nothing older is under way.
 */

interface OpenVersion {
  readonly no: number;
  readonly version: string;
  readonly state: RecordState;
  readonly attempt: number;
  readonly waits: boolean;
}

/** The other versions of its id that are queued, claimed or in review. */
export function otherOpenVersions(session: Session, pool: string, { id, version }: RecordKey): OpenVersion[] {
  const named = session.all(sql.open_named_versions, { pool, id, version });
  const empty = version === '' ? [] : session.all(sql.open_empty_version, { pool, id, version });
  return [...empty, ...named].map(toOpenVersion);
}

/** True while another version of its id is claimed: never two of one thing at once. */
export function isIdWorked(session: Session, pool: string, key: RecordKey): boolean {
  return otherOpenVersions(session, pool, key).some(({ state }) => state === 'claimed');
}

/** True where this claim has, or had, another version of its id: a verdict names no version, so one of an id is all it gets. */
export function hasOtherVersion(session: Session, pool: string, { id, version }: RecordKey, token: string): boolean {
  return session.get(sql.version_of_claim, { pool, id, version, token }) !== undefined;
}

/** Makes a version known that was not. `superseded`: how many older ones that ended. */
export function arrive(
  session: Session,
  pool: string,
  record: NewRecord,
  { namespace, now }: { readonly namespace: string; readonly now: number },
): { readonly no: number; readonly waits: boolean; readonly superseded: number } {
  let superseded = 0;
  let waits = false;
  for (const older of otherOpenVersions(session, pool, record)) {
    const effect = decideArrival(older);
    if (effect === 'cancels') {
      writeRecord(session, cancelled(readRecord(session, older.no), now));
      superseded += 1;
    } else if (effect === 'waits') {
      markHasNewer(session, older.no);
      waits = true;
    }
  }
  return { no: insertRecord(session, pool, record, { namespace, waits, now }), waits, superseded };
}

/** Ends an older version that was never begun, and lets the next one in. */
export function cancel(session: Session, record: StoredRecord, now: number): void {
  leaveToken(session, record, record.token === null ? null : findClaim(session, record.token), record.verdict, now);
  writeRecord(session, cancelled(record, now));
  letNextIn(session, record);
}

/** Puts a record that a person has decided about back in the queue, at its place in the order of versions. */
export function requeueInOrder(session: Session, record: StoredRecord, now: number): StoredRecord {
  const others = otherOpenVersions(session, record.pool, record);
  const before = others.filter((other) => mustWaitFor(other, other.no < record.no));
  const waits = before.length > 0;
  if (waits) for (const { no } of others) markHasNewer(session, no);
  else for (const { no } of others) session.run(sql.begin_waiting, { no });
  const hasNewer = record.hasNewer || (!waits && others.length > 0);
  const back = queued({ ...record, waits, hasNewer, error: null }, { notBefore: null, sendBefore: null }, now);
  writeRecord(session, back);
  if (waits) freeNext(session, back);
  return back;
}

/** True where nothing was ever done for a record, and a newer version of its id is known. */
export function isSuperseded(session: Session, record: StoredRecord): boolean {
  if (!record.hasNewer || record.attempt > 0) return false;
  return otherOpenVersions(session, record.pool, record).some(({ no }) => no > record.no);
}

/** Lets the next version of its id be had, once this one is settled and nothing else of the id is under way. */
export function letNextIn(session: Session, record: StoredRecord): void {
  if (record.hasNewer) freeNext(session, record);
}

/** Lets those in that wait for nothing: the older version was settled or deleted by hand. */
export function freeStranded(session: Session, pool: string, limit: number): void {
  for (const row of session.all(sql.stranded, { pool, limit }))
    session.run(sql.stop_waiting, { no: readInteger(row, 'no') });
}

/** The same of one id, before a version of it that waits is judged. True where that one may go now. */
export function isStranded(session: Session, pool: string, key: RecordKey, no: number): boolean {
  if (otherOpenVersions(session, pool, key).some((other) => !other.waits || other.no < no)) return false;
  session.run(sql.stop_waiting, { no });
  return true;
}

function freeNext(session: Session, record: StoredRecord): void {
  const { pool, id } = record;
  const open = otherOpenVersions(session, pool, record);
  if (open.some(({ waits }) => !waits)) return;
  const next = session.get(sql.next_waiting, { pool, id });
  if (next !== undefined) session.run(sql.stop_waiting, { no: readInteger(next, 'no') });
}

function toOpenVersion(row: SqlRow): OpenVersion {
  return {
    no: readInteger(row, 'no'),
    version: readText(row, 'version'),
    state: readText(row, 'state') as RecordState,
    attempt: readInteger(row, 'attempt'),
    waits: readInteger(row, 'waits') !== 0,
  };
}
