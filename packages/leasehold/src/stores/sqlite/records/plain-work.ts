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

/** An answer for each begin that is one of these, in its place. */
export function beginPlainly(
  session: Session,
  { pool, rules }: Pool,
  items: readonly BeginItem[],
  findClaim: FindClaim,
  now: number,
): readonly (BeginAnswer | undefined)[] {
  const leaseUntilOf = ({ token }: BeginItem): number | null => findClaim(token)?.leaseUntil ?? null;
  const places = placesOf(items, (item) => leavesRoom(leaseUntilOf(item) ?? now, rules.callTimeoutMs, now));
  const nos: number[] = [];
  const answers = answerEach(
    session,
    sql.plain_to_begin,
    { pool, now },
    { items, places },
    (item, row): BeginAnswer => {
      const { id } = item;
      nos.push(integerIn(row[2], 'no'));
      const version = textIn(row[3], 'version');
      const attempt = oneMore(integerIn(row[4], 'attempt'));
      const sendBefore = row[5] === null ? Infinity : integerIn(row[5], 'send_before');
      return {
        outcome: 'accepted',
        pool,
        id,
        version,
        attempt,
        begunAt: new Date(now),
        // Whichever ends first: the lease, or the time by which it must be sent.
        remainingMs: Math.min(leaseUntilOf(item) ?? now, sendBefore) - now,
        reason: null,
        message: begunMessage(recordName(pool, { id, version }), attempt),
      };
    },
  );
  if (nos.length > 0) session.run(sql.begin_plain, { nos: JSON.stringify(nos), now });
  return answers;
}

/** An answer for each `done` that is one of these, in its place. */
export function finishPlainly(
  session: Session,
  pool: string,
  items: readonly VerdictItem[],
  now: number,
): readonly (VerdictAnswer | undefined)[] {
  const places = placesOf(items, ({ verdict }) => verdict === 'done');
  const refs: string[] = [];
  const answers = answerEach(session, sql.plain_to_finish, { pool }, { items, places }, (item, row): VerdictAnswer => {
    const { id, providerRef } = item;
    refs.push(`"${integerIn(row[2], 'no')}":${JSON.stringify(providerRef)}`);
    const version = textIn(row[3], 'version');
    const stands = { state: 'done', providerRef, notBefore: null, why: null } as const;
    const message = verdictAcceptedMessage(recordName(pool, { id, version }), stands);
    return { outcome: 'accepted', pool, id, version, state: 'done', notBefore: null, reason: null, message };
  });
  if (refs.length > 0) session.run(sql.finish_plain, { refs: `{${refs.join(',')}}`, now });
  return answers;
}

/** Where among them those are whose record no other names, by its id. */
function placesOf<Item extends BeginItem>(items: readonly Item[], isPlain: (item: Item) => boolean): readonly number[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of items) {
    if (seen.has(id)) twice.add(id);
    seen.add(id);
  }
  const places: number[] = [];
  for (const [place, item] of items.entries()) if (!twice.has(item.id) && isPlain(item)) places.push(place);
  return places;
}

/** Asks for the items in these places. Each whose record carries its token gets its answer; of two such versions of an id the first. */
function answerEach<Item extends BeginItem, Answer>(
  session: Session,
  statement: string,
  parameters: { readonly pool: string; readonly now?: number },
  { items, places }: { readonly items: readonly Item[]; readonly places: readonly number[] },
  answerOf: (item: Item, row: SqlValues) => Answer,
): readonly (Answer | undefined)[] {
  const answers: (Answer | undefined)[] = items.map(() => undefined);
  if (places.length === 0) return answers;
  const ids = JSON.stringify(places.map((place) => items[place]?.id));
  for (const row of session.allValues(statement, { ...parameters, ids })) {
    const place = places[integerIn(row[0], 'key')] ?? items.length;
    const item = items[place];
    if (item === undefined || answers[place] !== undefined || row[1] !== item.token) continue;
    answers[place] = answerOf(item, row);
  }
  return answers;
}
