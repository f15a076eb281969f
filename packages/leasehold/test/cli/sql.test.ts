/** `leasehold sql` as a process: what it prints, what it refuses, and that it needs no store. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { openBench } from './command-line.ts';
import { say } from './understood-lines.ts';

describe('leasehold sql', () => {
  it('prints a page of statements and opens no store, not even one that can’t be read', async () => {
    await using bench = openBench('mysql://nowhere');
    const { code, stdout, stderr } = await bench.run(['sql', 'claim', '--table', 'orders']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^-- From leasehold sql, for PostgreSQL 15 to 18\..*\n(?:--.*\n)+\n-- == next\n/);
    assert.ok(stdout.endsWith(';\n'));
    assert.deepEqual(readdirSync(bench.folder), []);
  });

  it('prints each statement as an object, or one alone', async () => {
    const { stdout } = await say(['sql', 'verdict', '--table', 'orders', '--json']);
    const steps = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      steps.map(({ step }) => step),
      ['done', 'failed', 'failed-permanent', 'unknown', 'review'],
    );
    assert.deepEqual(Object.keys(steps[0] ?? {}), ['step', 'values', 'about', 'sql', 'dialect']);
    const alone = await say(['sql', 'verdict', '--only', 'done', '--table', 'orders']);
    assert.equal(alone.stdout, `${String(steps[0]?.['sql'])}\n`);
  });

  it('prints begin only where the caller begins explicitly', async () => {
    const steps = async (...options: string[]): Promise<string[]> =>
      [...(await say(['sql', 'claim', '--table', 't', ...options])).stdout.matchAll(/^-- == (.+)$/gm)].map(
        ([, step = '']) => step,
      );
    assert.deepEqual(await steps(), ['next', 'ids', 'why', 'extend', 'return']);
    assert.deepEqual(await steps('--explicit-begin'), ['next', 'ids', 'why', 'begin', 'extend', 'return']);
  });

  const refused: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['claim'], /--table <table>' not specified/],
    [['claim', '--table', ''], /table: "" can't be read/],
    [['claim', '--table', 't', '--limit', '0'], /limit: "0" is not a whole number from 1 to 10000/],
    [['claim', '--table', 't', '--limit', '1e9'], /limit: "1e9" is not a whole number from 1 to 10000/],
    [['claim', '--table', 't', '--limit', '10001'], /is not a whole number from 1 to 10000/],
    [['claim', '--table', 't', '--lease', '10ms'], /lease is 10ms; it must lie between 1s and 31d/],
    [['claim', '--table', 't', '--attempts', '0'], /attempts: "0" is not a whole number from 1 to 1000/],
    [['claim', '--table', 't', '--dialect', 'mysql'], /dialect: "mysql" is not one of postgres, sqlite/],
    [['claim', '--table', 't', '--redo', 'never'], /redo: "never" is not one of ask, safe/],
    [
      ['claim', '--table', 't', '--only', 'begin'],
      /only: "begin" is not one of next, ids, why, extend, return; see leasehold --help|only: "begin" is not one of next, ids, why, extend, return$/m,
    ],
    [['claim', '--table', 't', '--psql', '--dialect', 'sqlite'], /--psql belongs to --dialect postgres/],
    [
      ['claim', '--table', 't', '--call-timeout', '5s'],
      /--call-timeout belongs to --explicit-begin, since nothing else asks what remains of the lease/,
    ],
    [['claim', 'orders', '--table', 't'], /too many arguments/],
    [['clam', '--table', 't'], /unknown command 'clam' \(Did you mean claim\?\)/],
  ];
  for (const [args, says] of refused) {
    it(`refuses ${args.join(' ') || 'nothing'} with exit 64`, async () => {
      const { code, stdout, stderr } = await say(['sql', ...args]);
      assert.deepEqual([code, stdout], [64, '']);
      assert.match(stderr, says);
    });
  }
});
