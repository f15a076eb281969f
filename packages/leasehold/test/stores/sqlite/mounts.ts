import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Why this process can't mount file systems of its own; false if it can. Printed with the tests that are skipped. */
export const cannotMount: string | false = findOut();

function findOut(): string | false {
  if (process.platform !== 'linux') return 'file systems of a test can be mounted on Linux only';
  if (process.getuid?.() !== 0) return 'only root may mount file systems';
  const probe = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { encoding: 'utf8' });
  return probe.status === 0 ? false : `this system lets nobody mount: ${probe.stderr || String(probe.error)}`;
}

/** The folder of an empty file system in memory; it is taken away when the test ends. */
export function mountMemory(t: TestContext, options: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-mount-'));
  mount('-t', 'tmpfs', '-o', options, 'tmpfs', folder);
  t.after(() => {
    run('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  return folder;
}

/** A path at which the file `source` is mounted once more, alone; it is taken away when the test ends. */
export function mountAlone(t: TestContext, source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-mount-'));
  const place = join(folder, 'mounted.db');
  writeFileSync(place, '');
  mount('--bind', source, place);
  t.after(() => {
    run('umount', ['--lazy', place]);
    rmSync(folder, { recursive: true });
  });
  return place;
}

export function remountReadOnly(folder: string): void {
  mount('-o', 'remount,ro', folder);
}

export function remountWritable(folder: string): void {
  mount('-o', 'remount,rw', folder);
}

function mount(...args: string[]): void {
  run('mount', args);
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
