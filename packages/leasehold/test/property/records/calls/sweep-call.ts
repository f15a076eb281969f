import type { LookupDecision } from '../../../../src/domain/records/lookup.ts';
import type { RecordCommand } from '../commands.ts';
import { nameOf } from '../model/model-rows.ts';
import { applyLookup, decide, noteHolderEnded, takeToAsk } from '../model/sweep-model.ts';
import { type Both, claimOf, dateOf, NOTHING_TO_DO, partOfAnswer, type Table } from './both.ts';

const VERIFIER = '{"kind":"function"}';
const ALL = 1_000;

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);

export async function callSettle({ subject, pool, model }: Table): Promise<Both> {
  const answer = await subject.store.settleExpired({ pool, limit: ALL });
  const { requeued, review, cancelled, isComplete } = answer;
  return {
    call: 'settle',
    actual: { requeued, review, cancelled, isComplete },
    expected: { ...model.settle(), isComplete: true },
  };
}

/** As a sweep does: first what needs no provider. */
export async function callAsk(table: Table, everyMs: number): Promise<Both> {
  const { subject, pool, model, looked } = table;
  const settled = await callSettle(table);
  const seen = await subject.store.takeToAsk({ pool, limit: ALL, everyMs });
  const asked = takeToAsk(model, everyMs);
  for (const each of asked) {
    const match = seen.find((record) => nameOf(record) === nameOf(each.record));
    if (match !== undefined) looked.push({ seen: match, asked: each });
  }
  const at = (instant: Date | null): number | null => (instant === null ? null : instant.getTime() - subject.startMs);
  const actual = seen.map((record) => ({
    name: nameOf(record),
    claimId: record.claimId,
    process: record.holderInfo?.['pid'] ?? null,
    ref: record.providerRef,
    attempt: record.attempt,
    until: at(record.leaseUntil),
    unknownAt: at(record.unknownAt),
    endedAt: at(record.holderEndedAt),
    sendBefore: at(record.sendBefore),
  }));
  const expected = asked.map(({ record, claim, attempt, until, unknownAt, endedAt, sendBefore }) => ({
    name: nameOf(record),
    claimId: claim.claimId,
    process: claim.isShared ? null : claim.process,
    ref: record.evidenceRef,
    attempt,
    until,
    unknownAt,
    endedAt,
    sendBefore,
  }));
  return {
    call: seen.length > 0 ? 'ask' : 'ask nothing',
    actual: [settled.actual, actual.toSorted(byName)],
    expected: [settled.expected, expected.toSorted(byName)],
  };
}

export async function callLookup(table: Table, command: Extract<RecordCommand, { do: 'lookup' }>): Promise<Both> {
  const { subject, model, looked } = table;
  const { kind, ref, inMs } = command;
  const pair = looked.at(-1 - (command.asked % Math.max(1, looked.length)));
  if (pair === undefined) return NOTHING_TO_DO;
  const sendBefore = inMs === null ? null : model.now + inMs;
  const decisions: Readonly<Record<typeof kind, LookupDecision>> = {
    done: { kind: 'done', providerRef: ref },
    requeue: { kind: 'requeue', reason: 'the provider said so', sendBefore: dateOf(table, sendBefore) },
    review: { kind: 'review', reason: 'the provider said so' },
    wait: { kind: 'wait', reason: 'the provider said so' },
  };
  const answer = await subject.store.applyLookup({ seen: pair.seen, decision: decisions[kind] });
  const expected = applyLookup(model, pair.asked, kind, { ref, sendBefore });
  return { call: `lookup ${answer.outcome}`, actual: partOfAnswer(table, answer, expected), expected };
}

export async function callEnded(table: Table, index: number): Promise<Both> {
  const { subject, pool, model } = table;
  const claim = claimOf(table, index);
  if (claim === null) return NOTHING_TO_DO;
  const { claimId, holder } = claim;
  const at = await subject.store.noteHolderEnded({ pool, claimId, holder });
  const actual = at === null ? null : at.getTime() - subject.startMs;
  return { call: 'ended', actual, expected: noteHolderEnded(model, claim) };
}

export async function callDecide(table: Table, command: Extract<RecordCommand, { do: 'decide' }>): Promise<Both> {
  const { subject, pool, model } = table;
  const { id, version, action, ref } = command;
  const isNeverBegun = model.ofId(id).some(({ state, begunAt }) => state === 'review' && begunAt === null);
  // Nobody can be asked for what was never begun.
  if (action === 'ask' && isNeverBegun) return NOTHING_TO_DO;
  const request = { pool, id, version, action, providerRef: action === 'done' ? ref : null, reason: 'looked at it' };
  const answer = await subject.store.review(request);
  const expected = decide(model, id, version, action, request.providerRef);
  return { call: `decide ${answer.why ?? action}`, actual: partOfAnswer(table, answer, expected), expected };
}

export async function callChange(
  { subject, pool, model }: Table,
  command: Extract<RecordCommand, { do: 'set' | 'pause' }>,
): Promise<Both> {
  const change = { pool, reason: null };
  if (command.do === 'pause') {
    const { paused } = await subject.store.changePool({ ...change, settings: {}, paused: command.paused });
    model.paused = command.paused;
    return { call: 'pause', actual: paused, expected: command.paused };
  }
  const { redo, windowMs, attempts, callTimeoutMs, hasVerifier } = command;
  const verifier = hasVerifier ? VERIFIER : null;
  await subject.store.changePool({
    ...change,
    settings: { redo, redoWindowMs: windowMs, attempts, callTimeoutMs, verifier },
  });
  Object.assign(model.settings, { redo, redoWindowMs: windowMs, attempts, callTimeoutMs, hasVerifier });
  return { call: 'set', actual: null, expected: null };
}
