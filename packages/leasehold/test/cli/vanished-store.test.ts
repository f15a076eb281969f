/** A store that goes away while a start waits for a lock in it, and another one that takes its place. */
import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { openBench, until } from './command-line.ts';

it('a start that waits begins anew where another store took the place of its own, and finds the lock free (C48)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-vanished-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [place, fresh] = [join(folder, 'store'), join(folder, 'fresh')];
  await using bench = openBench(`sqlite:${place}/leasehold.db`);
  const { stdout: token } = await bench.run(['acquire', 'a', '--lease', '5m']);
  await bench.run(['migrate', '--store', `sqlite:${fresh}/leasehold.db`]);
  const waiting = bench.start(['run', 'a', '--on-busy', 'wait', '--wait', '1m', '--', 'echo', 'ran']);
  await until('it waits', async () => (await bench.json(['runs', 'a'])).length === 2);
  renameSync(place, join(folder, 'gone'));
  renameSync(fresh, place);
  const { code, stdout, stderr } = await waiting.ended;
  assert.deepEqual([code, stdout, stderr], [0, 'ran\n', '']);
  const late = await bench.run(['release', 'a', '--token', token.trim()]);
  assert.equal(late.code, 0, 'free: who had it before has nothing to give back');
  assert.equal((await bench.run(['renew', 'a', '--token', token.trim()])).code, 77, 'and learns that it lost');
});
