import { goesAlone, IDLE_REQUEUES_ALONE, lastSendAt, mustAskFirst } from '../../../domain/records/decide-claim.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger, readIntegerOrNull, readText } from '../columns.ts';
import type { SqlRow } from '../driver.ts';
import type { Session } from '../session.ts';
import type { Pool } from './rows.ts';
import { flagRecords, type Taker, takeRecords } from './taking.ts';

const sql = loadSqlBlocks(new URL('../sql/record-queue.sql', import.meta.url), ['next_due', 'next_in_queue']);

/** Rounds in which a claim looks past what it can't give; each looks at as many as it still wants. */
const ROUNDS_MAX = 10;
/** Above every count of requeues: looks at those that go alone too. */
const NONE_LEFT_OUT = Number.MAX_SAFE_INTEGER;

interface Candidate {
  readonly no: number;
  readonly id: string;
  readonly idleRequeues: number;
  readonly sendBefore: number | null;
}

/** The numbers of the records that a claim got. */
export interface TakenNext {
  readonly taken: readonly number[];
  readonly flagged: number;
}

/**
 * Takes the next records of the queue: what is due first, then in the order of arrival. Where the first one goes alone the
 * claim gets just that; else such ones stay for a claim that meets them first.
 */
export function takeNext(
  session: Session,
  { pool, rules }: Pool,
  taker: Taker & { readonly leaseUntil: number },
  limit: number,
  now: number,
): TakenNext {
  const search = { pool, now, until: lastSendAt(taker, rules.callTimeoutMs) ?? now };
  const taken: number[] = [];
  const ids = new Set<string>();
  let flagged = 0;
  let isAlone = false;
  for (let round = 0; round < ROUNDS_MAX && taken.length < limit && !isAlone; round += 1) {
    const first = taken.length === 0 ? candidates(session, search, NONE_LEFT_OUT, 1)[0] : undefined;
    isAlone = first !== undefined && goesAlone(first) && !mustAskFirst(first, now);
    const looked =
      first !== undefined && goesAlone(first)
        ? [first]
        : candidates(session, search, IDLE_REQUEUES_ALONE, limit - taken.length);
    if (looked.length === 0) break;
    const fresh = looked.filter(({ id }) => !ids.has(id) && ids.add(id));
    const toAsk = fresh.filter((candidate) => mustAskFirst(candidate, now)).map(({ no }) => no);
    const given = fresh.filter((candidate) => !mustAskFirst(candidate, now)).map(({ no }) => no);
    takeRecords(session, taker, given, now);
    flagRecords(session, taker.token, toAsk, now);
    taken.push(...given);
    flagged += toAsk.length;
  }
  return { taken, flagged };
}

/** Without those that this claim, which may send as long as `until`, is too long for. */
function candidates(
  session: Session,
  search: { readonly pool: string; readonly now: number; readonly until: number },
  alone: number,
  limit: number,
): Candidate[] {
  const due = session.all(sql.next_due, { ...search, alone, limit });
  const rest = limit - due.length;
  const queued = rest <= 0 ? [] : session.all(sql.next_in_queue, { ...search, alone, limit: rest });
  return [...due, ...queued].map(toCandidate);
}

function toCandidate(row: SqlRow): Candidate {
  return {
    no: readInteger(row, 'no'),
    id: readText(row, 'id'),
    idleRequeues: readInteger(row, 'idle_requeues'),
    sendBefore: readIntegerOrNull(row, 'send_before'),
  };
}
