/** What every command does for its store at its end, and what an operator sees of it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readRetention } from '../../src/cli/retention-config.ts';
import { openAlertBench } from './alert-bench.ts';
import { type Bench, linesOf, openBench } from './command-line.ts';
import { openRows } from './store-rows.ts';

const DAY_MS = 86_400_000;

interface EventLine {
  readonly kind: string;
  readonly severity: string;
  readonly message: string;
}

/** Runs, rows and all of a lock, so much further in the past. */
function backDate(bench: Bench, ms: number): void {
  using rows = openRows(bench);
  rows.exec(`update locks set since = since - ${ms}, lease_until = lease_until - ${ms}, overdue_at = overdue_at - ${ms},
      overdue_told = overdue_told - ${ms};
    update runs set started_at = started_at - ${ms}, ended_at = ended_at - ${ms};
    update events set at = at - ${ms};
    update upkeep set done_at = done_at - ${ms}`);
}

describe('watching', () => {
  it('any command tells that no run got through in three intervals, once', async () => {
    await using bench = openBench();
    const args = ['run', 'job', '--schedule', '0 * * * *', '--timezone', 'UTC', '--', 'true'];
    assert.equal((await bench.run(args)).code, 0);
    backDate(bench, 5 * 3_600_000);
    for (let look = 0; look < 2; look += 1) assert.equal((await bench.run(['status'])).code, 0);
    const events = await bench.json<EventLine>(['events', '--kind', 'run.none_in_interval']);
    assert.equal(events.length, 1);
    assert.equal(events[0]?.severity, 'critical');
    assert.match(
      events[0]?.message ?? '',
      /^No run of lock "job" got through in 3 intervals of its schedule \(0 \* \* \* \*, UTC\)/,
    );
    assert.equal((await bench.run(['run', 'job', '--again', ...args.slice(2)])).code, 0);
    backDate(bench, 5 * 3_600_000);
    await bench.run(['runs']);
    assert.equal((await bench.json(['events', '--kind', 'run.none_in_interval'])).length, 2);
  });

  it('work tells it, delivers what it told, and says both', async () => {
    await using bench = openAlertBench();
    bench.configure({ book: { type: 'log', file: join(bench.folder, 'alerts.log') } });
    await bench.run(['run', 'job', '--schedule', '0 * * * *', '--timezone', 'UTC', '--', 'true']);
    backDate(bench, 5 * 3_600_000);
    const { code, stdout } = await bench.run(['work', '--once']);
    assert.deepEqual(
      [code, linesOf(stdout)],
      [0, ['Raised 1 event that nobody would have told of.', 'Delivered 1 alert.']],
    );
    assert.deepEqual(await bench.run(['work', '--once']).then((again) => linesOf(again.stdout)), []);
  });

  it('a command that can do nothing for its store ends as it would have', async () => {
    await using bench = openBench();
    await bench.run(['run', 'job', '--', 'true']);
    {
      using rows = openRows(bench);
      rows.exec('alter table upkeep rename to elsewhere');
    }
    const { code, stderr } = await bench.run(['events']);
    assert.deepEqual([code, stderr.includes('No such event')], [0, true]);
  });
});

