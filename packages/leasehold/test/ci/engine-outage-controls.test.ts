import { describeMutants } from '../mutation.ts';

const OUTAGES = 'test/engine/outages.test.ts';
const CLOCKS = 'test/engine/clock-steps.test.ts';
const GONE = 'test/stores/sqlite/gone.test.ts';

describeMutants('outages', [
  {
    broken: 'there is no safety margin',
    file: 'src/engine/trust.ts',
    replace: 'remainingMs <= this.marginMs',
    by: 'remainingMs <= 0',
    testFile: OUTAGES,
    fails: 'for 60 s stops a lease of 1 min in time, and nobody starts beside it',
  },
  {
    broken: 'a renewal is anchored at its answer',
    file: 'src/engine/kept-lease.ts',
    replace: 'trustWindow(anchor, this.#terms.leaseMs,',
    by: 'trustWindow(this.#parts.clock.read(), this.#terms.leaseMs,',
    testFile: OUTAGES,
    fails: 'stops the run a margin before the lease ends, counted from when the renewal was sent',
  },
  {
    broken: 'a renewal waits for the time-out of the one before',
    file: 'src/engine/heartbeat.ts',
    replace: 'this.#failures === 0 ? this.#everyMs : Math.min(this.#everyMs, this.#besideMs)',
    by: 'this.#besideMs < 0 ? 0 : this.#everyMs',
    testFile: OUTAGES,
    fails: 'for 213.75 s leaves a lease of 5 min undisturbed, whenever it begins',
  },
  {
    broken: 'a renewal that failed after a later one got through is told as a new outage',
    file: 'src/engine/heartbeat.ts',
    replace: 'if (own < this.#succeeded) return;',
    by: 'void this.#succeeded;',
    testFile: OUTAGES,
    fails: 'for 33.75 s leaves a lease of 1 min undisturbed, whenever it begins',
  },
  {
    broken: 'a release is tried once',
    file: 'src/engine/release-retry.ts',
    replace: "if (!isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;",
    by: 'if (isLeaseholdError(error)) throw error;',
    testFile: OUTAGES,
    fails: 'for 5 s, lease 60 s, each call is refused: its success counts for its slot',
  },
  {
    broken: 'a release is given up with the lease',
    file: 'src/engine/release-retry.ts',
    replace: 'Math.max(BUDGET_MS_MIN, trustRemainingMs)',
    by: 'Math.max(BUDGET_MS_MIN - BUDGET_MS_MIN, trustRemainingMs)',
    testFile: OUTAGES,
    fails: 'for 5 s, lease 3 s, each call is refused: its success counts for its slot',
  },
]);

describeMutants('the order of renewal and release', [
  {
    broken: 'a release does not wait for a renewal that is under way',
    file: 'src/engine/held-start.ts',
    replace: '    await this.#kept.settleRenewals();\n',
    by: '',
    testFile: 'test/engine/release-order.test.ts',
    fails: 'a renewal that is under way when the release begins comes before it: no lease is recorded as lost',
  },
]);

describeMutants('clocks that move', [
  {
    broken: 'the store goes by the wall clock',
    file: 'src/stores/sqlite/store-clock.ts',
    replace: 'now: Math.floor(base.wallBase + (bootMs - base.bootBase))',
    by: 'now: Math.floor(wallMs)',
    testFile: CLOCKS,
    fails: "an hour forward, at 30 s: a dead holder's lease ends when it would have, to the second",
  },
  {
    broken: 'the store goes by a clock that stops in suspend',
    file: 'src/stores/sqlite/store-clock.ts',
    replace: 'const { wallMs, bootMs } = clock.read();',
    by: 'const { wallMs, monotonicMs: bootMs } = clock.read();',
    testFile: CLOCKS,
    fails:
      'for ten minutes: whoever asks first after it gets the lock, and the sleeper is told to stop at its first look',
  },
  {
    broken: 'an end that is too far away is left as it is',
    file: 'src/domain/clock-fault.ts',
    replace: 'if (leaseUntil <= latest) return lock;',
    by: 'if (leaseUntil <= Math.max(latest, leaseUntil)) return lock;',
    testFile: CLOCKS,
    fails: 'with a wall clock that is an hour behind: the lease lasts no longer than a whole one',
  },
  {
    broken: 'trust goes by the monotonic clock alone',
    file: 'src/domain/timing.ts',
    replace: 'Math.max(0, to.monotonicMs - from.monotonicMs, to.bootMs - from.bootMs, to.wallMs - from.wallMs)',
    by: 'to.monotonicMs - from.monotonicMs',
    testFile: CLOCKS,
    fails: 'into the margin, is told to stop at the first look, and nobody is let in while it does',
  },
]);

describeMutants('a store that is not there any more', [
  {
    broken: 'a new one is made in its place',
    file: 'src/stores/sqlite/connection.ts',
    replace: 'if (this.#isKnown && identifyFile(this.#path) === null)',
    by: 'if (this.#isKnown && identifyFile(this.#path) === null && this.#isClosed)',
    testFile: GONE,
    fails: 'a store whose folder was moved is unreachable, whatever is asked of it, and nothing is made in its place',
  },
]);
