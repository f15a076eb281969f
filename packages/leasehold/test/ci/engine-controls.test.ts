import { describeMutants } from '../mutation.ts';

const TRUST = 'test/engine/trust.test.ts';
const HEARTBEAT = 'test/engine/heartbeat.test.ts';
const ACQUIRE = 'test/engine/acquire.test.ts';
const WAIT = 'test/engine/wait.test.ts';
const RELEASE = 'test/engine/release.test.ts';
const RUN = 'test/engine/run.test.ts';
const GIVEN_UP = 'test/engine/given-up.test.ts';
const TWO_HOLDERS = 'test/engine/two-holders.test.ts';

describeMutants('trust', [
  {
    broken: 'trust counts from the answer instead of the request',
    file: 'src/engine/ask.ts',
    replace: 'return { answer: await send(store), anchor };',
    by: 'const answer = await send(store);\n      return { answer, anchor: { ...anchor, ...clock.read() } };',
    testFile: TRUST,
    fails: 'trust counts from before the request was sent, not from when the store heard of it',
  },
  {
    broken: 'a renewal is anchored at its answer',
    file: 'src/engine/kept-lease.ts',
    replace: 'trustWindow(anchor, this.#terms.leaseMs,',
    by: 'trustWindow(this.#parts.clock.read(), this.#terms.leaseMs,',
    testFile: TRUST,
    fails: 'a renewal that returns late does not extend the trust window',
  },
  {
    broken: 'trust lasts a whole lease whatever the store says remains',
    file: 'src/domain/timing.ts',
    replace: 'Math.min(leaseMs, remainingMs)',
    by: 'leaseMs',
    testFile: TRUST,
    fails: 'with touch renewal such a start is handed out with its signal fired',
  },
  {
    broken: 'an answer is believed in whatever order it comes',
    file: 'src/engine/kept-lease.ts',
    replace: 'turn > this.#believed',
    by: 'turn > 0',
    testFile: TRUST,
    fails: 'an answer that comes after that of a later renewal is not believed',
  },
  {
    broken: 'there is no safety margin',
    file: 'src/engine/trust.ts',
    replace: 'remainingMs <= this.marginMs',
    by: 'remainingMs <= 0',
    testFile: TRUST,
    fails: 'the signal fires a safety margin before the lease ends when renewals fail',
  },
  {
    broken: 'the wall clock alone measures',
    file: 'src/domain/timing.ts',
    replace: 'Math.max(0, to.monotonicMs - from.monotonicMs, to.bootMs - from.bootMs, to.wallMs - from.wallMs)',
    by: 'to.wallMs - from.wallMs',
    testFile: TRUST,
    fails: 'a wall clock set back by an hour does not lengthen the trust window',
  },
  {
    broken: 'the monotonic clock alone measures',
    file: 'src/domain/timing.ts',
    replace: 'Math.max(0, to.monotonicMs - from.monotonicMs, to.bootMs - from.bootMs, to.wallMs - from.wallMs)',
    by: 'to.monotonicMs - from.monotonicMs',
    testFile: TRUST,
    fails: 'a suspend longer than the lease closes trust, and the message says that the lease may have ended',
  },
  {
    broken: 'one timer is set for the end instead of looking again and again',
    file: 'src/engine/trust.ts',
    replace: 'Math.min(this.lookEveryMs, untilNextMs)',
    by: 'untilNextMs',
    testFile: TRUST,
    fails: 'after a suspend the signal fires at the next look, although the timers stood still',
  },
  {
    broken: 'a release does not end the watch',
    file: 'src/engine/kept-lease.ts',
    replace: 'this.#trust.end();',
    by: '',
    testFile: TRUST,
    fails: 'after a release the signal never fires, trust is over and no timer is left',
  },
]);

describeMutants('trust, in random histories', [
  {
    broken: 'the monotonic clock alone measures',
    file: 'src/domain/timing.ts',
    replace: 'Math.max(0, to.monotonicMs - from.monotonicMs, to.bootMs - from.bootMs, to.wallMs - from.wallMs)',
    by: 'to.monotonicMs - from.monotonicMs',
    testFile: TWO_HOLDERS,
    fails: 'no two processes ever trust in a lease of one lock at the same moment',
  },
  {
    broken: 'the wall clock alone measures',
    file: 'src/domain/timing.ts',
    replace: 'Math.max(0, to.monotonicMs - from.monotonicMs, to.bootMs - from.bootMs, to.wallMs - from.wallMs)',
    by: 'to.wallMs - from.wallMs',
    testFile: TWO_HOLDERS,
    fails: 'no two processes ever trust in a lease of one lock at the same moment',
  },
]);

