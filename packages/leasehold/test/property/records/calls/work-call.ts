import type { BeginAnswer, VerdictAnswer } from '../../../../src/domain/records/record.ts';
import type { BeginItem, VerdictItem } from '../../../../src/ports/record-store.ts';
import type { RecordCommand, SaidItem } from '../commands.ts';
import { extend, giveBack } from '../model/give-back-model.ts';
import { type ModelClaim, nameOf, type Word } from '../model/model-rows.ts';
import { begin, verdict } from '../model/verdict-model.ts';
import { type Both, claimOf, partOfAnswer, type SaidAnswer, type Table, tokenOf } from './both.ts';

export async function callWork(
  table: Table,
  { verdicts, begins }: Extract<RecordCommand, { do: 'work' }>,
): Promise<Both> {
  const { subject, pool, model } = table;
  const request = {
    pool,
    verdicts: verdicts.map((item) => verdictItem(table, item)),
    begins: begins.map(({ id, claim, isByToken }) => ({ id, token: tokenOf(claimOf(table, claim)), isByToken })),
  };
  const answer = await subject.store.work(request);
  for (const { claim, isByToken } of [...verdicts, ...begins]) share(claimOf(table, claim), isByToken);
  const spoken = verdicts.map((item) => verdict(model, claimOf(table, item.claim), item.id, saidBy(item)));
  const expected = [...spoken, ...begins.map(({ claim, id }) => begin(model, claimOf(table, claim), id))];
  const all: readonly object[] = [...answer.verdicts, ...answer.begins];
  const kinds = [
    ...answer.verdicts.map(({ reason, outcome }) => `verdict ${reason ?? outcome}`),
    ...answer.begins.map(({ reason, outcome }) => `begin ${reason ?? outcome}`),
  ];
  return {
    call: kinds.join(', '),
    actual: all.map((each, index) => partOfAnswer(table, each, expected[index] ?? {})),
    expected,
    said: [
      ...answer.verdicts.map((each, index) => saidOf('verdict', request.verdicts[index], each)),
      ...answer.begins.map((each, index) => saidOf('begin', request.begins[index], each)),
    ],
  };
}

function saidOf(
  what: 'begin' | 'verdict',
  item: BeginItem | undefined,
  { id, version, outcome }: BeginAnswer | VerdictAnswer,
): SaidAnswer {
  return { what, token: item?.token ?? '', id, version, outcome };
}

function saidBy({ word, ref, error }: SaidItem): { word: Word; ref: string | null; error: string | null } {
  return word === 'done' ? { word, ref, error: null } : { word, ref: null, error };
}

/** Whoever speaks for one record by its claim's token may be sending another. */
function share(claim: ModelClaim | null, isByToken: boolean): void {
  if (claim !== null && isByToken) claim.isShared = true;
}

function verdictItem(table: Table, item: SaidItem): VerdictItem {
  const { claim, id, word, isByToken } = item;
  const { ref, error } = saidBy(item);
  return {
    id,
    token: tokenOf(claimOf(table, claim)),
    verdict: word === 'failed_permanent' ? 'failed' : word,
    providerRef: ref,
    error,
    isPermanent: word === 'failed_permanent',
    isByToken,
  };
}

export async function callExtend(
  table: Table,
  { claim: index, leaseMs, isByToken }: Extract<RecordCommand, { do: 'extend' }>,
): Promise<Both> {
  const claim = claimOf(table, index);
  share(claim, isByToken);
  const request = { pool: table.pool, token: tokenOf(claim), leaseMs, isByToken };
  const answer = await table.subject.store.extendClaim(request);
  const expected = extend(table.model, claim, leaseMs);
  return {
    call: `extend ${answer.reason ?? answer.outcome}`,
    actual: partOfAnswer(table, answer, expected),
    expected,
  };
}

export async function callReturn(
  table: Table,
  { claim: index, ids, isByToken }: Extract<RecordCommand, { do: 'return' }>,
): Promise<Both> {
  const claim = claimOf(table, index);
  const { outcome, returned } = await table.subject.store.returnUnworked({
    pool: table.pool,
    token: tokenOf(claim),
    ids,
    isByToken,
  });
  share(claim, isByToken);
  return {
    call: `return ${outcome}`,
    actual: { outcome, returned: returned.map(nameOf).toSorted() },
    expected: giveBack(table.model, claim, ids),
  };
}
