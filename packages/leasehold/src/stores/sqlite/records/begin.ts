import { decideBegin } from '../../../domain/records/decide-begin.ts';
import { begunMessage, beginRefusedMessage, recordName } from '../../../domain/records/messages.ts';
import type { BeginAnswer, BeginRefusal } from '../../../domain/records/record.ts';
import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import { flagged } from '../../../domain/records/transitions.ts';
import type { BeginItem } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger } from '../columns.ts';
import type { Session } from '../session.ts';
import { tellRecord } from './record-events.ts';
import { findNamed, writeRecord } from './records.ts';
import type { Pool, StoredClaim } from './rows.ts';

const sql = loadSqlBlocks(new URL('../sql/record-work.sql', import.meta.url), ['begin_record']);

/** Finds a claim by its token; a call that says much of one claim finds it once. */
export type FindClaim = (token: string) => StoredClaim | null;

export function beginRecord(
  session: Session,
  pool: Pool,
  { id, token }: BeginItem,
  findClaim: FindClaim,
  now: number,
): BeginAnswer {
  const claim = findClaim(token);
  const { record, speaker } = findNamed(session, pool.pool, id, token);
  const isOwner = speaker === 'owner';
  const { callTimeoutMs } = pool.rules;
  const leaseUntil = claim?.leaseUntil ?? null;
  const remainingMs = !isOwner || leaseUntil === null ? null : Math.max(0, leaseUntil - now);
  const decision = decideBegin({ record, isOwner, leaseUntil, callTimeoutMs }, now);
  if (record === null || decision.kind === 'refuse') {
    const reason = decision.kind === 'refuse' ? decision.reason : 'unknown_record';
    if (record !== null && decision.kind === 'refuse' && decision.flags) writeRecord(session, flagged(record, now));
    const message = tellRefused(session, pool, { id, record, claim, reason, remainingMs: remainingMs ?? 0 }, now);
    return { ...answerOf(pool, id, record), outcome: 'refused', remainingMs, reason, message };
  }
  const began = decision.kind === 'begin' ? session.get(sql.begin_record, { no: record.no, now }) : undefined;
  const attempt = began === undefined ? record.attempt : readInteger(began, 'attempt');
  const begunAt = began === undefined ? record.begunAt : now;
  return {
    ...answerOf(pool, id, { ...record, attempt, begunAt }),
    outcome: 'accepted',
    remainingMs: Math.min(remainingMs ?? 0, (record.sendBefore ?? Infinity) - now),
    reason: null,
    message: begunMessage(recordName(pool.pool, record), attempt),
  };
}

function answerOf(
  { pool }: Pool,
  id: string,
  record: StoredRecord | null,
): Pick<BeginAnswer, 'pool' | 'id' | 'version' | 'attempt' | 'begunAt'> {
  const begunAt = record?.begunAt ?? null;
  return {
    pool,
    id,
    version: record?.version ?? null,
    attempt: record?.attempt ?? null,
    begunAt: begunAt === null ? null : new Date(begunAt),
  };
}

function tellRefused(
  session: Session,
  { pool, rules }: Pool,
  refused: {
    readonly id: string;
    readonly record: StoredRecord | null;
    readonly claim: StoredClaim | null;
    readonly reason: BeginRefusal;
    readonly remainingMs: number;
  },
  now: number,
): string {
  const { id, record, claim, remainingMs } = refused;
  const reason = refused.reason === 'invalid' ? 'unknown_record' : refused.reason;
  const version = record?.version ?? null;
  const message = beginRefusedMessage(recordName(pool, { id, version }), reason, { ...rules, remainingMs });
  const severity = reason === 'not_owner' || reason === 'unknown_record' ? 'warning' : 'info';
  const data = { verdict: 'begin', reason, version };
  const holder = claim?.holder ?? null;
  tellRecord(session, { kind: 'verdict.refused', severity, pool, id, holder, message, data }, now);
  return message;
}
