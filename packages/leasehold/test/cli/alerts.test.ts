/** Alerts that commands deliver after their own work: real processes, a real receiver that counts by itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answers, hangs, Receiver } from '../alerts/receiver.ts';
import { type AlertBench, openAlertBench } from './alert-bench.ts';
import { until } from './command-line.ts';

const SLEEPS = ['--', 'sh', '-c', 'echo begun; exec sleep 30'];

/** A lock that another process holds. */
async function hold(bench: AlertBench, lock = 'job'): Promise<void> {
  const held = await bench.run(['acquire', lock, '--lease', '1h']);
  assert.equal(held.code, 0, held.stderr);
}

describe('a command delivers alerts', () => {
  it('after a skip: exit 75, and the receiver has it with who holds the lock', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    bench.configure({ ops: { type: 'webhook', url: receiver.url, secret: 'env:HOOK_SECRET' } });
    const env = { HOOK_SECRET: 'hunter3' };
    assert.equal((await bench.run(['acquire', 'job', '--lease', '1h'], { env })).code, 0);
    const skipped = await bench.run(['run', 'job', '--', 'echo', 'ran'], { env });
    assert.deepEqual([skipped.code, skipped.stdout], [75, '']);
    assert.deepEqual(receiver.kinds, ['run.skipped']);
    assert.match(
      String(receiver.received[0]?.alert['text']),
      /previous run still running.*leasehold force-release job/,
    );
    assert.match(String(receiver.received[0]?.headers['leasehold-signature']), /^sha256=[0-9a-f]{64}$/);
  });

  it('of three skips in a row also the streak, once; a critical channel gets nothing else (C12)', async () => {
    await using bench = openAlertBench();
    await using all = await Receiver.open();
    await using pager = await Receiver.open();
    bench.configure({
      all: { type: 'webhook', url: all.url },
      pager: { type: 'webhook', url: pager.url, minSeverity: 'critical' },
    });
    await hold(bench);
    for (let skip = 1; skip <= 4; skip += 1) await bench.run(['run', 'job', '--', 'true']);
    assert.deepEqual(
      all.kinds.toSorted((a, b) => String(a).localeCompare(String(b))),
      ['run.skip_streak', 'run.skipped', 'run.skipped', 'run.skipped', 'run.skipped'],
    );
    assert.deepEqual(pager.kinds, ['run.skip_streak']);
  });

  it('after the run it guarded, whose exit code and output stay as they are', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    const ran = await bench.run(['run', 'job', '--bypass', '--reason', 'hotfix', '--', 'sh', '-c', 'echo out; exit 3']);
    assert.deepEqual([ran.code, ran.stdout], [3, 'out\n']);
    assert.deepEqual(receiver.kinds, ['run.bypassed']);
  });

  it('also while a long command runs: that its lease was reclaimed must not wait for its end', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    await hold(bench);
    bench.change('update locks set lease_until = 1');
    const running = bench.start(['run', 'job', ...SLEEPS]);
    await until('the reclaim has arrived', () => receiver.kinds.includes('lease.reclaimed'));
    assert.equal(running.child.exitCode, null);
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 143);
  });

  it('for at most 2 s, with the exit code that it has anyway, and never before the command has started', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    receiver.answer = hangs;
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    const paused = await bench.run(['pause', 'other']);
    assert.equal(paused.code, 0, 'a command that hands its alert to a receiver that hangs');
    const [first] = receiver.received;
    assert.equal(first?.alert['kind'], 'lock.paused');
    bench.change('update alerts set next_attempt_at = 0, taken_until = null');
    const running = bench.start(['run', 'job', '--', 'sh', '-c', 'echo begun; sleep 1; exit 5']);
    await until('the alert is sent once more', () => receiver.received.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(running.stdout(), 'begun\n', 'while the request still hangs, which it does for 1.5 s');
    const begun = performance.now();
    const ended = await running.ended;
    assert.equal(ended.code, 5);
    assert.ok(performance.now() - begun < 6_000, 'two deliveries of 2 s at most, on a busy machine');
    assert.match(
      ended.stderr,
      /1 alert could not be delivered yet, and will be tried again \(ops: 127\.\S+ did not answer in time\)/,
    );
    assert.doesNotMatch(ended.stderr, /hunter2/);
  });

  it('but not at the expense of the lease that it hands out', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    receiver.answer = hangs;
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    await bench.run(['pause', 'other']);
    bench.change('update alerts set next_attempt_at = 0, taken_until = null');
    const acquiring = bench.start(['acquire', 'job', '--lease', '5s']);
    await until('it is asked for', () => receiver.received.length === 2);
    const asked = performance.now();
    assert.equal((await acquiring.ended).code, 0);
    assert.ok(performance.now() - asked < 1_500, 'a tenth of the lease, and the end of a process');
  });

  it('only where a channel is configured: otherwise the outbox stays as it is', async () => {
    await using bench = openAlertBench();
    await bench.run(['pause', 'job']);
    await bench.run(['status']);
    const untouched = bench.rows('select state, attempts, taken_by from alerts');
    assert.deepEqual(
      untouched.map((each) => ({ ...each })),
      [{ state: 'pending', attempts: 0, taken_by: null }],
    );
  });

  it('and one that was killed between sending and settling has it sent again, with the same id', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    receiver.answer = hangs;
    const pausing = bench.start(['pause', 'job']);
    await until('the alert has arrived', () => receiver.received.length === 1);
    pausing.kill('SIGKILL');
    await pausing.ended;
    receiver.answer = answers(200);
    await bench.run(['work', '--once']);
    assert.equal(receiver.received.length, 1, 'not while the dead one has it');
    bench.change('update alerts set taken_until = taken_until - 61000');
    await bench.run(['work', '--once']);
    const ids = receiver.received.map(({ headers }) => headers['leasehold-alert-id']);
    assert.equal(ids.length, 2);
    assert.equal(ids[0], ids[1]);
    await bench.run(['work', '--once']);
    assert.equal(receiver.received.length, 2, 'and then no more');
  });

  it('and processes that deliver at once send each alert once', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    await bench.run(['pause', 'job']);
    bench.change(`
      update alerts set state = 'pending', attempts = 0, delivered_to = '[]';
      with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < 40)
      insert into events (at, kind, severity, lock, message, data)
        select e.at, e.kind, e.severity, 'lock-' || value, e.message, '{"reason":null}' from events e, numbers;
      insert into alerts (event_id, dedup_key, next_attempt_at) select seq, 'k', at from events where lock like 'lock-%'`);
    const before = receiver.received.length;
    await Promise.all([1, 2, 3].map(() => bench.run(['work', '--once'])));
    const locks = receiver.received.slice(before).map(({ alert }) => alert['lock']);
    assert.equal(locks.length, 41);
    assert.equal(new Set(locks).size, 41);
  });
});
