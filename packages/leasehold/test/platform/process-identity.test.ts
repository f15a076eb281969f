import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { checkHolderInfo } from '../../src/domain/holder-info.ts';
import {
  defaultHolder,
  parseNamespaceInode,
  parseStartTicks,
  processIdentity,
} from '../../src/platform/process-identity.ts';

const noProc = existsSync('/proc/self/stat') ? false : 'this system has no /proc';

test('a process names its host and itself, and fits into holder info', () => {
  const identity = processIdentity();
  assert.deepEqual([identity.host, identity.pid], [hostname(), process.pid]);
  assert.deepEqual(checkHolderInfo(identity), identity);
  assert.equal(defaultHolder(identity), `${hostname()}:${process.pid}`);
});

test('on Linux it also names its boot, PID namespace and start', { skip: noProc }, () => {
  const { bootId, pidNamespace, startTicks } = processIdentity();
  assert.equal(bootId, readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  assert.equal(`pid:[${pidNamespace}]`, readlinkSync('/proc/self/ns/pid'));
  assert.ok(startTicks !== null && startTicks > 0);
  assert.deepEqual(processIdentity(), processIdentity(), 'it does not change');
});

test('a process with the same id, started later, is another one', { skip: noProc }, () => {
  const module = new URL('../../src/platform/process-identity.ts', import.meta.url).href;
  const code = `import { processIdentity } from '${module}'; console.log(JSON.stringify(processIdentity()))`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  const identity = JSON.parse(child.stdout) as { startTicks: number };
  assert.ok(identity.startTicks > Number(processIdentity().startTicks));
});

test('a program whose name has blanks and brackets does not shift the start time', () => {
  const fields = Array.from({ length: 50 }, (_, n) => String(n + 3)).join(' ');
  for (const name of ['node', 'a b', 'evil) 1 2 3 (x', ')']) {
    assert.equal(parseStartTicks(`4242 (${name}) ${fields}\n`), 22, name);
  }
});

test('a line that is none gives no start time', () => {
  for (const line of ['', '4242 (node)', 'nonsense', '1 (x) R a b']) assert.equal(parseStartTicks(line), null);
});

test('only the link of a PID namespace gives an inode', () => {
  assert.equal(parseNamespaceInode('pid:[4026531836]'), '4026531836');
  for (const link of ['', 'net:[1]', 'pid:[]', '/x']) assert.equal(parseNamespaceInode(link), null);
});
