/** What the process probe says of real processes, and of holders that are not what they seem. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import type { ProbeVerdict } from '../../src/domain/evidence.ts';
import type { HolderInfo } from '../../src/domain/lock-state.ts';
import { childGroup, processIdentity } from '../../src/platform/process-identity.ts';
import { createProcessTable } from '../../src/platform/process-table.ts';
import type { ProcessTable } from '../../src/ports/process-table.ts';
import { createProcessProbe } from '../../src/probes/process/probe.ts';

const noProc = existsSync('/proc/self/stat') ? false : 'this system has no /proc';
const real = createProcessTable();

function ask(holderInfo: HolderInfo, table: ProcessTable = real): Promise<ProbeVerdict> {
  return createProcessProbe(table).ask({ lock: 'job', holder: 'h', runId: 'r', holderInfo }, 1_000);
}

async function stateOf(holderInfo: HolderInfo, table?: ProcessTable): Promise<string> {
  return (await ask(holderInfo, table)).state;
}

/** Identity of another process of this host. */
function identityOf(child: ChildProcess): HolderInfo {
  const pid = child.pid ?? 0;
  return { ...processIdentity(), pid, startTicks: childGroup(pid)?.startTicks ?? null };
}

function sleeper(): { child: ChildProcess; info: HolderInfo; kill(): Promise<void> } & Disposable {
  const child = spawn('sleep', ['20'], { detached: true, stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    child,
    info: identityOf(child),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

describe('a holder of this host', { skip: noProc }, () => {
  it('is alive while it runs, with or without a command', async () => {
    using holder = sleeper();
    using command = sleeper();
    for (const group of ['none', null, childGroup(command.child.pid ?? 0)]) {
      assert.deepEqual(await ask({ ...holder.info, childGroup: group }), {
        state: 'alive',
        detail: `process ${holder.child.pid} runs`,
      });
    }
  });

  it('is not called alive for a lock whose command has ended: it only gives the lock back', async () => {
    using holder = sleeper();
    using command = sleeper();
    const info = { ...holder.info, childGroup: childGroup(command.child.pid ?? 0) };
    assert.equal(await stateOf(info), 'alive');
    await command.kill();
    const detail = `process ${holder.child.pid} runs, its command has ended`;
    assert.deepEqual(await ask(info), { state: 'unknown', detail });
  });

  it('has ended once its process has, where it has no command', async () => {
    using holder = sleeper();
    await holder.kill();
    const verdict = await ask({ ...holder.info, childGroup: 'none' });
    assert.deepEqual(verdict, { state: 'ended', detail: `process ${holder.child.pid} has ended` });
  });

  it('has ended only when its command has, too', async () => {
    using holder = sleeper();
    using command = sleeper();
    const info = { ...holder.info, childGroup: childGroup(command.child.pid ?? 0) };
    await holder.kill();
    assert.match((await ask(info)).detail, /has ended, its child may be alive$/);
    assert.equal(await stateOf(info), 'unknown');
    await command.kill();
    assert.match((await ask(info)).detail, /and its command have ended$/);
    assert.equal(await stateOf(info), 'ended');
  });

  it('is not proven ended where nobody wrote down whether it has a command, or wrote nonsense', async () => {
    using holder = sleeper();
    await holder.kill();
    for (const group of [undefined, null, 'some', 7, {}, { pgid: 1, startTicks: 1 }, { pgid: 99 }, { pgid: '9' }, []]) {
      assert.equal(await stateOf({ ...holder.info, childGroup: group }), 'unknown', JSON.stringify(group));
    }
  });

  it('whose id another process has now has ended: start times tell them apart', async () => {
    using other = sleeper();
    const before = { ...other.info, startTicks: Number(other.info['startTicks']) - 1, childGroup: 'none' };
    assert.equal(await stateOf(before), 'ended');
    assert.equal(await stateOf({ ...other.info, childGroup: 'none' }), 'alive');
  });

  it('of another host, boot or PID namespace is not known, whatever has its id here', async () => {
    using holder = sleeper();
    const cases = { host: 'elsewhere', bootId: 'another', pidNamespace: '1' };
    for (const [key, value] of Object.entries(cases)) {
      assert.equal(await stateOf({ ...holder.info, [key]: value }), 'unknown', key);
    }
    await holder.kill();
    for (const [key, value] of Object.entries(cases)) {
      assert.equal(await stateOf({ ...holder.info, childGroup: 'none', [key]: value }), 'unknown', `${key}, gone`);
    }
  });

  it('that is the first process of its namespace, as in a container, is one like any other', async () => {
    const first = { ...processIdentity(), pid: 1, startTicks: childGroup(1)?.startTicks ?? null, childGroup: 'none' };
    assert.deepEqual(await ask(first), { state: 'alive', detail: 'process 1 runs' });
    assert.equal(await stateOf({ ...first, startTicks: Number(first.startTicks) + 1 }), 'ended');
    assert.match((await ask({ ...first, pidNamespace: '1' })).detail, /it runs in another PID namespace/);
  });

  it('that says too little of itself is not known: an id alone proves nothing', async () => {
    using holder = sleeper();
    await holder.kill();
    const whole = { ...holder.info, childGroup: 'none' };
    for (const key of ['host', 'pid', 'bootId', 'pidNamespace', 'startTicks']) {
      for (const value of [undefined, null, '', -1, ...(key === 'pid' ? [0] : []), 1.5, {}]) {
        assert.equal(await stateOf({ ...whole, [key]: value }), 'unknown', `${key} ${JSON.stringify(value)}`);
      }
    }
    assert.equal(await stateOf({ pid: holder.child.pid }), 'unknown');
  });
});

test('a holder that is stopped is not known to be alive, and one that ended unseen has ended', async () => {
  const info = { host: 'a', pid: 40, bootId: 'b', pidNamespace: 'n', startTicks: 7, childGroup: 'none' };
  const seen = { kind: 'seen', startTicks: 7, isStopped: false, hasEnded: false } as const;
  const table = (sight: ReturnType<ProcessTable['look']>, blindness: string | null = null): ProcessTable => ({
    place: () => ({ host: 'a', bootId: 'b', pidNamespace: 'n', blindness }),
    look: () => sight,
    company: () => 'hidden',
  });
  assert.equal(await stateOf(info, table(seen)), 'alive');
  assert.deepEqual(await ask(info, table({ ...seen, isStopped: true })), {
    state: 'unknown',
    detail: 'process 40 is stopped',
  });
  assert.equal(await stateOf(info, table({ ...seen, hasEnded: true })), 'ended');
  assert.equal(await stateOf(info, table({ kind: 'hidden' })), 'unknown');
  assert.equal(await stateOf(info, table({ kind: 'none' })), 'ended');
  assert.equal(await stateOf({ ...info, childGroup: { pgid: 41, startTicks: 8 } }, table({ kind: 'none' })), 'unknown');
  assert.equal(await stateOf(info, table({ kind: 'none' }, 'the /proc here hides processes')), 'unknown');
});
