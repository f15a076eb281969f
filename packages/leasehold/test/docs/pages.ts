/** The repository's pages, and the parts of one that tests run or hold against the code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT: string = join(import.meta.dirname, '../../../..');

/** Every page, relative to the repository's root. */
export function listPages(): string[] {
  const exclude = (name: string): boolean => /(^|\/)(node_modules|dist|\.git)$/.test(name);
  return globSync('**/*.md', { cwd: ROOT, exclude }).toSorted();
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** What stands between fences of this language ('' for none), in the order of the page. */
export function codeBlocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, tag]) => tag === language)
    .map(([, , code = '']) => code);
}

/** The page without its code, fenced or in a line: what is left is read as text, links and headings. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, 'code');
}
