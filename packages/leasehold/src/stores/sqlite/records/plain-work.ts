import { leavesRoom } from '../../../domain/records/decide-begin.ts';
import { begunMessage, recordName, verdictAcceptedMessage } from '../../../domain/records/messages.ts';
import type { BeginAnswer, VerdictAnswer } from '../../../domain/records/record.ts';
import { oneMore } from '../../../domain/records/stored-record.ts';
import type { BeginItem, VerdictItem } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { integerIn, textIn } from '../columns.ts';
import type { SqlValues } from '../driver.ts';
import type { Session } from '../session.ts';
import type { FindClaim } from './begin.ts';
import type { Pool } from './rows.ts';

/**
 * Work that goes as it should, all that one call brings at once. An item without an answer here is about a record that is in
 * some way like no other, or that another item of the call names too: each of those is read, and decided by the domain, in
 * their order. No item has to do with a record that another one names, so which come first makes no difference.
 */

const sql = loadSqlBlocks(new URL('../sql/record-plain-work.sql', import.meta.url), [
  'plain_to_begin',
  'begin_plain',
  'plain_to_finish',
  'finish_plain',
]);

export function beginPlainly(
  session: Session,
  { pool, rules }: Pool,
  items: readonly BeginItem[],
  findClaim: FindClaim,
  now: number,
): ReadonlyMap<BeginItem, BeginAnswer> {
  const leaseUntilOf = ({ token }: BeginItem): number | null => findClaim(token)?.leaseUntil ?? null;
  const plain = namedOnce(items, (item) => leavesRoom(leaseUntilOf(item) ?? now, rules.callTimeoutMs, now));
  const answers = new Map<BeginItem, BeginAnswer>();
  const nos: number[] = [];
  for (const [item, [no, versionText, begins, sendBefore]] of found(
    session,
    sql.plain_to_begin,
    { pool, now },
    plain,
  )) {
    nos.push(integerIn(no, 'no'));
    const version = textIn(versionText, 'version');
    const attempt = oneMore(integerIn(begins, 'attempt'));
    // Whichever ends first: the lease, or the time by which it must be sent.
    const until = Math.min(
      leaseUntilOf(item) ?? now,
      sendBefore === null ? Infinity : integerIn(sendBefore, 'send_before'),
    );
    answers.set(item, {
      outcome: 'accepted',
      pool,
      id: item.id,
      version,
      attempt,
      begunAt: new Date(now),
      remainingMs: until - now,
      reason: null,
      message: begunMessage(recordName(pool, { id: item.id, version }), attempt),
    });
  }
  if (nos.length > 0) session.run(sql.begin_plain, { nos: JSON.stringify(nos), now });
  return answers;
}

export function finishPlainly(
  session: Session,
  pool: string,
  items: readonly VerdictItem[],
  now: number,
): ReadonlyMap<VerdictItem, VerdictAnswer> {
  const plain = namedOnce(items, ({ verdict }) => verdict === 'done');
  const answers = new Map<VerdictItem, VerdictAnswer>();
  const refs: string[] = [];
  for (const [item, [no, versionText]] of found(session, sql.plain_to_finish, { pool }, plain)) {
    const { id, providerRef } = item;
    refs.push(`"${integerIn(no, 'no')}":${JSON.stringify(providerRef)}`);
    const version = textIn(versionText, 'version');
    const stands = { state: 'done', providerRef, notBefore: null, why: null } as const;
    const message = verdictAcceptedMessage(recordName(pool, { id, version }), stands);
    answers.set(item, {
      outcome: 'accepted',
      pool,
      id,
      version,
      state: 'done',
      notBefore: null,
      reason: null,
      message,
    });
  }
  if (refs.length > 0) session.run(sql.finish_plain, { refs: `{${refs.join(',')}}`, now });
  return answers;
}

/** Of these the ones whose record no other names, by its id. */
function namedOnce<Item extends BeginItem>(items: readonly Item[], isPlain: (item: Item) => boolean): readonly Item[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of items) {
    if (seen.has(id)) twice.add(id);
    seen.add(id);
  }
  return items.filter((item) => !twice.has(item.id) && isPlain(item));
}

/** Each item whose record carries its token, and what the statement says of it; of two such versions of an id the first. */
function found<Item extends BeginItem>(
  session: Session,
  statement: string,
  parameters: { readonly pool: string; readonly now?: number },
  items: readonly Item[],
): [item: Item, values: SqlValues][] {
  if (items.length === 0) return [];
  const ids = JSON.stringify(items.map(({ id }) => id));
  const answers: [Item, SqlValues][] = [];
  let last: Item | null = null;
  for (const [key, token, ...values] of session.allValues(statement, { ...parameters, ids })) {
    const item = items[integerIn(key, 'key')];
    // They come in the order of the keys.
    if (item === undefined || item === last || token !== item.token) continue;
    last = item;
    answers.push([item, values]);
  }
  return answers;
}
