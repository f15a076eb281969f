/** A process that says its last verdict while another one holds the store, and ends. Clock: the host's; 2.5 s are waited for. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLeasehold } from '../../src/index.ts';

const INDEX = new URL('../../src/index.ts', import.meta.url).href;

/** Waits for a line before it speaks; nothing awaits the verdict, and nothing closes the store. */
const CHILD = `
import { once } from 'node:events';
import { openLeasehold } from ${JSON.stringify(INDEX)};
const leasehold = await openLeasehold(process.argv[1]);
const claim = await leasehold.pool('mails').claim({ ids: ['a'], leaseMs: 5_000 });
await claim.owned[0].begin();
console.log('begun');
await once(process.stdin, 'data');
process.stdin.destroy();
void claim.owned[0].done('mail-7').then(({ outcome }) => console.log(outcome));
`;

it('a verdict that can not be stored at once is stored before its process ends, although nobody waits for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'records-exit-'));
  const file = join(folder, 'leasehold.db');
  try {
    const args = ['--input-type=module', '--eval', CHILD, `sqlite:${file}`];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], timeout: 30_000 });
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(child.stdout, 'data');
    const writer = new DatabaseSync(file);
    writer.exec('begin immediate');
    child.stdin.end('speak\n');
    // Longer than two of the child's calls may take: a second each, under a lease of five.
    await sleep(2_500);
    assert.deepEqual(said, ['begun\n']);
    writer.exec('rollback');
    writer.close();
    const [code] = (await once(child, 'close')) as [number | null];
    assert.deepEqual([code, said.join('')], [0, 'begun\naccepted\n']);
    await using leasehold = await openLeasehold(`sqlite:${file}`);
    const [row] = await leasehold.pool('mails').records();
    assert.deepEqual([row?.state, row?.providerRef], ['done', 'mail-7']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