describeMutants('heartbeat', [
  {
    broken: 'a renewal is due only after three quarters of the lease',
    file: 'src/domain/timing.ts',
    replace: 'safetyMarginMs(leaseMs)) / 4',
    by: 'safetyMarginMs(leaseMs)) / 1.5',
    testFile: HEARTBEAT,
    fails: 'three missed renewals fit into a lease, even if each hangs until its time-out',
  },
  {
    broken: 'a failed renewal waits its whole turn',
    file: 'src/engine/heartbeat.ts',
    replace: 'if (own === this.#sent) this.#retrySooner();',
    by: 'void own;',
    testFile: HEARTBEAT,
    fails: 'a renewal that failed is tried again sooner than the next one is due',
  },
  {
    broken: 'a lost answer of a renewal is taken for nothing',
    file: 'src/engine/kept-lease.ts',
    replace: "if ('reason' in news) this.#lose(news);",
    by: "if ('reason' in news) void this.#lose;",
    testFile: HEARTBEAT,
    fails: 'a lost lease fires the signal at once with the words of the store, and ends the heartbeat',
  },
  {
    broken: 'a failure leaves the heartbeat as a rejection',
    file: 'src/engine/heartbeat.ts',
    replace: 'this.#noteFailure(error);',
    by: 'this.#noteFailure(error); throw error;',
    testFile: HEARTBEAT,
    fails: 'whatever a store throws at a heartbeat stays inside it',
  },
  {
    broken: 'the logger is called unguarded',
    file: 'src/engine/leasehold.ts',
    replace: 'guardedLogger(parts.logger)',
    by: 'parts.logger ?? guardedLogger',
    testFile: HEARTBEAT,
    fails: 'a logger that throws stops neither the heartbeat nor the process',
  },
]);

describeMutants('asking and waiting', [
  {
    broken: 'a lost answer is asked for as another run',
    file: 'src/engine/ask.ts',
    replace: 'store.acquire(request, call)',
    by: 'store.acquire({ ...request, runId: parts.ids.newId() }, call)',
    testFile: ACQUIRE,
    fails: 'a lost answer is asked for again by the same run, which gets the lease that the first ask took',
  },
  {
    broken: 'a wait anchors the lease at its beginning',
    file: 'src/engine/wait.ts',
    replace: 'if (isLast || asked.answer.proceed) return asked;',
    by: 'if (isLast || asked.answer.proceed) return { ...asked, anchor: begunAt };',
    testFile: WAIT,
    fails: 'the remaining time counts from the grant, not from the start of the wait (C33)',
  },
  {
    broken: 'a wait that ends with a slot that is done has no last ask',
    file: 'src/engine/wait.ts',
    replace: 'if (isLast || asked.answer.proceed) return asked;',
    by: "if (isLast || asked.answer.outcome !== 'skipped') return asked;",
    testFile: WAIT,
    fails: 'a slot that is done meanwhile ends the wait, and that it already ran is told',
  },
  {
    broken: 'the last ask of a wait still says that it waits',
    file: 'src/engine/wait.ts',
    replace: 'waiting: !isLast',
    by: 'waiting: waitMs > 0',
    testFile: WAIT,
    fails: 'a wait that ends in a skip is one row, counted once and told once',
  },
]);

describeMutants('release and run', [
  {
    broken: 'a release is tried once',
    file: 'src/engine/release-retry.ts',
    replace: "if (!isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;",
    by: 'if (isLeaseholdError(error)) throw error;',
    testFile: RELEASE,
    fails: 'a release through an outage of six seconds is tried again and gets through (C39)',
  },
  {
    broken: 'a disposal throws what a release throws',
    file: 'src/engine/held-start.ts',
    replace:
      'this.#parts.logger.warn(`Lock "${lock}" was not released; its lease ends by itself.`, { lock, runId, error });',
    by: 'throw [lock, runId, error];',
    testFile: RELEASE,
    fails: 'a disposal that cannot release logs a warning and throws nothing over the work',
  },
  {
    broken: 'the work is started and not awaited',
    file: 'src/engine/run.ts',
    replace: 'result = await work(start);',
    by: 'result = work(start) as T;',
    testFile: RUN,
    fails: 'a promise that the work returns is awaited: the tick at 30 s is skipped while it takes 45 s (C03)',
  },
  {
    broken: 'a throw leaves without a release',
    file: 'src/engine/run.ts',
    replace: "await releaseQuietly(start, 'failure', logger);",
    by: '',
    testFile: RUN,
    fails: 'the lock is released on return, on a throw and on a rejected promise, so that the next tick gets it (C02)',
  },
  {
    broken: 'a failing release is thrown over the work',
    file: 'src/engine/run.ts',
    replace: 'logger.error(message, { lock, runId, status, error });\n    return null;',
    by: 'throw new Error(message, { cause: [runId, error, logger] });',
    testFile: RUN,
    fails: "a release that fails does not hide the work's own error",
  },
  {
    broken: 'a skipped start runs its work',
    file: 'src/engine/run.ts',
    replace: 'if (!start.proceed) return { proceed: false, start };',
    by: '',
    testFile: RUN,
    fails: 'a skipped start runs nothing and releases nothing',
  },
]);

