/** Guards of the records' command line, taken out one at a time. */
import { describeMutants } from '../mutation.ts';

const INPUT = 'test/cli/records/ids-input.test.ts';
const CLAIMER = 'test/cli/records/claimer.test.ts';
const UPKEEP = 'test/cli/records/upkeep.test.ts';
const USAGE = 'test/cli/records/usage.test.ts';
const SQLITE = 'test/cli/records/sqlite.test.ts';

describeMutants('records from any shell', [
  {
    broken: 'a wrong line is left out, and the rest goes on',
    file: 'src/cli/records/ids-input.ts',
    replace: 'if (this.#first === null) return;',
    by: 'if (this.#first !== null) return;',
    testFile: USAGE,
    fails: 'a wrong line among good ones claims and enqueues nothing, and is named',
  },
  {
    broken: 'a number that JavaScript cannot hold goes on as another one',
    file: 'src/cli/records/exact-json.ts',
    replace: 'String(value) !== source ?',
    by: 'String(value) === source ?',
    testFile: INPUT,
    fails: 'keep the numbers of a payload as they stood',
  },
  {
    broken: 'a payload is printed as JavaScript reads it',
    file: 'src/cli/records/json.ts',
    replace: 'return parseExactly(text);',
    by: 'return JSON.parse(text);',
    testFile: SQLITE,
    fails: 'an id that is given twice counts once, and versions are records of their own',
  },
  {
    broken: 'an empty list of ids is no list, so that the next ones are claimed',
    file: 'src/cli/records/claim.ts',
    replace: 'const offering = spool === null ?',
    by: 'const offering = spool === null || spool.count === 0 ?',
    testFile: SQLITE,
    fails: 'claim with nothing to be had is exit 0 with no token; so is an empty list',
  },
  {
    broken: 'a claim whose token nobody got is kept',
    file: 'src/cli/records/claim.ts',
    replace: 'if (answer.owned.length > 0) await answer.returnUnworked',
    by: 'if (answer.owned.length > 1_000) await answer.returnUnworked',
    testFile: CLAIMER,
    fails: 'is given back where stdout is full or closed, exit 74',
  },
  {
    broken: 'a claim of a run does not name its lock',
    file: 'src/cli/records/record-options.ts',
    replace: 'return isOfRun &&',
    by: 'return !isOfRun &&',
    testFile: CLAIMER,
    fails: 'owns nothing once the run has lost its lock, which is exit 0 and said',
  },
  {
    broken: 'a claim names the lock of another store',
    file: 'src/cli/records/record-options.ts',
    replace: ' && storeUrl(options, host) === store',
    by: '',
    testFile: CLAIMER,
    fails: 'on another store than the run names no lock',
  },
  {
    broken: 'the token of a lock is taken for one of a claim',
    file: 'src/cli/records/record-options.ts',
    replace: "host.env['LEASEHOLD_CLAIM_TOKEN']",
    by: "host.env['LEASEHOLD_TOKEN']",
    testFile: SQLITE,
    fails: 'the token may stand in LEASEHOLD_CLAIM_TOKEN, and the one of a lock is none',
  },
  {
    broken: 'commands of records leave expired claims alone',
    file: 'src/cli/upkeep.ts',
    replace: 'if (pool !== undefined)',
    by: 'if (pool === undefined && timeoutMs < 0)',
    testFile: UPKEEP,
    fails: 'is settled at the end of records',
  },
  {
    broken: 'doctor does not look at claims that are over',
    file: 'src/domain/doctor-records.ts',
    replace: 'overMs <= UNSETTLED_MS_MAX',
    by: 'overMs >= 0',
    testFile: UPKEEP,
    fails: 'is said by doctor, with the oldest claim',
  },
  {
    broken: 'what a verifier is described by is shown whole',
    file: 'src/cli/records/json.ts',
    replace: "key === 'kind' || isDelay(key, value)",
    by: "key !== '' || isDelay(key, value)",
    testFile: 'test/cli/records/pool-json.test.ts',
    fails: 'of a stored verifier its kind and its delays are shown, and nothing else of it',
  },
]);
