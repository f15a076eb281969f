/** What must be on the server's disk before it is answered, taken out of a copy. */
import { describeMutants } from '../mutation.ts';

const FORGOTTEN = 'test/stores/postgres/records/forgotten-claims.test.ts';
const CALLS = 'src/stores/postgres/records/calls.sql';
const ALONE = 'only a claim whose records have begins of their own waits for no disk, and it alone';

describeMutants('claims that a server may forget', [
  {
    broken: 'one that counts as the begin of its records may be forgotten',
    file: CALLS,
    replace: "case when $7 then set_config('synchronous_commit'",
    by: "case when $7 is not null then set_config('synchronous_commit'",
    testFile: FORGOTTEN,
    fails: ALONE,
  },
  {
    broken: 'what comes after it on the connection may be forgotten',
    file: CALLS,
    replace: "'synchronous_commit', 'off', true)",
    by: "'synchronous_commit', 'off', false)",
    testFile: FORGOTTEN,
    fails: ALONE,
  },
]);