const SCHEDULE = 'test/engine/schedule.test.ts';
const WITHHOLD = 'test/engine/withhold.test.ts';

describeMutants('schedules, and renewal that is withheld', [
  {
    broken: 'both passes of a repeated hour are slots of their own',
    file: 'src/schedules/croner.ts',
    replace: 'isByWallTime ? firstPass(instant, zone) : instant',
    by: 'isByWallTime ? instant : instant',
    testFile: 'test/schedules/croner.test.ts',
    fails: 'of "*/15 2 * * *" goes by local time',
  },
  {
    broken: 'a wildcard hour goes by local time',
    file: 'src/schedules/croner.ts',
    replace: 'const isByWallTime = !isHourWild(words);',
    by: 'const isByWallTime = words !== "" || !isHourWild(words);',
    testFile: SCHEDULE,
    fails: 'the hour that is repeated is one slot for a fixed time, and two for every hour',
  },
  {
    broken: 'an early start belongs to the slot before',
    file: 'src/domain/slot.ts',
    replace: 'return next - at < earlyMs ? next : latest;',
    by: 'return next - at < 0 * earlyMs ? next : latest;',
    testFile: SCHEDULE,
    fails: 'a start that comes a little early has the slot that it was meant for',
  },
  {
    broken: 'only slots that were named are missed',
    file: 'src/engine/plan.ts',
    replace: 'mergeMissed(missed, planned)',
    by: 'mergeMissed(missed, planned.slice(0, 0))',
    testFile: SCHEDULE,
    fails: 'planned instants that no start has named are missed, between the last success and the own slot',
  },
  {
    broken: 'a store that does not say what was missed stops the start',
    file: 'src/engine/plan.ts',
    replace: '    return null;\n  }\n}',
    by: '    throw error;\n  }\n}',
    testFile: SCHEDULE,
    fails: 'a start proceeds although the store does not say what was missed, within one time-out',
  },
  {
    broken: 'the heartbeat asks nobody',
    file: 'src/engine/kept-lease.ts',
    replace: ' && !this.#isWithheld()',
    by: '',
    testFile: WITHHOLD,
    fails: 'while renewal is withheld nothing is renewed, and the signal fires a margin before the end with the reason',
  },
  {
    broken: 'a lease that is lost is renewed again',
    file: 'src/engine/trust.ts',
    replace: 'if (!this.signal.aborted) this.#withheld = reason;',
    by: 'this.#withheld = reason;',
    testFile: WITHHOLD,
    fails: 'once it has cost the lease, renewal stays withheld',
  },
]);

describeMutants('a lease that was given up', [
  {
    broken: 'the release does not say why its lease was given up',
    file: 'src/engine/held-start.ts',
    replace: 'lost: this.#kept.lossWords }',
    by: 'lost: null }',
    testFile: GIVEN_UP,
    fails:
      'a run that was withheld its renewals and releases in its lease leaves the loss, and why, and no word of a longer lease',
  },
  {
    broken: 'the signal fires before the words are there',
    file: 'src/engine/trust.ts',
    replace: '    this.#lossWords = words;\n    this.#abort.abort(',
    by: '    queueMicrotask(() => { this.#lossWords = words; });\n    this.#abort.abort(',
    testFile: GIVEN_UP,
    fails: 'a release from the signal itself says why as well',
  },
  {
    broken: 'a reason is sent as it is',
    file: 'src/engine/trust.ts',
    replace: 'oneLine(withheld, WITHHELD_CHARACTERS_MAX)',
    by: 'withheld',
    testFile: GIVEN_UP,
    fails: 'a reason of any length and with any characters is told as one short line',
  },
  {
    broken: 'a renewal of a lost lease is good news',
    file: 'src/engine/heartbeat.ts',
    replace: ' && !isLost()',
    by: '',
    testFile: GIVEN_UP,
    fails: 'where renewals get through again only after the signal, nobody is told that they do',
  },
]);
