/** How long files may be; how long functions may be is oxlint's `max-lines-per-function`. */
import type { Finding, Tree } from './tree.ts';

const SOURCE_LINES_MAX = 250;
const TEST_LINES_MAX = 400;
/** Most files are short: at most this share of `src` may be longer than this many lines. */
const SHORT_LINES = 150;
const LONG_SHARE_MAX = 1 / 3;

const SOURCE = /^(packages\/[^/]+\/src|scripts)\/.*\.(ts|mjs|sql)$/;
const TEST = /^packages\/[^/]+\/(test|bench)\/.*\.ts$/;

export function sizeFindings(tree: Tree): Finding[] {
  const findings: Finding[] = [];
  const sources = [...tree]
    .filter(([path]) => SOURCE.test(path))
    .map(([path, text]) => ({ path, lines: linesOf(text) }));
  const tests = [...tree].filter(([path]) => TEST.test(path)).map(([path, text]) => ({ path, lines: linesOf(text) }));
  for (const { path, lines } of sources) {
    if (lines > SOURCE_LINES_MAX) findings.push(`${path}: ${lines} lines, at most ${SOURCE_LINES_MAX}`);
  }
  for (const { path, lines } of tests) {
    if (lines > TEST_LINES_MAX) findings.push(`${path}: ${lines} lines, at most ${TEST_LINES_MAX}`);
  }
  const long = sources.filter(({ lines }) => lines > SHORT_LINES);
  if (long.length > sources.length * LONG_SHARE_MAX) {
    findings.push(
      `${long.length} of ${sources.length} source files are longer than ${SHORT_LINES} lines, at most a third may be`,
    );
  }
  return findings;
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
