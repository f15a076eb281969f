/** A page that leads nowhere is found by its reader too late. Addresses of other hosts are not asked. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { listPages, ROOT, readPage, withoutCode } from './pages.ts';

interface Site {
  readonly pages: readonly string[];
  readonly read: (page: string) => string;
  readonly exists: (path: string) => boolean;
}

const REPOSITORY: Site = { pages: listPages(), read: readPage, exists: (path) => existsSync(join(ROOT, path)) };

/** Anchors as GitHub makes them: lower case, punctuation gone, blanks to hyphens, repeats numbered. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let repeat = 1; anchors.has(unique); repeat += 1) unique = `${anchor}-${repeat}`;
    anchors.add(unique);
  }
  return anchors;
}

/** One sentence for each relative link that leads nowhere. */
function deadLinks({ pages, read, exists }: Site): string[] {
  return pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)));
      if (!exists(file)) return [`${page}: ${target}: there is no ${file}`];
      if (anchor === undefined || anchorsOf(read(file)).has(anchor)) return [];
      return [`${page}: ${target}: ${file} has no heading for it`];
    }),
  );
}

test('every relative link of every page leads to a file, and every anchor to a heading', () => {
  assert.ok(REPOSITORY.pages.includes('README.md'), 'the pages were found');
  assert.deepEqual(deadLinks(REPOSITORY), []);
});

test('a link to a file or a heading that is not there is found, one in code is not', () => {
  const texts: Record<string, string> = {
    'README.md': '# Top\n[a](docs/a.md) [b](docs/a.md#two-words) [c](#top) [d](https://example.org/x) `[e](f.md)`',
    'docs/a.md': '# Two *words*\n[up](../README.md) [gone](b.md) [no such](../README.md#bottom) [self](#one)',
  };
  const read = (page: string): string => texts[page] ?? '';
  const dead = deadLinks({ pages: Object.keys(texts), read, exists: (path) => path in texts });
  assert.deepEqual(dead, [
    'docs/a.md: b.md: there is no docs/b.md',
    'docs/a.md: ../README.md#bottom: README.md has no heading for it',
    'docs/a.md: #one: docs/a.md has no heading for it',
  ]);
});
