/** Clock, randomness and `process` live in `src/platform` only, and only the command line prints. */
import { codeOf, lineOf } from './source-text.ts';
import { type Finding, type Tree, typeScriptIn } from './tree.ts';

const SOURCE = 'packages/leasehold/src/';

interface Ban {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Folders where it is allowed. */
  readonly except: RegExp;
}

const PLATFORM = /^platform\//;
const CLOCK = 'take the time from the port Clock';
const RANDOM = 'take ids and chance from the port Ids';

const BANS: readonly Ban[] = [
  { pattern: /\bDate\s*\.\s*now\b/g, instead: CLOCK, except: PLATFORM },
  { pattern: /\bnew\s+Date\b(?:\s*\(\s*\)|(?!\s*\())/g, instead: CLOCK, except: PLATFORM },
  { pattern: /(?<!new\s+|[.\w])Date\s*\(/g, instead: CLOCK, except: PLATFORM },
  { pattern: /\bperformance\s*\.\s*now\b|\bhrtime\b/g, instead: CLOCK, except: PLATFORM },
  { pattern: /(?<![.\w#])(?:setTimeout|setInterval)\b/g, instead: 'wait by the port Clock', except: PLATFORM },
  // A turn of the event loop is no clock, but only the clock of the tests has a use for it.
  { pattern: /\bsetImmediate\b/g, instead: 'wait by the port Clock', except: /^(platform\/|testing\/fake-clock\.ts$)/ },
  { pattern: /\bAbortSignal\s*\.\s*timeout\b/g, instead: 'wait by the port Clock', except: PLATFORM },
  { pattern: /\bMath\s*\.\s*random\b/g, instead: RANDOM, except: PLATFORM },
  { pattern: /\b(?:randomUUID|randomBytes|randomInt|getRandomValues)\b/g, instead: RANDOM, except: PLATFORM },
  { pattern: /(?<![.\w#])process\s*(?:\.|\?\.|\[)/g, instead: 'ask a port that platform fills', except: PLATFORM },
  { pattern: /\bglobalThis\b/g, instead: 'name what you need; globals are for platform', except: PLATFORM },
  { pattern: /(?<![.\w#])console\s*\./g, instead: 'the library logs by the port Logger', except: /^cli\// },
];

export function callFindings(tree: Tree): Finding[] {
  const findings: Finding[] = [];
  for (const [path, text] of typeScriptIn(tree, SOURCE)) {
    const file = path.slice(SOURCE.length);
    const code = codeOf(text);
    for (const { pattern, instead, except } of BANS) {
      if (except.test(file)) continue;
      for (const match of code.matchAll(pattern)) {
        findings.push(`${path}:${lineOf(code, match.index)}: "${match[0].trim()}" is not allowed here: ${instead}`);
      }
    }
  }
  return findings;
}
