/** The lease that the record advises, on the command line. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openBench } from './command-line.ts';
import { openRows } from './store-rows.ts';

it('advise names the lease, the option to paste, and the sample that it stands on', async () => {
  await using bench = openBench();
  assert.equal((await bench.run(['run', 'nightly', '--lease', '1m', '--', 'true'])).code, 0);
  {
    using rows = openRows(bench);
    rows.prepare("update runs set started_at = ended_at - 1200000 where lock = 'nightly'").run();
  }
  const { code, stdout } = await bench.run(['advise', 'nightly']);
  assert.equal(code, 0);
  assert.match(stdout, /^Advised lease for lock "nightly": 40m, twice the 95th percentile of its slowest day/);
  assert.match(stdout, /^ {2}--lease 40m$/m);
  assert.match(stdout, /^ {2}warning: A lease of 1m is below the slowest known run \(20m,/m);
  const json = JSON.parse((await bench.run(['advise', 'nightly', '--json'])).stdout) as Record<string, unknown>;
  assert.deepEqual([json['lock'], json['leaseMs'], json['rule']], ['nightly', 2_400_000, 'slow_day']);
});

it('advise has nothing but the schedule for a lock without history', async () => {
  await using bench = openBench();
  await bench.run(['migrate']);
  assert.match((await bench.run(['advise', 'new'])).stdout, /^Nothing is known of lock "new" yet/);
  const { stdout } = await bench.run(['advise', 'new', '--schedule', '*/5 9-17 * * 1-5', '--timezone', 'UTC']);
  assert.match(stdout, /: 11m, two gaps of its schedule plus a minute; there is no history yet/);
  assert.equal((await bench.run(['advise', 'new', '--renewal', 'sometimes'])).code, 64);
});
