/** 100,000 ids offered in one call, and more than fit into memory. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openBench } from '../command-line.ts';
import { claim, type ClaimObject, idsOf } from './answers.ts';

/** What the process has used at most so far, in MiB; NaN for one that has ended. */
function peakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

describe('many ids in one call', () => {
  it('of 100,000 from stdin the claim takes its limit, and each of the others is refused as over_limit', async () => {
    await using bench = openBench();
    const ids = Array.from({ length: 100_000 }, (_, at) => `order-${at}`);
    await claim(bench, ['p', '--ids', 'order-0', '--holder', 'other']);
    const answer = await claim(bench, ['p', '--ids-file', '-', '--limit', '20'], `${ids.join('\n')}\n`);
    assert.deepEqual(idsOf(answer.owned), ids.slice(1, 21));
    assert.deepEqual(idsOf(answer.refused), [ids[0], ...ids.slice(21)]);
    assert.deepEqual([...new Set(answer.refused.map(({ why }) => why))], ['claimed', 'over_limit']);
    assert.match(answer.message, /^Claimed 20 of 100000 records offered to pool "p"/);
  });

  it('to people the first reasons are said and the rest is counted', async () => {
    await using bench = openBench();
    const ids = Array.from({ length: 3_000 }, (_, at) => `order-${at}`);
    await claim(bench, ['p', '--ids-file', '-', '--limit', '40'], ids.slice(0, 40).join('\n'));
    const { code, stdout, stderr } = await bench.run(['claim', 'p', '--ids-file', '-'], { stdin: ids.join('\n') });
    assert.equal(code, 0);
    assert.match(stdout, /^Claimed 50 of 3000 records offered to pool "p"/);
    assert.equal(stdout.split('\n').filter((line) => /^order-\d+ +-/.test(line)).length, 50);
    assert.match(stderr, /Not given: record "order-19": .* has it since/);
    assert.match(stderr, /^leasehold: Not given: 20 more, each with its reason; --json lists them\. \[/m);
    assert.match(stderr, /^leasehold: Not given: 2910 more, since the claim was full;/m);
  });

  it('more than fit into memory are read from a file without a name, in bounded memory', async () => {
    await using bench = openBench();
    const file = join(bench.folder, 'ids.txt');
    const idOf = (at: number): string => `${at}-${'x'.repeat(90)}`;
    const count = 300_000;
    writeFileSync(file, Array.from({ length: count }, (_, at) => idOf(at)).join('\n'));
    const running = bench.start(['claim', 'p', '--ids-file', file, '--limit', '10', '--json']);
    let peak = 0;
    const look = setInterval(() => {
      try {
        peak = Math.max(peak, peakMiB(running.pid) || 0);
      } catch {
        // It has ended.
      }
    }, 20);
    const { code, stdout, stderr } = await running.ended;
    clearInterval(look);
    assert.equal(code, 0, stderr);
    const answer = JSON.parse(stdout) as ClaimObject;
    assert.equal(answer.owned.length + answer.refused.length, count);
    assert.match(answer.message, /^Claimed 10 of 300000 records offered to pool "p"/);
    assert.deepEqual(answer.refused.at(-1), {
      id: idOf(count - 1),
      version: '',
      why: 'over_limit',
      by: null,
      since: null,
    });
    assert.ok(peak > 0 && peak < 250, `used ${Math.round(peak)} MiB`);
  });
});
