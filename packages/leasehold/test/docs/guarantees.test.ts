/** docs/guarantees.md names the tests that show each promise: each must be there, in the file that it names. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasTest } from '../test-names.ts';
import { readPage, ROOT } from './pages.ts';

const PAGE = 'docs/guarantees.md';

interface Citation {
  readonly file: string;
  readonly names: readonly string[];
}

/** The items of the page that begin with a link to a test file, with the names that they quote. */
function citations(text: string): Citation[] {
  const items = text.split(/^(?=- |## )/m).filter((part) => part.startsWith('- [`'));
  return items.map((item) => {
    const joined = item.split('\n\n')[0]?.replaceAll(/\s+/g, ' ') ?? '';
    const file = /\]\(([^)]+)\)/.exec(joined)?.[1] ?? '';
    return { file: join('docs', file), names: [...joined.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name) };
  });
}

/** What is quoted and not there, one sentence each. */
function missingTests(all: readonly Citation[], read: (file: string) => string | null): string[] {
  return all.flatMap(({ file, names }) => {
    const text = read(file);
    if (text === null) return [`there is no ${file}`];
    if (names.length === 0) return [`no test of ${file} is named`];
    return names.filter((name) => !hasTest(text, name)).map((name) => `${file} has no test "${name}"`);
  });
}

/** What each section of a promise must have. */
function incomplete(text: string): string[] {
  const promises = text.split(/^## /m).filter((section) => /^G\d /.test(section));
  return promises.flatMap((section) =>
    ['*Stands on:*', '*Fails as:*', '- [`']
      .filter((part) => !section.includes(part))
      .map((part) => `${section.split('\n')[0]} lacks "${part}"`),
  );
}

function readSource(file: string): string | null {
  const path = join(ROOT, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

test('every test that docs/guarantees.md names exists', () => {
  const all = citations(readPage(PAGE));
  assert.ok(all.length > 20, `${all.length} citations were found`);
  assert.deepEqual(missingTests(all, readSource), []);
});

test('each promise of the page says what it stands on, what it fails as and which tests show it', () => {
  assert.deepEqual(incomplete(readPage(PAGE)), []);
});

test('a promise that lacks its assumption, its failure or its tests is found', () => {
  const whole = '*Stands on:* a\n\n*Fails as:* b\n\n- [`a.ts`](../a.ts): "one"\n';
  assert.deepEqual(incomplete(`## G1 One\n\n${whole}\n## What else\n\nText.\n`), []);
  assert.deepEqual(incomplete(`## G1 One\n\n${whole.replace('*Stands on:*', '')}## G2 Two\n\n`), [
    'G1 One lacks "*Stands on:*"',
    'G2 Two lacks "*Stands on:*"',
    'G2 Two lacks "*Fails as:*"',
    'G2 Two lacks "- [`"',
  ]);
});

test('a test that is not there is found', () => {
  const all = citations('## G1\n\n- [`a.ts`](../a.ts): "one\n  two", "three"\n- [`b.ts`](../b.ts): "four"\n');
  const read = (file: string): string | null =>
    file === 'a.ts' ? "test('one two'); it(`five of ${n}`); // 'three'" : null;
  assert.deepEqual(missingTests(all, read), ['a.ts has no test "three"', 'there is no b.ts']);
});
