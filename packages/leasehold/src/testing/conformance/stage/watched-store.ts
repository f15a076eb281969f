import type { AcquireAnswer } from '../../../domain/answers.ts';
import type { AcquireRequest, Store } from '../../../ports/store.ts';
import { checkAcquireAnswer, checkProbeFirst } from './answer-checks.ts';
import {
  checkForceReleaseAnswer,
  checkPauseAnswer,
  checkReleaseAnswer,
  checkRenewAnswer,
  checkResumeAnswer,
} from './give-back-checks.ts';
import { checkEvent, checkMarks, checkRun, checkStatus, checkTakenAlert } from './row-checks.ts';
import { watchRecords } from '../records/stage/watched-records.ts';
import type { Secrets } from './secrets.ts';
import { checkPruneReport, checkWatchReport } from './upkeep-checks.ts';

/**
 * The store under test, with every answer and row held against the contract as it passes: a test
 * about one thing still notices when another breaks.
 */
export function watchStore(store: Store, secrets: Secrets): Store {
  const pass = <T>(rows: T[], check: (row: T) => void): T[] => {
    rows.forEach(check);
    secrets.assertAbsent(rows);
    return rows;
  };
  return {
    name: store.name,
    migrate: (options) => store.migrate(options),
    close: () => store.close(),
    async inspect() {
      const facts = await store.inspect();
      secrets.assertAbsent(facts);
      return facts;
    },
    isHolder: (lock, token, call) => store.isHolder(lock, token, call),
    ...watchStarts(store, secrets),
    async renew(request, call) {
      secrets.learn(request.token);
      const answer = await store.renew(request, call);
      checkRenewAnswer(request, answer);
      secrets.assertAbsent(answer);
      return answer;
    },
    async release(request, call) {
      secrets.learn(request.token);
      const answer = await store.release(request, call);
      checkReleaseAnswer(request, answer);
      secrets.assertAbsent(answer);
      return answer;
    },
    async forceRelease(request, call) {
      const answer = await store.forceRelease(request, call);
      checkForceReleaseAnswer(request, answer);
      secrets.assertAbsent(answer);
      return answer;
    },
    async pause(request, call) {
      const answer = await store.pause(request, call);
      checkPauseAnswer(request, answer);
      return answer;
    },
    async resume(request, call) {
      const answer = await store.resume(request, call);
      checkResumeAnswer(request, answer);
      return answer;
    },
    async marks(lock, call) {
      const marks = await store.marks(lock, call);
      checkMarks(marks);
      secrets.assertAbsent(marks);
      return marks;
    },
    watch: async (call) => checkWatchReport(await store.watch(call)),
    prune: async (request, call) => checkPruneReport(request, await store.prune(request, call)),
    takeAlerts: async (request, call) => pass(await store.takeAlerts(request, call), checkTakenAlert),
    settleAlert: (request, call) => store.settleAlert(request, call),
    alertCounts: (call) => store.alertCounts(call),
    status: async (query) => pass(await store.status(query), checkStatus),
    runs: async (query) => pass(await store.runs(query), checkRun),
    events: async (query) => pass(await store.events(query), checkEvent),
    ...watchRecords(store, secrets),
  };
}

function watchStarts(store: Store, secrets: Secrets): Pick<Store, 'acquire' | 'acquireOrProbe'> {
  const check = (request: AcquireRequest, answer: AcquireAnswer): AcquireAnswer => {
    checkAcquireAnswer(request, answer);
    if ('token' in answer) secrets.learn(answer.token);
    const { token: _given, ...rest } = { token: null, ...answer };
    secrets.assertAbsent(rest);
    return answer;
  };
  return {
    acquire: async (request, call) => check(request, await store.acquire(request, call)),
    async acquireOrProbe(request, call) {
      const answer = await store.acquireOrProbe(request, call);
      if (answer.outcome !== 'probe_first') return check(request, answer);
      checkProbeFirst(request, answer);
      secrets.assertAbsent(answer);
      return answer;
    },
  };
}
