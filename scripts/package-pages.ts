/**
 * Lays the repository's pages into the package while npm packs it, and takes them away again:
 * `copy` before, `remove` after. One README, one licence, one changelog.
 */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './check.ts';

const PAGES = ['README.md', 'LICENSE', 'CHANGELOG.md'];
const verb = process.argv[2];

for (const page of PAGES) {
  const target = join(ROOT, 'packages/leasehold', page);
  if (verb === 'copy') copyFileSync(join(ROOT, page), target);
  else if (verb === 'remove') rmSync(target, { force: true });
  else throw new Error(`usage: package-pages.ts copy|remove, not ${verb ?? 'nothing'}`);
}
