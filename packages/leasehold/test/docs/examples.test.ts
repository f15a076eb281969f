/** Runs every example as a reader would, against the source. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './pages.ts';

/** What an example prints, in any order. */
const PRINTS: Record<string, readonly RegExp[]> = {
  'examples/claim-rows.mjs': [
    /^first run worked \d+ rows$/m,
    /^second run worked \d+ rows$/m,
    /^11 mails to 11 customers; 11 done, 1 failed$/m,
  ],
};

test('every example is run by a test', () => {
  assert.deepEqual(globSync('examples/**/*.{mjs,js,ts}', { cwd: ROOT }).toSorted(), Object.keys(PRINTS));
});

for (const [path, lines] of Object.entries(PRINTS)) {
  test(`${path} does what it says`, () => {
    const args = ['--conditions=leasehold-source', join(ROOT, path)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
    assert.equal(status, 0, stderr);
    for (const line of lines) assert.match(stdout, line);
  });
}
