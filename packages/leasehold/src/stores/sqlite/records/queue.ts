import { goesAlone, IDLE_REQUEUES_ALONE, lastSendAt, mustAskFirst } from '../../../domain/records/decide-claim.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { integerIn, textIn } from '../columns.ts';
import type { SqlValues } from '../driver.ts';
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
 * Takes the next records of the queue: what is due first, then in the order of arrival. Where the first one that it may be
 * given goes alone the claim gets just that; else such ones stay for a claim that meets them first. What must be asked for
 * first is given to nobody, so it is nobody's neighbour.
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
  let flagged = 0;
  let isAlone = false;
  for (let round = 0; round < ROUNDS_MAX && taken.length < limit && !isAlone; round += 1) {
    const leftOut = taken.length === 0 ? NONE_LEFT_OUT : IDLE_REQUEUES_ALONE;
    const looked = candidates(session, search, leftOut, limit - taken.length);
    if (looked.length === 0) break;
    const chosen = choose(looked, taken.length > 0, now);
    takeRecords(session, taker, chosen.given, now);
    flagRecords(session, taker.token, chosen.toAsk, now);
    taken.push(...chosen.given);
    flagged += chosen.toAsk.length;
    isAlone = chosen.isAlone;
  }
  return { taken, flagged };
}

interface Chosen {
  readonly given: readonly number[];
  readonly toAsk: readonly number[];
  /** True where it is one that goes alone. */
  readonly isAlone: boolean;
}

/** Of these, in their order, what a claim gets that has `some` already or not. Of two versions of an id the first. */
function choose(looked: readonly Candidate[], some: boolean, now: number): Chosen {
  const given: number[] = [];
  const toAsk: number[] = [];
  const ids = new Set<string>();
  for (const candidate of looked) {
    const hasSome = some || given.length > 0;
    if (ids.has(candidate.id) || (hasSome && goesAlone(candidate))) continue;
    ids.add(candidate.id);
    if (mustAskFirst(candidate, now)) toAsk.push(candidate.no);
    else given.push(candidate.no);
    if (given.length > 0 && goesAlone(candidate)) return { given, toAsk, isAlone: true };
  }
  return { given, toAsk, isAlone: false };
}

/** Without those that this claim, which may send as long as `until`, is too long for. */
function candidates(
  session: Session,
  search: { readonly pool: string; readonly now: number; readonly until: number },
  alone: number,
  limit: number,
): Candidate[] {
  const due = session.allValues(sql.next_due, { ...search, alone, limit });
  const rest = limit - due.length;
  const queued = rest <= 0 ? [] : session.allValues(sql.next_in_queue, { ...search, alone, limit: rest });
  return [...due, ...queued].map(toCandidate);
}

function toCandidate([no, id, idleRequeues, sendBefore]: SqlValues): Candidate {
  return {
    no: integerIn(no, 'no'),
    id: textIn(id, 'id'),
    idleRequeues: integerIn(idleRequeues, 'idle_requeues'),
    sendBefore: sendBefore === null ? null : integerIn(sendBefore, 'send_before'),
  };
}
