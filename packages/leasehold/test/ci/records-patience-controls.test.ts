/** Guards of what is slow and not away, and of what a verifier may say, each taken out of a copy. */
import { describeMutants } from '../mutation.ts';

const MANY = 'test/engine/records/claim-many.test.ts';
const SLOW = 'test/engine/records/slow-sweep.test.ts';
const SETTINGS = 'test/domain/records/pool-settings.test.ts';

describeMutants('slow stores and verifiers', [
  {
    broken: 'what is left of a sweep is what its call may take',
    file: 'src/engine/records/sweep.ts',
    replace: 'if (!this.#isBrief) return {};',
    by: '',
    testFile: SLOW,
    fails: 'that runs out of its own time is incomplete and keeps what it settled; no call is cut short for it',
  },
  {
    broken: 'a call that ended with its sweep is an outage',
    file: 'src/engine/records/sweep.ts',
    replace: 'if (this.#isBrief && this.#isOver && ',
    by: 'if (this.#isBrief && !this.#isOver && ',
    testFile: SLOW,
    fails: "at a command's end asks for little at a time, and its call ends with it; that is no outage",
  },
  {
    broken: 'a duty that fails ends the round',
    file: 'src/cli/work/worker.ts',
    replace: '.catch((error: unknown) => failures.push(error));',
    by: ';',
    testFile: 'test/cli/worker.test.ts',
    fails: 'a duty that fails keeps no other from being done; once, the first error is the answer',
  },
  {
    broken: 'a claim of before is offered the rest',
    file: 'src/engine/records/open-claim.ts',
    replace: "if (answered !== 'claimed' || this.#isRepeat) {",
    by: "if (answered !== 'claimed') {",
    testFile: MANY,
    fails: 'asked again by its name has what it still has, and is offered no more',
  },
  {
    broken: 'only what the last call was offered is counted',
    file: 'src/engine/records/open-claim.ts',
    replace: 'this.#calls === 1 && this.#last.refused.length === this.#refused.length',
    by: 'this.#calls === 1',
    testFile: MANY,
    fails: 'is counted whole in what is said, also where the first call was full, or nothing could be had',
  },
  {
    broken: 'a large claim has the time of a small one',
    file: 'src/engine/records/ask-claim.ts',
    replace: 'if (limit <= USUAL_LIMIT) return usualMs;',
    by: 'if (limit > 0) return usualMs;',
    testFile: MANY,
    fails: 'of a large limit is waited for longer, within half of its lease',
  },
  {
    broken: 'a verifier may say what it likes',
    file: 'src/domain/records/pool-settings.ts',
    replace: 'if (!VERIFIER_DELAYS.includes(name)) {',
    by: 'if (VERIFIER_DELAYS.length === 0) {',
    testFile: SETTINGS,
    fails: 'what a verifier is not known to have is refused by its name, never by its value',
  },
  {
    broken: 'the call time-out of a verifier counts for nothing',
    file: 'src/engine/records/pool-change.ts',
    replace: 'settings: { ...callTimeoutThatComes(settings), ...settings },',
    by: 'settings: { ...settings, ...(pool === "" ? callTimeoutThatComes(settings) : {}) },',
    testFile: 'test/engine/records/pool.test.ts',
    fails: 'gets its call time-out with its verifier, unless the same change names one',
  },
]);
