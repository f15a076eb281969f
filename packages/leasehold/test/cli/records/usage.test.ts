/** Command lines of records that are refused: exit 64, one line, and no store is touched. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openInProcess } from './in-process.ts';

const LONG = 'x'.repeat(1_025);

const REFUSED: readonly (readonly [args: readonly string[], says: string])[] = [
  [['claim', 'p', '--limit', '0'], 'limit: "0" is not a whole number from 1 to 10000'],
  [['claim', 'p', '--limit', '-1'], 'limit: "-1" is not a whole number from 1 to 10000'],
  [['claim', 'p', '--limit', '1e9'], 'limit: "1e9" is not a whole number from 1 to 10000'],
  [['claim', 'p', '--limit', '1000000000'], 'limit: "1000000000" is not a whole number from 1 to 10000'],
  [['claim', 'p', '--lease', '0s'], 'lease is 0ms; it must lie between 1s and 31d'],
  [['claim', 'p', '--ids', LONG], 'ids: an id is 1025 bytes long; the limit is 1024'],
  [['claim', 'p', '--ids', 'a', '--ids-file', '-'], '--ids and --ids-file exclude each other'],
  [['claim', 'p', '--ids-file', 'none.txt'], "ids-file: none.txt can't be read (ENOENT)"],
  [['claim', 'p'.repeat(256)], 'pool name is 256 bytes long; the limit is 255'],
  [['claim', 'p', '--holder', ''], 'holder is empty; give it 1 to 1024 bytes'],
  [['enqueue', 'p'], 'enqueue needs --ids ID,… or --ids-file FILE'],
  [['begin', 'p', 'a'], "the claim's token is needed: --token T, or LEASEHOLD_CLAIM_TOKEN"],
  [['begin', 'p', LONG, '--token', 't'], 'record id is 1025 bytes long; the limit is 1024'],
  [
    ['verdict', 'p', 'a', 'finished', '--token', 't'],
    'verdict: "finished" is not one of done, failed, unknown, review',
  ],
  [['verdict', 'p', 'a', 'failed', '--token', 't', '--provider-ref', 'r'], '--provider-ref belongs to done'],
  [['verdict', 'p', 'a', 'unknown', '--token', 't', '--permanent'], '--permanent belongs to failed'],
  [['verdict', 'p', 'a', 'done', '--token', 't', '--error', 'e'], '--error belongs to failed, unknown and review'],
  [
    ['verdict', 'p', 'a', 'done', '--token', 't', '--provider-ref', 'r'.repeat(4_097)],
    'provider reference is 4097 bytes long; the limit is 4096',
  ],
  [['records', 'p', '--state', 'lost'], 'state: "lost" is not one of queued, claimed, done, failed, review, cancelled'],
  [['records', 'p', '--limit', '1001'], 'limit must be a whole number from 1 to 1000'],
  [['records', 'p', '--after-version', '1'], '--after-version belongs to --after'],
  [['review', 'p', 'a'], 'say what is decided about record "a": ask, done, requeue, fail'],
  [['review', 'p', 'a', 'undo', '--reason', 'r'], 'action: "undo" is not one of ask, done, requeue, fail'],
  [['review', 'p', 'a', 'done'], 'done needs --reason TEXT'],
  [['review', 'p', '--reason', 'r'], '--reason belongs to a decision: review POOL ID ACTION --reason TEXT'],
  [['review', 'p', 'a', 'fail', '--reason', 'r', '--provider-ref', 'x'], '--provider-ref belongs to done'],
  [['pool', 'p', '--reason', 'r'], '--reason belongs to a change of the pool'],
  [['pool', 'p', '--attempts', '101'], 'attempts: "101" is not a whole number from 1 to 100'],
  [['pool', 'p', '--redo', 'always'], 'redo: "always" is not one of ask, safe'],
  [['pool', 'p', '--call-timeout', '2h'], 'call-timeout: "2h" must lie between 0ms and 1h'],
  [['pool', 'p', '--redo-window', '0s'], 'redo-window: "0s" must lie between 1ms and 3650d'],
  [['pool', 'p', '--redo', 'ask', '--redo-window', '1d'], '--redo-window belongs to --redo safe'],
];

describe('a command line of records that makes no sense', () => {
  for (const [args, says] of REFUSED) {
    it(`leasehold ${args.map((word) => word.slice(0, 20)).join(' ')}: ${says}`, async () => {
      using bench = openInProcess();
      const { code, stdout, stderr } = await bench.run(args);
      assert.deepEqual([code, stdout], [64, '']);
      assert.equal(stderr.replace(/; see leasehold --help/, ''), `leasehold: ${says}\n`);
      assert.equal(existsSync(join(bench.folder, 'leasehold.db')), false);
    });
  }

  it('a wrong line among good ones claims and enqueues nothing, and is named', async () => {
    using bench = openInProcess();
    for (const command of ['claim', 'enqueue']) {
      const { code, stdout, stderr } = await bench.run([command, 'p', '--ids-file', '-'], {
        stdin: `a\r\n\r\n${LONG}\r\nb`,
      });
      assert.deepEqual([code, stdout], [64, '']);
      const says = 'ids-file stdin: line 3: record id is 1025 bytes long; the limit is 1024. No store was touched';
      assert.equal(stderr, `leasehold: ${says}\n`);
    }
    assert.equal(existsSync(join(bench.folder, 'leasehold.db')), false);
  });

  it('a store that ends with the process keeps no record, so nothing is enqueued in it', async () => {
    using bench = openInProcess('sqlite::memory:');
    for (const args of [
      ['enqueue', 'p', '--ids', 'a'],
      ['claim', 'p'],
      ['pool', 'p', '--attempts', '2'],
    ]) {
      const { code, stdout, stderr } = await bench.run(args);
      assert.deepEqual([code, stdout], [64, ''], stderr);
      assert.match(stderr, /^leasehold: sqlite::memory: ends with this process, so it guards nothing/);
    }
  });
});