describe('retention', () => {
  it('takes old rows at the end of a command, at most once an hour; runs, events and why read well after it', async () => {
    await using bench = openBench();
    await bench.run(['run', 'job', '--', 'true']);
    {
      using rows = openRows(bench);
      rows.exec(`insert into runs (run_id, lock, holder, outcome, fence, started_at, ended_at, status, message)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 149)
        select 'old-' || i, 'job', 'h', 'acquired', 1, started_at + i, ended_at + i, 'success', message from runs, n;
        insert into events (at, kind, severity, lock, message, data)
        select started_at, 'run.skipped', 'info', 'job', 'So it was.', '{}' from runs`);
    }
    backDate(bench, 400 * DAY_MS);
    await bench.run(['status']);
    assert.deepEqual(await counts(bench), [100, 0]);
    backDate(bench, 1_000);
    assert.equal((await bench.json(['runs', 'job', '--limit', '1000'])).length, 100);
    assert.match((await bench.run(['events'])).stderr, /No such event\./);
    const now = await bench.run(['why', 'job']);
    assert.match(now.stdout, /would proceed now: it is free; its latest start: run old-149 of \S+ started: /);
    const then = await bench.run(['why', 'job', '--at', '2000-01-01T00:00:00Z']);
    assert.match(then.stdout, /^No start of lock "job" is recorded at or before 2000-01-01T00:00:00.000Z/);
  });

  it('is a duty of work, which says what it took', async () => {
    await using bench = openAlertBench();
    bench.configure({ book: { type: 'log', file: join(bench.folder, 'alerts.log') } });
    const acquire = ['acquire', 'job', '--lease', '5m'];
    await bench.run(acquire);
    await bench.run(acquire);
    backDate(bench, 400 * DAY_MS);
    const { stdout } = await bench.run(['work', '--once']);
    assert.deepEqual(linesOf(stdout), ['Took 0 old runs and 1 old event.']);
  });

  it('is that of the configuration file, also where the store is named elsewhere', async () => {
    await using bench = openBench();
    const config = join(bench.folder, 'leasehold.json');
    writeFileSync(config, JSON.stringify({ retention: { events: '30d' } }));
    const acquire = ['acquire', 'job', '--lease', '5m'];
    await bench.run(acquire);
    await bench.run(acquire);
    backDate(bench, 100 * DAY_MS);
    await bench.run(['status']);
    assert.equal((await counts(bench))[1], 1, 'a year without a file');
    backDate(bench, DAY_MS);
    await bench.run(['status', '--config', config]);
    assert.equal((await counts(bench))[1], 0);
  });

  it('is not done where the file that says it can’t be read', async () => {
    await using bench = openBench();
    const config = join(bench.folder, 'leasehold.json');
    writeFileSync(config, JSON.stringify({ retention: { events: '3 days' } }));
    const acquire = ['acquire', 'job', '--lease', '5m'];
    await bench.run(acquire);
    await bench.run(acquire);
    backDate(bench, 500 * DAY_MS);
    await bench.run(['status', '--config', config]);
    assert.equal((await counts(bench))[1], 1);
    const { code, stderr } = await bench.run(['status', '--config', config], { env: { LEASEHOLD_STORE: undefined } });
    assert.equal(code, 78);
    assert.match(
      stderr,
      /configuration \S+leasehold\.json is refused: retention of events: "3 days" is not a duration/,
    );
  });

  it('is read with its defaults, and a mistake in it is named', () => {
    assert.deepEqual(readRetention({ runs: '30d' }), { runsMs: 30 * DAY_MS, eventsMs: 365 * DAY_MS });
    assert.deepEqual(readRetention({}), { runsMs: 90 * DAY_MS, eventsMs: 365 * DAY_MS });
    for (const [value, says] of [
      [[], /is no object/],
      [{ run: '1d' }, /has an unknown key "run"/],
      [{ runs: 90 }, /says for runs what is no duration in quotes/],
      [{ runs: '12h' }, /retention of runs is 12h; it must lie between 1d and 36525d/],
    ] as const) {
      assert.throws(() => readRetention(value), says);
    }
  });
});

describe('what is usual', () => {
  it('stands beside the age of a run, and says where the age is beyond it', async () => {
    await using bench = openBench();
    await bench.run(['run', 'job', '--', 'true']);
    {
      using rows = openRows(bench);
      rows.exec('update runs set started_at = ended_at - 1200000');
    }
    await bench.run(['acquire', 'job', '--lease', '1h', '--holder', 'h']);
    for (const [minutes, cell] of [
      [12, /held {3}h {7}12m( \d+s)?, usually 20m {2}/],
      [25, /held {3}h {7}37m( \d+s)?, beyond its usual 20m {2}/],
    ] as const) {
      {
        using rows = openRows(bench);
        rows.exec(`update locks set since = since - ${minutes} * 60000`);
      }
      const [, line = ''] = linesOf((await bench.run(['status'])).stdout);
      assert.match(line, cell);
    }
    const [status] = await bench.json<Record<string, unknown>>(['status']);
    assert.equal(status?.['usualMs'], 1_200_000);
  });

  it('a lease that is below the slowest run is said at acquire, and the lock is held all the same (C29)', async () => {
    await using bench = openBench();
    await bench.run(['run', 'job', '--run-id', 'slow', '--', 'true']);
    {
      using rows = openRows(bench);
      rows.exec('update runs set started_at = ended_at - 600000');
    }
    const short = await bench.run(['acquire', 'job', '--lease', '45s']);
    assert.equal(short.code, 0);
    assert.equal(linesOf(short.stdout).length, 1);
    assert.match(
      short.stderr,
      /A lease of 45s is below the slowest known run \(10m, run slow\): unless it is renewed, the next start takes a healthy run's lock/,
    );
    await bench.run(['release', 'job', '--token', short.stdout.trim()]);
    const long = await bench.run(['acquire', 'job', '--lease', '11m']);
    assert.doesNotMatch(long.stderr, /slowest/);
  });
});

/** How many runs and events are left. */
async function counts(bench: Bench): Promise<unknown[]> {
  using rows = openRows(bench);
  const count = (table: string): unknown => rows.prepare(`select count(*) as n from ${table}`).get()?.['n'];
  return [count('runs'), count('events')];
}
