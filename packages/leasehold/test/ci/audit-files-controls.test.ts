/** The guards of the auditor's readers of files, each taken out once: the fact that stands for it is seen failing. */
import { describeMutantsInPairs, type Mutant } from '../mutation.ts';

const READERS = 'src/audit/readers';
const FOLDERS = 'test/audit/files/folders.test.ts';
const JSONS = 'test/audit/files/json.test.ts';
const NOTHING = 'test/audit/files/nothing-in-it.test.ts';
const RUN_NAMES = 'test/audit/files/run-names.test.ts';
const TABLES = 'test/audit/files/csv.test.ts';

const MUTANTS: readonly Mutant[] = [
  {
    broken: 'folders are entered again by each link to them',
    file: `${READERS}/files/walk.ts`,
    replace: '    if (progress.entered.has(place)) return;\n',
    by: '',
    testFile: FOLDERS,
    fails: 'is read in the order of names, folders too, and links are followed once',
  },
  {
    broken: 'no depth is too deep',
    file: `${READERS}/files/walk.ts`,
    replace: 'if (depth > DEPTH_MAX)',
    by: 'if (depth > 1_000)',
    testFile: FOLDERS,
    fails: 'deeper than 64 folders is not entered there',
  },
  {
    broken: 'a file that is none of ours is told by itself',
    file: `${READERS}/files/read-files.ts`,
    replace: "if (verdict.kind === 'unrelated') unrelated.add(path);",
    by: "if (verdict.kind === 'unrelated') sink.unread(redact(path), verdict.why);",
    testFile: FOLDERS,
    fails: 'is known by its content, whatever it is called',
  },
  {
    broken: 'paths are told as they are',
    file: `${READERS}/files/read-files.ts`,
    replace: 'const origin = { path: redact(path),',
    by: 'const origin = { path,',
    testFile: FOLDERS,
    fails: 'whose name holds an address is named without it',
  },
  {
    broken: 'a packed file counts as whole when its last piece was taken',
    file: `${READERS}/files/open-file.ts`,
    replace: '    end.fault = fault;\n',
    by: '',
    testFile: FOLDERS,
    fails: 'of a packed file that was cut short counts up to there',
  },
  {
    broken: 'a backslash before the end of a piece is forgotten',
    file: `${READERS}/json/splitter.ts`,
    replace: 'this.#isEscaped = isEscaped;',
    by: 'this.#isEscaped = false;',
    testFile: JSONS,
    fails: 'hands over the entries of any list, wherever the stream is cut',
  },
  {
    broken: 'an object that was not closed is not looked through',
    file: `${READERS}/json/splitter.ts`,
    replace: '      this.#lookThrough(this.#parts, false);\n    return isWhole;',
    by: '      void 0;\n    return isWhole;',
    testFile: JSONS,
    fails: 'that ends in the middle says where',
  },
  {
    broken: 'the day comes first where nothing tells',
    file: `${READERS}/table/layout.ts`,
    replace: 'const order = map?.dates ?? orderIn(columns, sample);',
    by: "const order = map?.dates ?? orderIn(columns, sample) ?? 'dmy';",
    testFile: TABLES,
    fails: 'of which the day or the month comes first are decided by any row, and else refused',
  },
  {
    broken: 'nothing is said about an unknown zone',
    file: `${READERS}/table/table-said.ts`,
    replace: 'if (localCount === 0) return [];',
    by: 'return [];',
    testFile: TABLES,
    fails: 'that name no zone are said to be of an unknown zone, and those that name one are not (C140)',
  },
  {
    broken: 'an instant and no end is enough for a history',
    file: `${READERS}/table/column-names.ts`,
    replace: 'const VAGUE_FIT = 3;',
    by: 'const VAGUE_FIT = 30;',
    testFile: TABLES,
    fails: 'of a list of customers are no history',
  },
  {
    broken: 'timestamps are starts, whatever the interval shows',
    file: `${READERS}/make/start-or-end.ts`,
    replace: 'if (asEnds * STEADIER <= asStarts)',
    by: 'if (asEnds * STEADIER <= -1)',
    testFile: 'test/audit/files/make.test.ts',
    fails: 'shows by its interval that a timestamp is the end of a run, and says so',
  },
  {
    broken: 'an archive may be a table',
    file: `${READERS}/files/formats.ts`,
    replace: '  ARCHIVE_FORMAT,\n',
    by: '',
    testFile: NOTHING,
    fails: 'is told as one, packed or not, also where it was found in a folder, and never read as a table',
  },
  {
    broken: 'what was cut short is one of many in a folder',
    file: `${READERS}/json/json-format.ts`,
    replace: 'const isTold = isNamed || cut.isOurs;',
    by: 'const isTold = isNamed;',
    testFile: NOTHING,
    fails: 'is told once and by what it looks like, in a folder by its own name',
  },
  {
    broken: 'an export with nothing in it is none of ours',
    file: `${READERS}/json/json-format.ts`,
    replace: 'if (!isEmptyHistory(head, isNamed)) return unrelated;',
    by: 'if (!isEmptyHistory(head, isNamed) || isNamed) return unrelated;',
    testFile: NOTHING,
    fails: 'is an empty history',
  },
  {
    broken: 'names of runs are names of workflows',
    file: `${READERS}/table/layout.ts`,
    replace: 'if (ofRuns?.isSure === true) return',
    by: 'if (ofRuns?.isSure === null) return',
    testFile: RUN_NAMES,
    fails: 'is refused where a thousand rows have one each, and read where --map says that it is the workflow',
  },
  {
    broken: 'any ending is a run of its job',
    file: `${READERS}/table/run-names.ts`,
    replace: 'return madeUp.length >= names.length * MADE_UP_SHARE_MIN;',
    by: 'return madeUp.length >= 0;',
    testFile: RUN_NAMES,
    fails: 'stays the name of a workflow where its ending is a word or a number of a few digits',
  },
  {
    broken: 'there may be any number of workflows',
    file: 'src/audit/collect/collector.ts',
    replace: '      if (this.groups.size >= HISTORIES_MAX) return null;\n',
    by: '',
    testFile: 'test/audit/collect/collector.test.ts',
    fails: 'runs of more than ten thousand workflows are left out, counted, and told first',
  },
  {
    broken: 'a source that gave nothing is passed by',
    file: 'src/audit/collect/collector.ts',
    replace: 'return this.#unread[unread] ?? MORE;',
    by: 'return null;',
    testFile: 'test/audit/collect/collector.test.ts',
    fails: 'a source is lost where it only told what is unread',
  },
  {
    broken: 'what is over a bound is rounded to it',
    file: 'src/audit/words.ts',
    replace: 'if (saidMs > boundMs) return short;',
    by: 'if (saidMs >= 0) return short;',
    testFile: 'test/audit/words.test.ts',
    fails: 'what is said to be over a bound looks over it',
  },
  {
    broken: 'users and passwords of addresses stay',
    file: 'src/audit/redact.ts',
    replace: "{0,500}@/gi, '$1***@', /:\\/\\//],",
    by: "{0,500}@/gi, '$1***@', /no such text/],",
    testFile: 'test/audit/redact.test.ts',
    fails: 'takes the secret out of a user alone, whatever stands around it',
  },
];

describeMutantsInPairs("the auditor's readers of files", MUTANTS);
