import { leavesRoom } from '../../../domain/records/decide-begin.ts';
import { begunMessage, recordName, verdictAcceptedMessage } from '../../../domain/records/messages.ts';
import type { BeginAnswer, VerdictAnswer } from '../../../domain/records/record.ts';
import { oneMore } from '../../../domain/records/stored-record.ts';
import type { BeginItem, VerdictItem } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger, readIntegerOrNull, readText, readTextOrNull } from '../columns.ts';
import type { SqlRow } from '../driver.ts';
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
  for (const [item, row] of rowsOf(session, sql.plain_to_begin, { pool, now }, plain)) {
    nos.push(readInteger(row, 'no'));
    const version = readText(row, 'version');
    const attempt = oneMore(readInteger(row, 'attempt'));
    // Whichever ends first: the lease, or the time by which it must be sent.
    const until = Math.min(leaseUntilOf(item) ?? now, readIntegerOrNull(row, 'send_before') ?? Infinity);
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
  const refs: Record<number, string | null> = {};
  for (const [item, row] of rowsOf(session, sql.plain_to_finish, { pool }, plain)) {
    const { id, providerRef } = item;
    refs[readInteger(row, 'no')] = providerRef;
    const version = readText(row, 'version');
    const stands = { state: 'done', providerRef, notBefore: null, why: null } as const;
    const message = verdictAcceptedMessage(recordName(pool, { id, version }), stands);
    answers.set(item, { outcome: 'accepted', pool, id, version, state: 'done', notBefore: null, reason: null, message });
  }
  if (answers.size > 0) session.run(sql.finish_plain, { refs: JSON.stringify(refs), now });
  return answers;
}

/** Of these the ones whose record no other names, by its id. */
function namedOnce<Item extends BeginItem>(
  items: readonly Item[],
  isPlain: (item: Item) => boolean,
): ReadonlyMap<string, Item> {
  const once = new Map<string, Item>();
  const twice = new Set<string>();
  for (const item of items) {
    if (once.has(item.id)) twice.add(item.id);
    else once.set(item.id, item);
  }
  for (const [id, item] of once) if (twice.has(id) || !isPlain(item)) once.delete(id);
  return once;
}

/** The record of each item that carries its token; of one id with two such versions the first. */
function* rowsOf<Item extends BeginItem>(
  session: Session,
  statement: string,
  parameters: { readonly pool: string; readonly now?: number },
  items: ReadonlyMap<string, Item>,
): Iterable<[item: Item, row: SqlRow]> {
  if (items.size === 0) return;
  const found = new Set<Item>();
  for (const row of session.all(statement, { ...parameters, ids: JSON.stringify([...items.keys()]) })) {
    const item = items.get(readText(row, 'id'));
    if (item === undefined || found.has(item) || readTextOrNull(row, 'token') !== item.token) continue;
    found.add(item);
    yield [item, row];
  }
}
