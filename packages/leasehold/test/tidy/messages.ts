/**
 * Every sentence that the source can say stands word for word in a test, so that none is changed by accident
 * and a user's quotation finds where it is said and shown. A sentence is a literal of three words or more; of a
 * template each part between its `${…}` is looked for, and of SQL between the `%s` of format(). Texts of help
 * are the help's own tests' business.
 */
import { TEST_NAME } from '../test-names.ts';
import { codeOf, lineOf } from './source-text.ts';
import { type Finding, type Tree, typeScriptIn } from './tree.ts';

const SOURCE = 'packages/leasehold/src/';
const TESTS = 'packages/leasehold/test/';
/** Told to nobody who has to act on it. */
const SILENT: Readonly<Record<string, string>> = {
  'testing/': 'says why a test failed',
  'cli/demo/': 'is shown by the demo, whose test runs it',
  'cli/help/': 'is a manual page, whose tests read its examples, options and exit codes',
  'stores/sql-blocks.ts': 'speaks of a file that is wrong in the package, to whoever wrote it',
  'stores/postgres/install-script.ts': 'is SQL',
  'stores/postgres/rows.ts': 'speaks of a fault of ours',
  'sql-steps/fragments.ts': 'is SQL, and comments in it',
  'platform/aside-writer.ts': 'is a line of shell',
  'audit/report/html/': 'is pages, which are held whole against test/audit/report/golden',
  'audit/readers/table/column-names.ts': 'is what other people call their columns',
  'audit/readers/table/apart-names.ts': 'is what other people call columns',
  'audit/readers/table/cause-words.ts': 'is what other people call what starts a run',
  'audit/readers/table/run-words.ts': 'is what other people call the states of runs',
  'audit/readers/table/month-names.ts': 'is months, in several languages',
  'audit/readers/n8n-database/fill-query.ts': 'is SQL, and speaks of faults of ours',
};
const HELP =
  /\.(?:description|usage|option|requiredOption|createOption|argument|version|helpOption|addHelpText)\([^()]*$/;
const NO_SENTENCE = /^(?:pragma|select|grant) |^\s*Exit codes:/;
const WORDS_MIN = 3;
const PART_MIN = 8;

export function messageFindings(tree: Tree): Finding[] {
  const asserted = plain(
    typeScriptIn(tree, TESTS)
      .filter(([path]) => !path.startsWith(`${TESTS}tidy/`))
      .map(([, text]) => text.replaceAll(TEST_NAME, ''))
      .join('\n'),
  );
  return [...tree]
    .filter(([path]) => path.startsWith(SOURCE) && /\.(ts|sql)$/.test(path))
    .filter(([path]) => !Object.keys(SILENT).some((part) => path.startsWith(SOURCE + part)))
    .flatMap(([path, text]) =>
      (path.endsWith('.sql') ? sentencesOfSql(text) : sentencesOf(text)).flatMap(({ at, parts }) =>
        parts
          .map((part) => plain(part).trim())
          .filter((part) => part.length >= PART_MIN && /[a-z]{3}/i.test(part) && !asserted.includes(part))
          .map((part) => `${path}:${lineOf(text, at)}: no test says "${part}"`),
      ),
    );
}

interface Literal {
  readonly at: number;
  /** What stands between the `${…}` of a template; one part for a string. */
  readonly parts: readonly string[];
}

function sentencesOf(text: string): Literal[] {
  const code = codeOf(text);
  const literals: Literal[] = [];
  collect(text, code, 0, literals);
  return literals.filter(({ at, parts }) => isSentence(parts) && !HELP.test(code.slice(Math.max(0, at - 160), at)));
}

function sentencesOfSql(text: string): Literal[] {
  // A `--` inside a line may be an option in a sentence.
  const code = text.replaceAll(/^\s*--[^\n]*/gm, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  return [...code.matchAll(/(\bis\s+)?'((?:[^']|'')*)'/g)]
    .filter(([, comment]) => comment === undefined)
    .map(({ index, 2: literal = '' }) => ({ at: index, parts: literal.replaceAll("''", "'").split(/%[sI]|%(?= )/) }))
    .filter(({ parts }) => isSentence(parts));
}

function isSentence(parts: readonly string[]): boolean {
  const whole = parts.join(' … ');
  const words = whole.match(/[\p{L}’']{2,}/gu) ?? [];
  return words.length >= WORDS_MIN && /[a-z)"] [("a-z]/i.test(whole) && !NO_SENTENCE.test(whole);
}

/** Collects the literals from `from` on, to the brace that closes a `${` or the end; returns where it stopped. */
function collect(text: string, code: string, from: number, literals: Literal[]): number {
  let depth = 0;
  let at = from;
  while (at < code.length) {
    const character = code[at];
    if (character === '{') depth += 1;
    if (character === '}') {
      if (depth === 0 && from > 0) return at;
      depth -= 1;
    }
    if (character === "'" || character === '"') {
      const end = code.indexOf(character, at + 1);
      literals.push({ at, parts: [text.slice(at + 1, end)] });
      at = end;
    } else if (character === '`') {
      at = collectTemplate(text, code, at, literals);
    }
    at += 1;
  }
  return at;
}

/** Returns where the template's closing backquote stands. */
function collectTemplate(text: string, code: string, start: number, literals: Literal[]): number {
  const parts: string[] = [];
  let from = start + 1;
  let at = from;
  while (at < code.length && code[at] !== '`') {
    if (code.startsWith('${', at)) {
      parts.push(text.slice(from, at));
      at = collect(text, code, at + 2, literals);
      from = at + 1;
    }
    at += 1;
  }
  literals.push({ at: start, parts: [...parts, text.slice(from, at)] });
  return at;
}

/** Without the backslashes of string and regular expression, and with every space alike. */
function plain(text: string): string {
  return text.replaceAll('\\n', ' ').replaceAll(/\\(.)/gs, '$1').replaceAll(/\s+/g, ' ');
}
