/** Runs the lines of docs/guides/node.md, one block after another, with what they leave to their reader. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { codeBlocks, readPage, ROOT } from './pages.ts';

const READER = `
const enrich = async () => console.log('enriched');
const rows = [{ id: 'order-1' }, { id: 'order-2' }, { id: 'order-3' }];
const ids = ['order-9'];
const isRefusal = (error) => error.status === 422;
async function send({ id }, { idempotencyKey, signal }) {
  if (id === 'order-2') throw Object.assign(new Error('no mailbox'), { status: 422 });
  if (id === 'order-3') throw new Error('timed out');
  return { id: 'mail-' + id, idempotencyKey, aborted: signal.aborted };
}
const provider = { search: async () => ({ id: 'found-1' }) };
`;

const ENDS = `
console.log((await pool.records()).map(({ id, state, providerRef }) => [id, state, providerRef].join(' ')).join('; '));
console.log('asked', report.asked, 'done', report.done);
`;

test('the lines of the guide do what they say', () => {
  const folder = mkdtempSync(join(tmpdir(), 'node-guide-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'packages/leasehold'), join(folder, 'node_modules/leasehold'), 'dir');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const lines = codeBlocks(readPage('docs/guides/node.md'), 'js');
    writeFileSync(join(folder, 'guide.mjs'), [READER, ...lines, ENDS].join('\n'));
    const args = ['--conditions=leasehold-source', 'guide.mjs'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^enriched$/m);
    assert.match(stdout, /^order-1 done mail-order-1; order-2 failed ; order-3 review ; order-9 queued $/m);
    assert.match(stdout, /^asked 0 done 0$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
