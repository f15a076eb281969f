/** Runs the library's and the SQL's few lines of README.md as they stand, and holds its messages against the code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newLockState } from '../../src/domain/lock-state.ts';
import { acquiredMessage, reclaimedMessage, skippedMessage } from '../../src/domain/messages.ts';
import { POSTGRES_VERSIONS, row, TestStore } from '../stores/postgres/database.ts';
import { codeBlocks, readPage, ROOT } from './pages.ts';

const README = readPage('README.md');

test('the lines of the library do the work once, and tell who is skipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'packages/leasehold'), join(folder, 'node_modules/leasehold'), 'dir');
    const [example = ''] = codeBlocks(README, 'js');
    writeFileSync(join(folder, 'job.mjs'), example);
    writeFileSync(
      join(folder, 'enrich.js'),
      `import { execFileSync } from 'node:child_process';
export async function enrich({ signal }) {
  console.log('at work, lost:', signal.aborted);
  if (process.env.INNER === undefined) {
    const env = { ...process.env, INNER: '1' };
    console.log(execFileSync(process.execPath, [...process.execArgv, 'job.mjs'], { env, encoding: 'utf8' }));
  }
}`,
    );
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const args = ['--conditions=leasehold-source', 'job.mjs'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^at work, lost: false\nSkipped lock "hourly-enrich": previous run still running \(holder /);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the three lines of SQL acquire, renew and release', async () => {
  const [acquire = '', renew = '', release = ''] = (codeBlocks(README, 'sql')[0] ?? '').trim().split('\n');
  const [version] = POSTGRES_VERSIONS;
  await using store = await TestStore.open(version);
  const client = await store.client();
  const { outcome, token } = await row(client, acquire.replace('\\gset', ''));
  assert.equal(outcome, 'acquired');
  const withToken = (statement: string): string => statement.replace(":'token'", `'${String(token)}'`);
  assert.equal((await row(client, withToken(renew)))['outcome'], 'renewed');
  assert.equal((await row(client, withToken(release)))['outcome'], 'released');
});

test('the three answers are in the words of the code', () => {
  const instant = Date.UTC(2026, 10, 30);
  const lock = { ...newLockState('hourly-enrich'), holder: 'h', since: instant, leaseUntil: instant, skipsInRow: 1 };
  const previous = {
    holder: 'h',
    runId: null,
    since: null,
    ageMs: 1_000,
    renewedAt: null,
    progress: null,
    probe: null,
  };
  const messages = [
    acquiredMessage('hourly-enrich', 1, 300_000, instant),
    skippedMessage(lock, 'held', 'run', instant + 2_000),
    reclaimedMessage('hourly-enrich', previous, { forced: false, releasedItself: false }),
  ];
  const section = README.split('## The three answers')[1] ?? '';
  const quoted = codeBlocks(section, '').slice(0, 3);
  assert.deepEqual(quoted.map(withoutValues), messages.map(withoutValues));
});

/** A message with its instants and holders taken out. */
function withoutValues(message: string): string {
  const plain = message.trim().replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'INSTANT');
  return plain.replaceAll(/holder [^,)]+/g, 'holder H');
}
