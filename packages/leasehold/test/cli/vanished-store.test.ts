/** A store whose file goes away while a start waits for a lock in it. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openBench, until } from './command-line.ts';

it('a start that waits begins anew where the store’s file was deleted under it, and finds the lock free (C48)', async () => {
  await using bench = openBench();
  const { stdout: token } = await bench.run(['acquire', 'a', '--lease', '5m']);
  const waiting = bench.start(['run', 'a', '--on-busy', 'wait', '--wait', '1m', '--', 'echo', 'ran']);
  await until('it waits', async () => (await bench.json(['runs', 'a'])).length === 2);
  for (const file of readdirSync(bench.folder)) rmSync(join(bench.folder, file));
  const { code, stdout, stderr } = await waiting.ended;
  assert.deepEqual([code, stdout, stderr], [0, 'ran\n', '']);
  const late = await bench.run(['release', 'a', '--token', token.trim()]);
  assert.equal(late.code, 0, 'free: who had it before has nothing to give back');
  assert.equal((await bench.run(['renew', 'a', '--token', token.trim()])).code, 77, 'and learns that it lost');
});
