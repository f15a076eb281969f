import type { ClaimAnswer } from '../../../../src/domain/records/record.ts';
import type { ClaimCommand, RecordCommand } from '../commands.ts';
import { claimRecords, type ModelAsk } from '../model/claim-model.ts';
import { nameOf } from '../model/model-rows.ts';
import { type Both, dateOf, type Table } from './both.ts';

export async function callEnqueue(
  table: Table,
  { keys, inMs }: Extract<RecordCommand, { do: 'enqueue' }>,
): Promise<Both> {
  const { subject, pool, model } = table;
  const at = inMs === null ? null : model.now + inMs;
  const notBefore = dateOf(table, at);
  const records = keys.map((key) => ({ ...key, payload: null, notBefore }));
  const { pool: _, ...actual } = await subject.store.enqueue({ pool, records, namespace: '' });
  return { call: 'enqueue', actual, expected: model.enqueue(keys, at) };
}

export async function callClaim(table: Table, command: ClaimCommand): Promise<Both> {
  const ask = askOf(table, command);
  const answer = await make(table, ask);
  const grant = claimRecords(table.model, ask);
  if (grant.claim !== null && answer.token !== null) grant.claim.token ??= answer.token;
  const owned = answer.owned.map((record) => `${nameOf(record)} ${record.attempt}`);
  const isAskedAgain = grant.refused === null;
  // A claim that goes on may answer all that it has, or what it got now.
  const answersAll = owned.length === grant.owned.length;
  const expectedOwned = answersAll ? grant.owned : grant.taken;
  const isOrdered = !isAskedAgain && !ask.isContinued && grant.isRepeat !== true;
  const hasLease = grant.owned.length > 0 && answer.leaseUntil !== null;
  const until = answer.leaseUntil === null ? null : answer.leaseUntil.getTime() - table.subject.startMs;
  return {
    call: [
      `${ask.offers === null ? 'next' : 'claim'} ${answer.outcome}`,
      ...answer.refused.map(({ why }) => `refused ${why}`),
    ].join(', '),
    ...(answer.token === null
      ? {}
      : { given: { token: answer.token, holder: ask.holder, names: answer.owned.map(nameOf) } }),
    actual: {
      outcome: answer.outcome,
      owned: isOrdered ? owned : owned.toSorted(),
      refused: isAskedAgain ? null : answer.refused.map((record) => `${nameOf(record)} ${record.why}`),
      settled: answer.settled,
      until: hasLease ? until : null,
      remainingMs: hasLease ? answer.remainingMs : null,
    },
    expected: {
      outcome: grant.outcome,
      owned: isOrdered ? [...expectedOwned] : expectedOwned.toSorted(),
      refused: grant.refused,
      settled: grant.settled,
      until: hasLease ? grant.claim?.until : null,
      remainingMs: hasLease ? Number(grant.claim?.until) - table.model.now : null,
    },
  };
}

/** A new claim, or one before asked again, continued where that makes sense. */
function askOf({ asks }: Table, command: ClaimCommand): ModelAsk {
  const { keys, limit, leaseMs, isExplicit, repeats, isContinued, isOther } = command;
  const before = repeats === null ? undefined : asks.at(-1 - (repeats % Math.max(1, asks.length)));
  if (before !== undefined) {
    const process = before.process + (isOther ? 1 : 0);
    if (!isContinued || before.offers === null || keys === null) return { ...before, process };
    return { ...before, process, offers: keys, isContinued: true };
  }
  const nth = asks.length + 1;
  const named = { claimId: `claim-${nth}`, holder: `host-${nth}` };
  const ask = { ...named, process: 1, leaseMs, limit, isExplicit, offers: keys, isContinued: false };
  asks.push(ask);
  return ask;
}

async function make({ subject, pool }: Table, ask: ModelAsk): Promise<ClaimAnswer> {
  const { offers, isExplicit, isContinued, claimId, holder, process, leaseMs, limit } = ask;
  const whose = { pool, claimId, holder, holderInfo: { pid: process }, lockToken: null };
  const request = { ...whose, leaseMs, limit, explicitBegin: isExplicit };
  if (offers === null) return await subject.store.claimNext(request);
  const offered = offers.map((key) => ({ ...key, payload: null, notBefore: null }));
  return await subject.store.claim({ ...request, offers: offered, namespace: '', isContinued });
}
