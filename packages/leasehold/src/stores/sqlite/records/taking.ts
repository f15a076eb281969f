import type { OwnedRecord, RecordKey } from '../../../domain/records/record.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { integerIn, readInteger, readIntegerOrNull, readText, textIn } from '../columns.ts';
import type { SqlValues } from '../driver.ts';
import type { Session } from '../session.ts';

const sql = loadSqlBlocks(new URL('../sql/record-taking.sql', import.meta.url), [
  'remember_owners',
  'take_records',
  'flag_records',
  'taken_records',
  'records_to_work',
  'any_claimed',
  'earliest_send_before',
  'all_claimed',
]);

/** Whose the records become: a claim's, begun at once unless its claimer says of each when it begins. */
export interface Taker {
  readonly token: string;
  readonly explicitBegin: boolean;
}

/** What a claim has, in the order in which it got it. */
export interface Holding {
  readonly no: number;
  readonly idleRequeues: number;
  readonly isBegun: boolean;
}

export function takeRecords(
  session: Session,
  { token, explicitBegin }: Taker,
  nos: readonly number[],
  now: number,
): void {
  if (nos.length === 0) return;
  session.run(sql.remember_owners, { nos: JSON.stringify(nos), now });
  session.run(sql.take_records, { token, begins: explicitBegin ? 0 : 1, nos: JSON.stringify(nos), now });
}

/** Claims records that must not be sent before their provider was asked; nobody gets them. */
export function flagRecords(session: Session, token: string, nos: readonly number[], now: number): void {
  if (nos.length === 0) return;
  session.run(sql.remember_owners, { nos: JSON.stringify(nos), now });
  session.run(sql.flag_records, { token, nos: JSON.stringify(nos), now });
}

/** What a claim still has to work: without what is flagged. */
export function holdingsOf(session: Session, pool: string, token: string): Holding[] {
  return session.all(sql.records_to_work, { pool, token }).map((row) => ({
    no: readInteger(row, 'no'),
    idleRequeues: readInteger(row, 'idle_requeues'),
    isBegun: readInteger(row, 'is_begun') !== 0,
  }));
}

/** True while a record of the claim waits for its verdict. */
export function hasClaimedRecords(session: Session, pool: string, token: string): boolean {
  return session.get(sql.any_claimed, { pool, token }) !== undefined;
}

/** The earliest instant after which the provider of one of its records may no longer know it again; null for none. */
export function earliestSendBefore(session: Session, pool: string, token: string): number | null {
  const row = session.get(sql.earliest_send_before, { pool, token });
  return row === undefined ? null : readIntegerOrNull(row, 'send_before');
}

/** A record that waits for its verdict, and whether it may still be given back. */
export interface ClaimedKey extends RecordKey {
  readonly no: number;
  readonly isBegun: boolean;
  readonly isFlagged: boolean;
}

/** All that a claim still has, flagged ones too, in the order of arrival. */
export function claimedKeys(session: Session, pool: string, token: string): ClaimedKey[] {
  return session.all(sql.all_claimed, { pool, token }).map((row) => ({
    no: readInteger(row, 'no'),
    id: readText(row, 'id'),
    version: readText(row, 'version'),
    isBegun: readInteger(row, 'is_begun') !== 0,
    isFlagged: readIntegerOrNull(row, 'unknown_at') !== null,
  }));
}

/** These records as their claimer gets them, in this order. */
export function ownedRecords(session: Session, nos: readonly number[]): OwnedRecord[] {
  return nos.length === 0 ? [] : session.allValues(sql.taken_records, { nos: JSON.stringify(nos) }).map(toOwned);
}

function toOwned([id, version, effectKey, attempt, isBegun, payload]: SqlValues): OwnedRecord {
  return {
    id: textIn(id, 'id'),
    version: textIn(version, 'version'),
    effectKey: textIn(effectKey, 'effect_key'),
    attempt: integerIn(attempt, 'attempt') + (isBegun === 0 ? 1 : 0),
    payload: payload === null ? null : textIn(payload, 'payload'),
  };
}
