/** A store whose file is not there: reading makes none, since a mistyped path would look like an empty store for ever. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openBench } from './command-line.ts';
import { openInProcess } from './records/in-process.ts';

const READING: readonly (readonly string[])[] = [
  ['status'],
  ['runs'],
  ['events', '--json'],
  ['why', 'a'],
  ['advise', 'a'],
  ['force-release', 'a', '--reason', 'r', '--now'],
  ['resume', 'a'],
  ['renew', 'a', '--token', 't'],
  ['release', 'a', '--token', 't'],
  ['begin', 'p', '1', '--token', 't'],
  ['verdict', 'p', '1', 'done', '--token', 't'],
  ['extend', 'p', '--token', 't'],
  ['return', 'p', '--token', 't'],
  ['records', 'p'],
  ['review', 'p'],
  ['review', 'p', '1', 'done', '--reason', 'r'],
  ['pool', 'p'],
  ['sweep'],
  ['advise', '--pool', 'p'],
  ['resume', '--pool', 'p'],
];

describe('a store that is named and not there', () => {
  for (const args of READING) {
    it(`is exit 69 for ${args.join(' ')}, and is not made`, async () => {
      using bench = openInProcess();
      const { code, stdout, stderr } = await bench.run(args);
      assert.deepEqual([code, stdout], [69, '']);
      const says = 'is not there; check its name. The first run, acquire or claim makes it';
      assert.equal(stderr, `leasehold: store ${bench.store} ${says}\n`);
      assert.equal(existsSync(join(bench.folder, 'leasehold.db')), false);
    });
  }

  it('is one also where a configuration file names it', async () => {
    await using bench = openBench();
    const config = join(bench.folder, 'jobs.json');
    writeFileSync(config, JSON.stringify({ store: bench.store }));
    const env = { LEASEHOLD_STORE: undefined };
    assert.equal((await bench.run(['status', '--config', config], { env })).code, 69);
  });

  for (const args of [
    ['run', 'a', '--', 'true'],
    ['acquire', 'a', '--lease', '1m'],
    ['pause', 'a'],
    ['pause', '--pool', 'p'],
    ['claim', 'p'],
    ['enqueue', 'p', '--ids', '1'],
    ['pool', 'p', '--attempts', '3'],
    ['migrate'],
    ['work', '--once'],
  ]) {
    it(`is made by ${args.join(' ')}`, async () => {
      await using bench = openBench();
      assert.equal((await bench.run(args)).code, 0);
      assert.equal((await bench.run(['status'])).code, 0);
    });
  }
});

describe('the default store, that nobody has named, while it is not there', () => {
  it('is no error for a list: exit 0, and said on stderr', async () => {
    using bench = openInProcess();
    const env = { LEASEHOLD_STORE: undefined, XDG_STATE_HOME: bench.folder };
    const file = join(bench.folder, 'leasehold', 'leasehold.db');
    for (const args of [['status'], ['runs'], ['events'], ['records', 'p'], ['review', 'p'], ['pool', 'p']]) {
      const { code, stdout, stderr } = await bench.run(args, { env });
      assert.deepEqual([code, stdout], [0, '']);
      const says = 'is not there; the first run, acquire or claim makes it.';
      assert.equal(stderr, `leasehold: No store yet: sqlite:${file} ${says}\n`);
    }
    assert.equal((await bench.run(['renew', 'a', '--token', 't'], { env })).code, 69);
    assert.equal(existsSync(file), false);
  });
});
