/** What no file of the repository may contain: leftovers, paths of somebody's machine, registry hosts. */
import { lineOf } from './source-text.ts';
import type { Finding, Tree } from './tree.ts';

/** Put together from halves, so that this file doesn't contain what it forbids. */
const either = (...halves: [string, string][]): string => halves.map(([left, right]) => `${left}${right}`).join('|');

const MARKERS = either(
  ['TO', 'DO'],
  ['FIX', 'ME'],
  ['XX', 'X'],
  ['HA', 'CK'],
  ['not yet', ' implemented'],
  ['not', ' implemented'],
);
const MACHINES = either(['/wo', 'rk/'], ['/ro', 'ot/']);
const HOMES = either(['/ho', 'me/\\w'], ['/Us', 'ers/\\w'], ['[A-Z]:\\\\Us', 'ers']);
const HOSTS = either(
  ['registry\\.', 'npmjs'],
  ['registry\\.', 'yarnpkg'],
  ['npm\\.', 'pkg\\.github'],
  ['deb\\.', 'debian\\.org'],
  ['npm', 'mirror'],
  ['arti', 'factory'],
);

interface Ban {
  readonly pattern: RegExp;
  readonly why: string;
  /** Files where it is data and nothing else. */
  readonly except?: RegExp;
}

const BANS: readonly Ban[] = [
  { pattern: new RegExp(`\\b(${MARKERS})\\b`, 'g'), why: 'unfinished work is an issue, not a comment' },
  { pattern: new RegExp(`(?<![\\w./])(${MACHINES})`, 'g'), why: 'a path of one machine' },
  { pattern: new RegExp(`(?<![\\w./])(${HOMES})`, 'g'), why: "a path of somebody's machine", except: /\/test\// },
  { pattern: new RegExp(`(${HOSTS})`, 'gi'), why: 'the host of a registry; npm and apt know theirs' },
];

export function wordFindings(tree: Tree): Finding[] {
  const findings: Finding[] = [];
  for (const [path, text] of tree) {
    for (const { pattern, why, except } of BANS) {
      if (except?.test(path) === true) continue;
      for (const match of text.matchAll(pattern))
        findings.push(`${path}:${lineOf(text, match.index)}: "${match[0]}": ${why}`);
    }
  }
  return [...findings, ...lockfileFindings(tree)];
}

/** A lockfile names packages by version and digest; an address in it ties every clone to one registry. */
function lockfileFindings(tree: Tree): Finding[] {
  return [...tree]
    .filter(([path]) => path.endsWith('package-lock.json'))
    .flatMap(([path, text]) =>
      [...text.matchAll(/"resolved": "[^"]*:\/\//g)].map(
        (match) => `${path}:${lineOf(text, match.index)}: a resolved address; .npmrc omits them, so was it in force?`,
      ),
    );
}
