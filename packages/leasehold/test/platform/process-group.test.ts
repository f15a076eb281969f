import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { isAlive, numberIn, until } from '../cli/command-line.ts';
import { isSessionAlive, signalGroup, signalSession } from '../../src/platform/process-group.ts';

/** Starts a child that leads its own group, says its id, and then looks at nothing, so that nobody reaps the child. */
const PARENT_THAT_REAPS_NOBODY = `
  const { spawn } = require('node:child_process');
  const child = spawn('true', { detached: true, stdio: 'ignore' });
  require('node:fs').writeSync(1, child.pid + '\\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20000);`;

test('a group whose last process has ended is not alive, although nobody has reaped it', async (t) => {
  if (!existsSync('/proc/self/stat')) {
    t.skip('this system has no /proc to tell ended processes from running ones');
    return;
  }
  const parent = spawn(process.execPath, ['-e', PARENT_THAT_REAPS_NOBODY], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => parent.kill('SIGKILL'));
  const groupId = await new Promise<number>((resolve) => {
    parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
  });
  const deadline = performance.now() + 5_000;
  while (isSessionAlive(groupId) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(isSessionAlive(groupId), false);
  assert.equal(
    signalGroup(groupId, 0),
    true,
    'the group still takes signals, which is why asking by one is not enough',
  );
});

test('a running group is alive, and one that never was is not', (t) => {
  const child = spawn('sleep', ['20'], { detached: true, stdio: 'ignore' });
  const groupId = child.pid ?? 0;
  t.after(() => signalGroup(groupId, 'SIGKILL'));
  assert.equal(isSessionAlive(groupId), true);
  assert.equal(signalGroup(groupId, 'SIGTERM'), true);
  // Above the largest process id that Linux gives (2^22).
  assert.equal(isSessionAlive(5_000_000), false);
  assert.equal(signalGroup(5_000_000, 'SIGTERM'), false);
});

/** Its shell has ended; one of its jobs is in a group of its own, the other in a session of its own. */
const JOBS = `set -m; sleep 20 & echo "own $!"; setsid sh -c 'echo "away $$"; exec sleep 20' & sleep 0.3; exit`;

test('a session is alive, and takes signals, in a group that its leader did not begin; who has left it does not', async (t) => {
  if (!existsSync('/proc/self/stat')) {
    t.skip('this system has no /proc to find other groups by');
    return;
  }
  const leader = spawn('bash', ['-c', JOBS], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const sessionId = leader.pid ?? 0;
  let said = '';
  leader.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise((resolve) => leader.once('exit', resolve));
  const [own, away] = [numberIn(said, 'own'), numberIn(said, 'away')];
  t.after(() => [own, away].map((groupId) => signalGroup(groupId, 'SIGKILL')));

  assert.equal(signalGroup(sessionId, 0), false, 'its own group is empty');
  assert.equal(isSessionAlive(sessionId), true);
  signalSession(sessionId, 'SIGTERM');
  await until('it is gone', () => !isSessionAlive(sessionId));
  assert.deepEqual([isAlive(own), isAlive(away)], [false, true]);
});
