/** Guards of the readers of running systems taken out, each seen missing by the test that stands for it. */
import { describeMutantsInPairs } from '../mutation.ts';

const READERS = 'src/audit/readers';
const API_TEST = 'test/audit/live/api.test.ts';
const PAGING_TEST = 'test/audit/live/api-paging.test.ts';
const FAULTS_TEST = 'test/audit/live/api-faults.test.ts';
const SQLITE_TEST = 'test/audit/live/sqlite.test.ts';
const POSTGRES_TEST = 'test/audit/live/postgres.test.ts';
const DATABASE_TEST = 'test/audit/live/database.test.ts';

describeMutantsInPairs('running systems', [
  {
    broken: 'what was listed as open is told again',
    file: `${READERS}/n8n-api/executions.ts`,
    replace: "      open.delete(String(row['id']));\n",
    by: '',
    testFile: API_TEST,
    fails: 'a run that ends between the two lists counts once, as ended',
  },
  {
    broken: 'what is open is not asked for apart',
    file: `${READERS}/n8n-api/executions.ts`,
    replace: "const OPEN = ['running', 'waiting', 'new'] as const;",
    by: "const OPEN = ['waiting'] as const;",
    testFile: API_TEST,
    fails: 'what runs, waits or is queued is read whatever its age, and counts once although two lists have it',
  },
  {
    broken: 'rows are not known by their ids',
    file: `${READERS}/n8n-api/executions.ts`,
    replace: '  return !isKnown;',
    by: '  return true;',
    testFile: API_TEST,
    fails: 'a row that comes again on the next page, because new ones pushed it on, counts once',
  },
  {
    broken: 'an older server is not asked again by what it knows',
    file: `${READERS}/n8n-api/executions.ts`,
    replace: 'if (failed?.status === 400 && found.count === 0) {',
    by: 'if (failed?.status === 418) {',
    testFile: API_TEST,
    fails:
      'an older n8n, which refuses what it does not know, is read by what it knows, to the first page that is all older',
  },
  {
    broken: 'redirects are followed',
    file: `${READERS}/n8n-api/client.ts`,
    replace: "redirect: 'manual'",
    by: "redirect: 'follow'",
    testFile: FAULTS_TEST,
    fails: 'a redirect to a log-in is not followed, and the key is not sent there',
  },
  {
    broken: 'the words of the server are quoted with the key',
    file: `${READERS}/n8n-api/answer.ts`,
    replace: "text.replaceAll(key, '***')",
    by: 'text',
    testFile: FAULTS_TEST,
    fails: 'a key that the server itself quotes is taken out of its words',
  },
  {
    broken: 'any wait that a server asks for is waited',
    file: `${READERS}/n8n-api/client.ts`,
    replace: '(retryAfterMs ?? 0) > PAUSE_MS_MAX',
    by: 'retryAfterMs === -1',
    testFile: FAULTS_TEST,
    fails: 'nobody waits for a server that asks for an hour',
  },
  {
    broken: 'a cursor may go round',
    file: `${READERS}/n8n-api/pages.ts`,
    replace: '    if (!isNew(cursors, nextCursor)) return yield broken(ROUND);\n',
    by: '',
    testFile: PAGING_TEST,
    fails: 'cursors that go round by way of others end the reading',
  },
  {
    broken: 'a page may come again',
    file: `${READERS}/n8n-api/pages.ts`,
    replace: '    if (!isNew(pages, signatureOf(rows))) return yield broken(ROUND);\n',
    by: '',
    testFile: PAGING_TEST,
    fails: 'a server that answers with the same page and new cursors has broken paging',
  },
  {
    broken: 'a page without new runs ends the list',
    file: `${READERS}/n8n-api/executions.ts`,
    replace: "      isOlder = false;\n      if (!isFirst(found, row['id'])) continue;\n",
    by: "      if (!isFirst(found, row['id'])) continue;\n      isOlder = false;\n",
    testFile: PAGING_TEST,
    fails: 'a page that holds only runs of the page before is no end of the list',
  },
  {
    broken: 'nothing is said of a silent server',
    file: `${READERS}/n8n-api/client.ts`,
    replace: '() => warn(silentText(source.name, tried))',
    by: '() => {}',
    testFile: PAGING_TEST,
    fails:
      'a server that never answers is told of after ten seconds, asked once more, and given up within about a minute',
  },
  {
    broken: 'a file counts as in use by how it was named',
    file: `${READERS}/n8n-database/read-sqlite.ts`,
    replace: 'opened.isInUse ? `sqlite:${source.path}` : source.path',
    by: 'source.name',
    testFile: SQLITE_TEST,
    fails: 'a path and sqlite:PATH mean the same file, in use or not',
  },
  {
    broken: 'a file without its log is opened like any other',
    file: `${READERS}/n8n-database/sqlite.ts`,
    replace: "if (isWithoutLog) url.searchParams.set('immutable', '1');",
    by: '',
    testFile: SQLITE_TEST,
    fails: 'a file in WAL mode without its log is read, told, and gets no files beside it',
  },
  {
    broken: 'the log of a running n8n is passed by',
    file: `${READERS}/n8n-database/sqlite.ts`,
    replace: 'const isInUse = existsSync(`${file}-wal`);',
    by: 'const isInUse = false;',
    testFile: SQLITE_TEST,
    fails: 'what a running n8n has only in its log is read',
  },
  {
    broken: 'a locked file is given up at once',
    file: `${READERS}/n8n-database/sqlite.ts`,
    replace: 'const BUSY_TRIES_MAX = 50;',
    by: 'const BUSY_TRIES_MAX = 1;',
    testFile: SQLITE_TEST,
    fails: 'a locked file is waited for, and given up in the end',
  },
  {
    broken: 'the transaction may write',
    file: `${READERS}/n8n-database/begin-postgres.sql`,
    replace: 'repeatable read, read only;',
    by: 'repeatable read;',
    testFile: POSTGRES_TEST,
    fails: 'nothing can be written, whatever is asked',
  },
  {
    broken: 'each query sees what is there by then',
    file: `${READERS}/n8n-database/begin-postgres.sql`,
    replace: 'isolation level repeatable read',
    by: 'isolation level read committed',
    testFile: POSTGRES_TEST,
    fails: 'each statement has a bound on the server, and everything read at once is of one instant',
  },
  {
    broken: 'a forbidden column is asked for all the same',
    file: `${READERS}/n8n-database/tables.ts`,
    replace: 'all.filter(({ isReadable }) => isReadable)',
    by: 'all.filter(() => true)',
    testFile: POSTGRES_TEST,
    fails: 'a role that may read some columns reads those, and what it can not see is told',
  },
  {
    broken: 'a column is asked for whether or not it is there',
    file: `${READERS}/n8n-database/fill-query.ts`,
    replace: "if (aliased === undefined || tables.columns.get(aliased)?.has(column) !== true) return 'null';",
    by: "if (aliased === undefined) return 'null';",
    testFile: DATABASE_TEST,
    fails: 'an n8n from before statuses is read by the columns that it has',
  },
  {
    broken: 'the end of what waits is taken for its end',
    file: `${READERS}/live/n8n-run.ts`,
    replace: 'endedAtMs: isOpen ? null : stopped.ms',
    by: 'endedAtMs: stopped.ms',
    testFile: API_TEST,
    fails: 'what runs, waits or is queued is read whatever its age, and counts once although two lists have it',
  },
]);
