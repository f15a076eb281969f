/** What is seen of other processes: by the real `/proc`, and by made-up ones where the real one can't be brought to it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { childGroup, processIdentity } from '../../src/platform/process-identity.ts';
import { createProcessTable, hidesProcesses, parseProcessStat } from '../../src/platform/process-table.ts';
import type { ProcessTable } from '../../src/ports/process-table.ts';

const noProc = existsSync('/proc/self/stat') ? false : 'this system has no /proc';
const PLAIN_MOUNT = '22 27 0:21 / /proc rw,relatime - proc proc rw\n';
/** Above the largest id that Linux gives. */
const NOBODY = 5_000_000;

const line = (pid: number, state: string, group: number, session: number, threads = 1): string =>
  `${pid} (a) b) ${state} 1 ${group} ${session} 0 -1 4194560 1 1 1 1 1 1 1 1 20 0 ${threads} 0 7 1 1\n`;

interface MadeUp extends Disposable {
  readonly root: string;
  table(signals?: readonly number[]): ProcessTable;
}

/** A `/proc` of these processes and files. */
function madeUp(stats: Readonly<Record<number, string | null>>, files: Readonly<Record<string, string>> = {}): MadeUp {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-proc-'));
  mkdirSync(join(root, String(process.pid)));
  symlinkSync(String(process.pid), join(root, 'self'));
  for (const [name, text] of Object.entries({ mountinfo: PLAIN_MOUNT, ...files })) {
    writeFileSync(join(root, String(process.pid), name), text);
  }
  writeFileSync(join(root, String(process.pid), 'stat'), line(process.pid, 'R', process.pid, process.pid));
  for (const [pid, stat] of Object.entries(stats)) {
    mkdirSync(join(root, pid));
    // A folder in its place can't be read, whoever reads it.
    if (stat === null) mkdirSync(join(root, pid, 'stat'));
    else writeFileSync(join(root, pid, 'stat'), stat);
  }
  return {
    root,
    table: (reached = []) => createProcessTable({ root, signals: (pid) => reached.includes(pid) }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}

describe('the real /proc', { skip: noProc }, () => {
  const table = createProcessTable();

  it('shows this process as its identity names it, and hides nothing', () => {
    const { host, bootId, pidNamespace, startTicks, pid } = processIdentity();
    assert.deepEqual(table.place(), { host, bootId, pidNamespace, blindness: null });
    assert.deepEqual(table.look(pid), { kind: 'seen', startTicks, isStopped: false, hasEnded: false });
  });

  it('shows who is not there', () => {
    assert.deepEqual(table.look(NOBODY), { kind: 'none' });
    assert.equal(table.company(NOBODY), 'nobody');
    assert.equal(childGroup(NOBODY), null);
  });

  it('shows a stopped process, a running group, and that it has ended', async () => {
    const child = spawn('sleep', ['20'], { detached: true, stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const seen = table.look(pid);
    assert.ok(seen.kind === 'seen' && !seen.isStopped);
    assert.deepEqual(childGroup(pid), { pgid: pid, startTicks: seen.startTicks });
    process.kill(pid, 'SIGSTOP');
    while (!/^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) await new Promise(setImmediate);
    assert.deepEqual(table.look(pid), { ...seen, isStopped: true });
    assert.equal(table.company(pid), 'somebody');
    process.kill(-pid, 'SIGKILL');
    await exited;
    assert.deepEqual(table.look(pid), { kind: 'none' });
    assert.equal(table.company(pid), 'nobody');
  });
});

describe('a /proc', () => {
  it('tells a process that has ended and was not looked at by its parent from one that runs', () => {
    using proc = madeUp({ 40: line(40, 'Z', 40, 40), 50: line(50, 'Z', 50, 50, 3) });
    const table = proc.table([40, -40, 50, -50]);
    assert.deepEqual(table.look(40), { kind: 'seen', startTicks: 7, isStopped: false, hasEnded: true });
    assert.equal(table.company(40), 'nobody');
    const threaded = table.look(50);
    assert.ok(threaded.kind === 'seen' && !threaded.hasEnded, 'its first thread has ended, the others work');
    assert.equal(table.company(50), 'somebody');
  });

  it('has company in a group and in a session', () => {
    using proc = madeUp({ 41: line(41, 'S', 40, 40), 51: line(51, 'S', 51, 50), 61: line(61, 'T', 60, 1) });
    for (const id of [40, 50, 60]) assert.equal(proc.table().company(id), 'somebody', String(id));
    assert.equal(proc.table().company(41), 'nobody');
  });

  it('that can not be read proves nothing', () => {
    using proc = madeUp({ 40: null, 41: 'nonsense' });
    assert.deepEqual(proc.table().look(40), { kind: 'hidden' });
    assert.deepEqual(proc.table().look(41), { kind: 'hidden' });
    assert.equal(proc.table().company(99), 'hidden');
    const none = createProcessTable({ root: join(proc.root, 'nowhere'), signals: () => false });
    assert.equal(none.place().blindness, 'this system has no /proc');
    assert.equal(none.company(99), 'hidden');
  });

  it('that does not show who takes signals proves nothing', () => {
    using proc = madeUp({});
    assert.deepEqual(proc.table([40]).look(40), { kind: 'hidden' });
    assert.deepEqual(proc.table([]).look(40), { kind: 'none' });
    assert.equal(proc.table([-40]).company(40), 'hidden');
  });

  it('under which processes keep going away settles nothing', () => {
    using proc = madeUp({});
    mkdirSync(join(proc.root, '40'));
    assert.equal(proc.table().company(99), 'hidden');
  });

  it('of another PID namespace, with hidden processes or shifted times says so', () => {
    {
      using proc = madeUp({});
      assert.equal(proc.table().place().blindness, null);
      rmSync(join(proc.root, 'self'));
      symlinkSync('1', join(proc.root, 'self'));
      assert.match(String(proc.table().place().blindness), /^the \/proc here is of another PID namespace$/);
    }
    using hiding = madeUp({}, { mountinfo: PLAIN_MOUNT.replace('proc proc rw', 'proc proc rw,hidepid=2') });
    assert.match(String(hiding.table().place().blindness), /^the \/proc here hides processes$/);
    using shifted = madeUp({}, { timens_offsets: 'monotonic 0 0\nboottime 86400 0\n' });
    assert.match(String(shifted.table().place().blindness), /^start times are shifted by a time namespace here$/);
  });
});

it('a mount of /proc hides processes by hidepid, under either name of its values, and no other mount does', () => {
  const mount = (place: string, options: string): string =>
    `22 27 0:21 / ${place} rw,relatime - proc proc ${options}\n`;
  for (const value of ['1', '2', '4', 'noaccess', 'invisible', 'ptraceable']) {
    assert.equal(hidesProcesses(mount('/proc', `rw,hidepid=${value}`)), true, value);
  }
  for (const value of ['0', 'off']) assert.equal(hidesProcesses(mount('/proc', `rw,hidepid=${value}`)), false, value);
  assert.equal(hidesProcesses(mount('/proc', 'rw')), false);
  assert.equal(hidesProcesses(mount('/chroot/proc', 'rw,hidepid=2')), false);
});

it('a line of stat is read behind the name, whatever that holds', () => {
  assert.deepEqual(parseProcessStat(line(9, 'S', 8, 7, 3)), {
    state: 'S',
    group: 8,
    session: 7,
    threads: 3,
    startTicks: 7,
  });
  for (const text of ['', '9 (a', '9 (a) S 1 2', '9 (a) ? 1 2 3']) assert.equal(parseProcessStat(text), null, text);
});
