import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { openBench, until } from './command-line.ts';

/** The demo's own folders in this bench's temporary folder. */
function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('leasehold-demo-'));
}

describe('leasehold demo', { concurrency: true }, () => {
  it('shows doubles, skips and a reclaim with the real messages, all of it holds, and nothing is left behind', async () => {
    await using bench = openBench();
    const { code, stdout, stderr } = await bench.run(['demo'], { env: { TMPDIR: bench.folder } });
    assert.equal(code, 0, stdout);
    assert.equal(stderr, '');
    assert.match(stdout, /The target counted (\d+) mails for 6 customers: [1-6] of them got more than one/);
    assert.match(stdout, /leasehold: Skipped lock "hourly-mail": previous run still running/);
    assert.match(stdout, /leasehold: Reclaimed stale lease of lock "hourly-mail"/);
    assert.equal(stdout.match(/The target counted 6 mails for 6 customers: none got two\./g)?.length, 2);
    assert.match(stdout, /All of it held\./);
    assert.doesNotMatch(stdout, /FAILED/);
    assert.deepEqual(leftovers(bench.folder), []);
  });

  it('ended by Ctrl-C, ends its processes and takes its folder away', async () => {
    await using bench = openBench();
    const running = bench.start(['demo'], { env: { TMPDIR: bench.folder } });
    await until('its first job is started', () => running.stdout().includes('start 1: runs'));
    running.kill('SIGINT');
    assert.equal((await running.ended).code, 130);
    assert.deepEqual(leftovers(bench.folder), []);
  });
});
