/** `status`, `runs`, `events`: the text for people, and the fields of `--json` (design §11). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Bench, linesOf, openBench } from './command-line.ts';
import { openRows } from './store-rows.ts';

const STATUS_FIELDS =
  'lock state holder holderInfo since ageMs usualMs leaseUntil remainingMs skipsInRow lastSuccessAt nextSlotAt paused';
const RUN_FIELDS =
  'runId lock outcome reason slotAt holder holderInfo trigger fence startedAt endedAt status leaseMs renewedAt ageMs previousRunId message';
const EVENT_FIELDS = 'eventId at kind severity lock runId pool recordId holder message data';

/** One run that ended well, one that is under way, and one that met it. */
async function openUsedBench(): Promise<Bench> {
  const bench = openBench();
  assert.equal((await bench.run(['run', 'daily', '--holder', 'h1', '--', 'true'])).code, 0);
  assert.equal((await bench.run(['acquire', 'hourly', '--lease', '5m', '--holder', 'h2', '--run-id', 'r2'])).code, 0);
  assert.equal((await bench.run(['run', 'hourly', '--holder', 'h3', '--trigger', 'manual', '--', 'true'])).code, 75);
  return bench;
}

describe('with --json', () => {
  it('every field of status, runs and events is there, one object a line', async () => {
    await using bench = await openUsedBench();
    const locks = await bench.json<Record<string, unknown>>(['status']);
    assert.deepEqual(
      locks.map((lock) => [lock['lock'], lock['state'], lock['skipsInRow']]),
      [
        ['daily', 'free', 0],
        ['hourly', 'held', 1],
      ],
    );
    for (const lock of locks) assert.deepEqual(Object.keys(lock), STATUS_FIELDS.split(' '));
    const runs = await bench.json<Record<string, unknown>>(['runs']);
    assert.deepEqual(
      runs.map((run) => [run['holder'], run['outcome'], run['reason'], run['status'], run['trigger']]),
      [
        ['h3', 'skipped', 'held', null, 'manual'],
        ['h2', 'acquired', null, null, null],
        ['h1', 'acquired', null, 'success', null],
      ],
    );
    for (const run of runs) assert.deepEqual(Object.keys(run), RUN_FIELDS.split(' '));
    const events = await bench.json<Record<string, unknown>>(['events']);
    assert.deepEqual(
      events.map((event) => [event['kind'], event['lock'], event['holder']]),
      [['run.skipped', 'hourly', 'h3']],
    );
    for (const event of events) assert.deepEqual(Object.keys(event), EVENT_FIELDS.split(' '));
  });

  it('a run by `run` tells which process it was, so that a probe can prove it ended', async () => {
    await using bench = await openUsedBench();
    const [run] = await bench.json<{ holderInfo: Record<string, unknown> }>(['runs', 'daily']);
    assert.deepEqual(Object.keys(run?.holderInfo ?? {}).toSorted(), [
      'bootId',
      'childGroup',
      'host',
      'pid',
      'pidNamespace',
      'probe',
      'startTicks',
    ]);
  });

  it('no token of a run is shown', async () => {
    await using bench = openBench();
    const { stdout } = await bench.run(['acquire', 'a', '--lease', '5m']);
    await bench.run(['renew', 'a', '--token', stdout.trim()]);
    await bench.run(['acquire', 'a', '--lease', '5m']);
    for (const command of ['status', 'runs', 'events']) {
      for (const args of [[command], [command, '--json']]) {
        assert.ok(!(await bench.run(args)).stdout.includes(stdout.trim()), args.join(' '));
      }
    }
  });

  it('filters and limits narrow what is listed', async () => {
    await using bench = await openUsedBench();
    assert.equal((await bench.json(['runs', 'hourly'])).length, 2);
    assert.equal((await bench.json(['runs', '--limit', '1'])).length, 1);
    assert.equal((await bench.json(['status', 'daily'])).length, 1);
    assert.equal((await bench.json(['events', '--lock', 'daily'])).length, 0);
    assert.equal((await bench.json(['events', '--kind', 'run.skipped', '--lock', 'hourly'])).length, 1);
    assert.equal((await bench.json(['events', '--kind', 'lease.lost'])).length, 0);
    const mistyped = await bench.run(['events', '--kind', 'lease.lots']);
    assert.equal(mistyped.code, 64);
    assert.match(mistyped.stderr, /^leasehold: kind: "lease\.lots" is not one of run\.skipped, .*, settings\.changed/);
  });
});

describe('for people', () => {
  it('columns are aligned under their names', async () => {
    await using bench = await openUsedBench();
    const [header = '', daily = '', hourly = ''] = linesOf((await bench.run(['status'])).stdout);
    assert.match(header, /^LOCK {4}STATE {2}HOLDER {2}AGE +LEFT +SKIPS {2}LAST SUCCESS$/);
    assert.match(daily, /^daily {3}free {3}- {7}- +- +0 {6}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
    assert.match(hourly, /^hourly {2}held {3}h2 {6}\S+ +4m \d+s +1 {6}-$/);
    assert.equal(header.indexOf('LEFT'), hourly.indexOf('4m'));
    const runs = linesOf((await bench.run(['runs'])).stdout);
    assert.match(runs[0] ?? '', /^STARTED +LOCK +OUTCOME +STATUS +TOOK +HOLDER +RUN$/);
    assert.match(runs[1] ?? '', /Z {2}hourly {2}skipped \(held\) {2}- +- +h3 +[\w-]+$/);
    const events = linesOf((await bench.run(['events'])).stdout);
    assert.match(events[0] ?? '', /^AT +KIND +SEVERITY {2}LOCK OR POOL {2}MESSAGE$/);
    assert.match(
      events[1] ?? '',
      /Z {2}run\.skipped {2}warning {3}hourly {8}Skipped lock "hourly": previous run still/,
    );
  });

  it('nothing to show is said on stderr, with exit 0', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    for (const [args, says] of [
      [['status'], /No lock and no pool yet\./],
      [['status', 'x'], /"x" is not known: no start has asked for such a lock, and no such pool has a record\./],
      [['runs'], /No run yet\./],
      [['runs', 'x'], /No run of lock "x" yet\./],
      [['events'], /No such event\./],
    ] as const) {
      const { code, stdout, stderr } = await bench.run(args);
      assert.deepEqual([code, stdout], [0, '']);
      assert.match(stderr, says);
    }
  });

  it('what others wrote into the store can move no cursor', async () => {
    await using bench = await openUsedBench();
    {
      using rows = openRows(bench);
      rows.prepare('update locks set holder = ? where name = ?').run('evil\u001b[2J\nheld', 'hourly');
    }
    const { stdout } = await bench.run(['status', 'hourly']);
    assert.equal(linesOf(stdout).length, 2);
    assert.ok(!stdout.includes('\u001b'));
  });

  it('a reader that goes away is no crash', async () => {
    await using bench = await openUsedBench();
    const running = bench.start(['runs', '--json']);
    running.child.stdout?.destroy();
    const { code, signal, stderr } = await running.ended;
    assert.deepEqual([code, signal, stderr], [0, null, '']);
  });
});
