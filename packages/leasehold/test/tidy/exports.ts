/** Every name that the package exports has a docstring where it is declared. */
import { posix } from 'node:path';
import { codeOf } from './source-text.ts';
import type { Finding, Tree } from './tree.ts';

const ENTRIES = ['packages/leasehold/src/index.ts', 'packages/leasehold/src/testing/index.ts'];
const LIST = /\bexport\s+(?:type\s+)?\{([^}]*)\}\s*from\s*(['"])/g;
const STAR = /\bexport\s+(?:type\s+)?\*/;
const DECLARATION =
  /\bexport\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|const|let|interface|type)\s+([\w$]+)/g;
const HOPS_MAX = 5;

export function exportFindings(tree: Tree): Finding[] {
  return ENTRIES.filter((entry) => tree.has(entry)).flatMap((entry) => {
    const code = codeOf(tree.get(entry) ?? '');
    const star = STAR.test(code) ? [`${entry}: name what is exported, "export *" lets anything out`] : [];
    const names = [...namesListed(tree, entry), ...namesDeclared(tree, entry)];
    if (names.length === 0) return [`${entry}: exports nothing that this rule can see`];
    return [...star, ...names.flatMap(({ name, path }) => undocumented(tree, path, name, HOPS_MAX))];
  });
}

interface ExportedName {
  readonly name: string;
  /** The file that the name comes from. */
  readonly path: string;
}

/** The names of `export { a, b as c } from './x.ts'`, as the other file calls them. */
function namesListed(tree: Tree, path: string): ExportedName[] {
  const text = tree.get(path) ?? '';
  const code = codeOf(text);
  return [...code.matchAll(LIST)].flatMap((match) => {
    const from = match.index + match[0].length;
    const specifier = text.slice(from, code.indexOf(match[2] ?? '', from));
    const target = posix.normalize(posix.join(posix.dirname(path), specifier));
    const names = (match[1] ?? '').split(',').map((item) => item.trim().replace(/^type\s+/, ''));
    return names
      .filter((item) => item !== '')
      .map((item) => ({ name: item.split(/\s+as\s+/)[0] ?? item, path: target }));
  });
}

function namesDeclared(tree: Tree, path: string): ExportedName[] {
  return [...codeOf(tree.get(path) ?? '').matchAll(DECLARATION)].map((match) => ({ name: match[1] ?? '', path }));
}

function undocumented(tree: Tree, path: string, name: string, hops: number): Finding[] {
  const text = tree.get(path);
  if (text === undefined || hops === 0) return [`${path}: exports ${name} from a file that can't be read`];
  const declaration = [...codeOf(text).matchAll(DECLARATION)].find((match) => match[1] === name);
  if (declaration !== undefined) {
    return hasDocstring(text, declaration.index) ? [] : [`${path}: ${name} is public and has no docstring`];
  }
  const next = namesListed(tree, path).find((listed) => listed.name === name);
  return next === undefined
    ? [`${path}: ${name} is exported and declared nowhere`]
    : undocumented(tree, next.path, name, hops - 1);
}

function hasDocstring(text: string, at: number): boolean {
  const before = text.slice(0, at).trimEnd();
  return before.endsWith('*/') && before.lastIndexOf('/**') > before.lastIndexOf('*/', before.length - 3);
}
