import assert from 'node:assert/strict';
import type { ClaimAnswer } from '../../../../domain/records/record.ts';
import type {
  ClaimNextRequest,
  ClaimRequest,
  RecordStore,
  WorkAnswer,
  WorkRequest,
} from '../../../../ports/record-store.ts';
import type { Secrets } from '../../stage/secrets.ts';
import {
  checkBeginAnswer,
  checkClaimAnswer,
  checkEnqueueAnswer,
  checkExtendAnswer,
  checkReturnAnswer,
  checkSettleAnswer,
  checkVerdictAnswer,
} from './answer-checks.ts';
import {
  checkApplied,
  checkAsked,
  checkChange,
  checkPool,
  checkRecord,
  checkReview,
  checkTimes,
} from './row-checks.ts';

/** The half of a store that keeps records, with every answer and row held against the contract as it passes. */
export function watchRecords(store: RecordStore, secrets: Secrets): RecordStore {
  /** Checks an answer, and that no token stands in it. */
  const pass = <T>(answer: T, check: (answer: T) => void): T => {
    check(answer);
    secrets.assertAbsent(answer);
    return answer;
  };
  const passAll = <T>(rows: T[], check: (row: T) => void): T[] => pass(rows, (all) => all.forEach(check));
  const passClaim = (request: ClaimNextRequest & Partial<ClaimRequest>, answer: ClaimAnswer): ClaimAnswer => {
    checkClaimAnswer(request, answer);
    if (answer.token !== null) secrets.learn(answer.token);
    secrets.assertAbsent({ ...answer, token: null });
    return answer;
  };
  return {
    enqueue: async (request, call) =>
      pass(await store.enqueue(request, call), (answer) => checkEnqueueAnswer(request, answer)),
    claim: async (request, call) => passClaim(request, await store.claim(request, call)),
    claimNext: async (request, call) => passClaim(request, await store.claimNext(request, call)),
    work: async (request, call) => pass(await store.work(request, call), (answer) => checkWork(request, answer)),
    extendClaim: async (request, call) =>
      pass(await store.extendClaim(request, call), (answer) => checkExtendAnswer(request.pool, answer)),
    returnUnworked: async (request, call) =>
      pass(await store.returnUnworked(request, call), (answer) => checkReturnAnswer(request.pool, answer)),
    settleExpired: async (request, call) =>
      pass(await store.settleExpired(request, call), (answer) => checkSettleAnswer(request, answer)),
    takeToAsk: async (request, call) => passAll(await store.takeToAsk(request, call), checkAsked),
    noteHolderEnded: (request, call) => store.noteHolderEnded(request, call),
    applyLookup: async (request, call) => pass(await store.applyLookup(request, call), checkApplied),
    review: async (request, call) => pass(await store.review(request, call), (answer) => checkReview(request, answer)),
    changePool: async (request, call) =>
      pass(await store.changePool(request, call), (answer) => checkChange(request, answer)),
    pools: async (query, call) => passAll(await store.pools(query, call), checkPool),
    records: async (query, call) => passAll(await store.records(query, call), checkRecord),
    workTimes: async (pool, call) => pass(await store.workTimes(pool, call), checkTimes),
  };
}

function checkWork({ pool, verdicts, begins }: WorkRequest, answer: WorkAnswer): void {
  assert.deepEqual(Object.keys(answer).toSorted(), ['begins', 'verdicts']);
  assert.equal(answer.verdicts.length, verdicts.length, 'an answer for each verdict');
  assert.equal(answer.begins.length, begins.length, 'an answer for each begin');
  verdicts.forEach(({ id }, index) => checkVerdictAnswer(pool, id, at(answer.verdicts, index)));
  begins.forEach(({ id }, index) => checkBeginAnswer(pool, id, at(answer.begins, index)));
}

function at<T>(list: readonly T[], index: number): T {
  const value = list[index];
  assert.ok(value !== undefined, `answer ${index} is missing`);
  return value;
}
