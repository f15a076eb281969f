/** `why` and `doctor` on what a real store has recorded: locks that wait for a person, and those taken by force. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Finding } from '../../src/domain/doctor.ts';
import { type Bench, openBench } from './command-line.ts';
import { endLeaseNow } from './store-rows.ts';

interface Why {
  readonly starts: boolean | null;
  readonly message: string;
}

async function why(bench: Bench, lock: string): Promise<Why> {
  const [answer] = await bench.json<Why>(['why', lock]);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

it('a stale lock that a start has left to a person is said to wait for one, by why and by doctor, until it is freed', async () => {
  await using bench = openBench();
  await bench.run(['acquire', 'job', '--lease', '5m', '--holder', 'h1']);
  endLeaseNow(bench, 'job');
  assert.equal((await why(bench, 'job')).starts, true);
  assert.equal((await bench.run(['run', 'job', '--on-stale', 'hold', '--', 'true'])).code, 75);
  const { starts, message } = await why(bench, 'job');
  assert.equal(starts, false);
  assert.match(message, /waits for a person; .*: leasehold force-release job --reason TEXT --now$/);
  const stale = (await bench.json<Finding>(['doctor'])).find(({ check }) => check === 'stale');
  assert.match(stale?.message ?? '', /: leasehold force-release job --reason TEXT --now$/);
  await bench.run(['force-release', 'job', '--reason', 'looked at it', '--now']);
  assert.equal((await why(bench, 'job')).starts, true);
});

it('after a force-release at once it is said that the run may still be running, until the next start has reclaimed', async () => {
  await using bench = openBench();
  await bench.run(['acquire', 'job', '--lease', '5m', '--holder', 'h1', '--run-id', 'r1']);
  await bench.run(['force-release', 'job', '--reason', 'stuck', '--now']);
  const { starts, message } = await why(bench, 'job');
  assert.equal(starts, true);
  assert.match(
    message,
    /would proceed now: it was force-released, and would be reclaimed; its run r1 of holder h1 may still be running; /,
  );
  const { code, stderr } = await bench.run(['run', 'job', '--', 'true']);
  assert.equal(code, 0);
  assert.match(stderr, /Reclaimed lease of lock "job" after a force-release/);
  assert.match((await why(bench, 'job')).message, /would proceed now: it is free; /);
});
