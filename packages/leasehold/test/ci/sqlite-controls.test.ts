import { describeMutants } from '../mutation.ts';

const BAD_STORES = 'test/stores/sqlite/bad-stores.test.ts';
const LOST_LOG = 'test/stores/sqlite/lost-log.test.ts';
const STORE_CLOCK = 'test/stores/sqlite/store-clock.test.ts';
const IDENTITY = 'src/stores/sqlite/file-identity.ts';
const CONNECTION = 'src/stores/sqlite/connection.ts';
const STORE_FILE = 'src/stores/sqlite/store-file.ts';
const ERRORS = 'src/stores/sqlite/errors.ts';

describeMutants('the file of an embedded store', [
  {
    broken: 'a second name of the file is let pass',
    file: STORE_FILE,
    replace: 'if (found.nlink > 1) {',
    by: 'if (found.nlink > 100) {',
    testFile: BAD_STORES,
    fails: 'a file with a second name is unusable by either name, also where it has been used, until one is gone',
  },
  {
    broken: 'folders are made by Node at once',
    file: STORE_FILE,
    replace: 'unlessThere(() => mkdirSync(folder, { mode: 0o700 }));',
    by: 'mkdirSync(folder, { recursive: true, mode: 0o700 });',
    testFile: BAD_STORES,
    fails: 'where no folder can be made the store is unreachable at once',
  },
  {
    broken: 'SQL that the contents do not fit is taken for a fault of ours',
    file: ERRORS,
    replace: 'if (MISFIT.test(text)) return damagedError(store, text, error);',
    by: '',
    testFile: BAD_STORES,
    fails: 'a file that lost its end, its middle or its tables is unusable: damaged, and what to do',
  },
]);

describeMutants('the log and the index beside an embedded store', [
  {
    broken: 'only the database itself is looked at',
    file: IDENTITY,
    replace: `isSame(files.main, identifyFile(path)) &&
    isSame(files.log, identifyFile(\`\${files.path}-wal\`)) &&
    isSame(files.index, identifyFile(\`\${files.path}-shm\`))`,
    by: 'isSame(files.main, identifyFile(path))',
    testFile: LOST_LOG,
    fails: 'without log and index the next process begins anew; the holder is told that it lost, where the other stays',
  },
  {
    broken: 'a log that is overtaken is written over what others have done',
    file: IDENTITY,
    replace: 'if (isOvertaken && link',
    by: 'if (isOvertaken && link === path && link',
    testFile: LOST_LOG,
    fails:
      'without log and index the next process begins anew; the holder is told that it lost, where the other has gone again',
  },
  {
    broken: 'a log is emptied although nobody has begun anew',
    file: IDENTITY,
    replace: 'isLogLost && (otherLogBytes > 0 || writtenAt(path) !== lastWrittenAt)',
    by: 'isLogLost',
    testFile: LOST_LOG,
    fails: 'without log and index the holder saves what is in them, if it is the first to come',
  },
  {
    broken: 'an old index is believed',
    file: IDENTITY,
    replace: 'if (!isLogLost && link',
    by: 'if (!isLogLost && link === path && link',
    testFile: LOST_LOG,
    fails: 'without the index alone nothing is lost that either side has written, where the other has gone again',
  },
  {
    broken: 'another connection of the process keeps the deleted index',
    file: CONNECTION,
    replace: 'for (const connection of openConnections) connection.#giveUp(files);',
    by: 'this.#giveUp(files);',
    testFile: LOST_LOG,
    fails: 'two stores of one process on one file come back together',
  },
]);

describeMutants('the clock of an embedded store', [
  {
    broken: 'a process that cannot see the boot takes the wall clock',
    file: 'src/stores/sqlite/store-clock.ts',
    replace: 'if (base !== null) throw bootUnknownError(store);',
    by: '',
    testFile: STORE_CLOCK,
    fails:
      'a process that cannot see the boot is refused where others reckon by it, whatever it asks, and frees nothing',
  },
]);

describeMutants('a store that its own process has closed', [
  {
    broken: 'a release to it is tried again',
    file: 'src/engine/release-retry.ts',
    replace: 'if (error.isClosed)',
    by: 'if (error.isClosed && budget.lengthMs < 0)',
    testFile: 'test/engine/closed-store.test.ts',
    fails: 'a release after the store was closed fails at once, and says what becomes of the lock',
  },
]);
