import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { startChild } from '../../src/cli/guard/child.ts';
import { lossBeforeEnd } from '../../src/cli/guard/loss-before-end.ts';
import { createCommandProcess } from '../../src/platform/command-host.ts';

it('an end that has happened, and has not been heard of yet, comes before a loss that has', async () => {
  const child = startChild(['sh', '-c', 'exit 4'], process.env, { isPiped: false });
  // This process hears of nothing meanwhile, as when it is stopped, and the command is through.
  spawnSync('sleep', ['0.5']);
  assert.equal(child.end, null);
  assert.equal(await lossBeforeEnd(child, AbortSignal.abort(), createCommandProcess()), false);
  assert.deepEqual(child.end, { kind: 'exited', code: 4 });
});

it('a loss comes before an end that is still to come', async () => {
  const child = startChild(['sleep', '20'], process.env, { isPiped: false });
  assert.equal(await lossBeforeEnd(child, AbortSignal.abort(), createCommandProcess()), true);
  process.kill(-(child.groupId ?? 0), 'SIGKILL');
  assert.deepEqual(await child.ended, { kind: 'signalled', signal: 'SIGKILL' });
});
