/** What the rules look at: every text file of the repository that git tracks or would track. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts by path, relative to the repository, with `/`. */
export type Tree = ReadonlyMap<string, string>;

/** What a rule finds: where, and what to do about it. */
export type Finding = string;

const ROOT = join(import.meta.dirname, '../../../..');
const TEXT =
  /\.(ts|mts|js|mjs|cjs|json|jsonc|md|sql|sh|yml|yaml|html|css|txt|csv)$|(^|\/)(\.npmrc|\.gitignore|run|LICENSE)$/;

/** Reads the repository that this file is in. Throws where git is missing: an empty tree would pass every rule. */
export function readTree(): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const tree = new Map<string, string>();
  for (const path of listed.split('\0').filter((name) => TEXT.test(name))) {
    const text = readOrNull(join(ROOT, path));
    if (text !== null) tree.set(path, text);
  }
  if (tree.size < 20) throw new Error(`only ${tree.size} files found in ${ROOT}: git does not list this folder`);
  return tree;
}

/** Null for a file that git still lists and that is deleted. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The TypeScript files under `folder`, path and text. */
export function typeScriptIn(tree: Tree, folder: string): [string, string][] {
  return [...tree].filter(([path]) => path.startsWith(folder) && path.endsWith('.ts'));
}
