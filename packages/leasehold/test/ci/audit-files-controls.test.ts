/** The guards of the auditor's readers of files, each taken out once: the fact that stands for it is seen failing. */
import { describeMutantsInPairs, type Mutant } from '../mutation.ts';

const READERS = 'src/audit/readers';
const FOLDERS = 'test/audit/files/folders.test.ts';
const JSONS = 'test/audit/files/json.test.ts';
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
    file: `${READERS}/table/history-table.ts`,
    replace: 'if (instants.localCount > 0 && zone === undefined)',
    by: 'if (instants.localCount < 0 && zone === undefined)',
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
    broken: 'users and passwords of addresses stay',
    file: 'src/audit/redact.ts',
    replace: "{0,500}@/gi, '$1***@', /:\\/\\//],",
    by: "{0,500}@/gi, '$1***@', /no such text/],",
    testFile: 'test/audit/redact.test.ts',
    fails: 'takes the secret out of a user alone, whatever stands around it',
  },
];

describeMutantsInPairs("the auditor's readers of files", MUTANTS);
