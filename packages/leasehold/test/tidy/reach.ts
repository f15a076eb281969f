/** Every source file is used: by an import that leads to it, or, for SQL, by being read by name. */
import { posix } from 'node:path';
import { importsOf } from './source-text.ts';
import { type Finding, type Tree, typeScriptIn } from './tree.ts';

const SOURCE = 'packages/leasehold/src/';
/** What package.json and bin/ start with. */
const ENTRIES = ['index.ts', 'testing/index.ts', 'cli/main.ts', 'server/main.ts'].map((file) => `${SOURCE}${file}`);
/** Folders of SQL that are read as a whole. */
const READ_WHOLE = /\/(migrations|postgres\/functions)\//;

/** Follows imports from the entries; a file that only its own test imports is not used. */
export function reachFindings(tree: Tree): Finding[] {
  const reached = new Set<string>();
  const waiting = ENTRIES.filter((entry) => tree.has(entry));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const folder = posix.dirname(path);
    for (const { specifier } of importsOf(tree.get(path) ?? '')) {
      const target = posix.normalize(posix.join(folder, specifier));
      if (specifier.startsWith('.') && tree.has(target)) waiting.push(target);
    }
  }
  const unused = typeScriptIn(tree, SOURCE).filter(([path]) => !reached.has(path));
  return [...unused.map(([path]) => `${path}: nothing imports it`), ...unreadSql(tree)];
}

function unreadSql(tree: Tree): Finding[] {
  const code = typeScriptIn(tree, SOURCE).map(([, text]) => text);
  return [...tree.keys()]
    .filter((path) => path.startsWith(SOURCE) && path.endsWith('.sql') && !READ_WHOLE.test(path))
    .filter((path) => !code.some((text) => text.includes(posix.basename(path))))
    .map((path) => `${path}: no code names it`);
}
