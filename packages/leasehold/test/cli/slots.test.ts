/** Slots on the command line: --schedule, --slot, --again, exit 76, and what a run learns of missed ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Bench, type Ended, openBench } from './command-line.ts';

/** Once a year, so that no test runs over a change of slots. */
const YEARLY = ['--schedule', '0 0 1 1 *', '--timezone', 'UTC'];
const NEW_YEAR = new Date(Date.UTC(new Date().getUTCFullYear(), 0)).toISOString();

const job = (bench: Bench, options: readonly string[], command: readonly string[] = ['true']): Promise<Ended> =>
  bench.run(['run', 'a', ...options, '--', ...command]);

describe('run --schedule', () => {
  it('starts a slot once: the second start is exit 76, says which run did it, and starts nothing', async () => {
    await using bench = openBench();
    assert.equal((await job(bench, YEARLY)).code, 0);
    const second = await job(bench, YEARLY, ['echo', 'ran']);
    assert.deepEqual([second.code, second.stdout], [76, '']);
    assert.match(
      second.stderr,
      /^leasehold: Already ran: slot .*-01-01T00:00:00.000Z of lock "a" was done by run [^\n]+\n$/,
    );
    assert.ok(second.stderr.includes(NEW_YEAR));
  });

  it('starts it again after a failure, and with --again', async () => {
    await using bench = openBench();
    assert.equal((await job(bench, YEARLY, ['false'])).code, 1);
    assert.equal((await job(bench, YEARLY)).code, 0);
    assert.equal((await job(bench, [...YEARLY, '--again'], ['echo', 'ran'])).stdout, 'ran\n');
  });

  it('gives the command its slot and what was missed, and takes those of a run around it away', async () => {
    await using bench = openBench();
    const slot = (day: number): string => `2020-01-0${day}T00:00:00.000Z`;
    const daily = ['--schedule', '@daily', '--timezone', 'UTC', '--slot'];
    await job(bench, [...daily, slot(1)]);
    const show = ['sh', '-c', 'echo "$LEASEHOLD_SLOT $LEASEHOLD_MISSED"'];
    const { stdout } = await job(bench, [...daily, slot(4)], show);
    assert.equal(stdout, `${slot(4)} ["${slot(2)}","${slot(3)}"]\n`);
    const env = { LEASEHOLD_SLOT: slot(1), LEASEHOLD_MISSED: '["x"]' };
    const bare = await bench.run(['run', 'b', '--', 'sh', '-c', 'echo "${LEASEHOLD_SLOT-unset} $LEASEHOLD_MISSED"'], {
      env,
    });
    assert.equal(bare.stdout, 'unset []\n');
  });
});

describe('acquire --schedule', () => {
  it('has the slot in its answer, and is exit 76 once it is done', async () => {
    await using bench = openBench();
    const acquire = ['acquire', 'a', '--lease', '5m', ...YEARLY, '--json'];
    const answer = JSON.parse((await bench.run(acquire)).stdout) as { slotAt: string; token: string };
    assert.equal(answer.slotAt, NEW_YEAR);
    await bench.run(['release', 'a', '--token', answer.token, '--status', 'success']);
    const second = await bench.run(acquire);
    assert.equal(second.code, 76);
    assert.equal((JSON.parse(second.stdout) as { outcome: string }).outcome, 'already_ran');
  });
});

describe('pause and resume', () => {
  it('stop new starts and let them in again, leaving the run under way alone', async () => {
    await using bench = openBench();
    const { stdout: token } = await bench.run(['acquire', 'a', '--lease', '5m']);
    const paused = await bench.run(['pause', 'a', '--reason', 'the provider is down']);
    assert.deepEqual([paused.code, paused.stderr], [0, '']);
    assert.match(
      paused.stdout,
      /^Paused lock "a": new starts are skipped, a run under way goes on; to go on: leasehold resume a \[/,
    );
    assert.equal((await bench.run(['renew', 'a', '--token', token.trim()])).code, 0);
    assert.equal((await bench.run(['release', 'a', '--token', token.trim()])).code, 0);
    const skipped = await job(bench, [], ['echo', 'ran']);
    assert.deepEqual([skipped.code, skipped.stdout], [75, '']);
    assert.match(skipped.stderr, /it is paused; to go on: leasehold resume a/);
    assert.match((await bench.run(['status', 'a'])).stdout, /free, paused/);
    assert.deepEqual(await bench.json(['pause', 'a']), [
      { outcome: 'already_paused', lock: 'a', message: 'Lock "a" was paused already; its new starts are skipped.' },
    ]);
    assert.match((await bench.run(['resume', 'a'])).stdout, /^Resumed lock "a": starts are let in again. \[/);
    assert.equal((await job(bench, [])).code, 0);
    assert.match((await bench.run(['resume', 'a'])).stdout, /^Lock "a" was not paused. \[/);
  });

  it('keep the reason with the event', async () => {
    await using bench = openBench();
    await bench.run(['pause', 'a', '--reason', 'moving house']);
    const [event] = await bench.json<{ kind: string; data: { reason: string } }>(['events', '--lock', 'a']);
    assert.deepEqual([event?.kind, event?.data.reason], ['lock.paused', 'moving house']);
  });
});

describe('why', () => {
  it('says of the lock as it is now whether a start would proceed, and what became of the latest', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    const why = async (): Promise<string> => (await bench.run(['why', 'a'])).stdout;
    assert.match(await why(), /^A start of lock "a" would proceed now: no start has asked for it yet. \[/);
    await job(bench, ['--run-id', 'r1']);
    assert.match(
      await why(),
      /would proceed now: it is free; its latest start: run r1 of \S+Z started: Acquired lock "a" .*; it ended \S+Z with success. \[/,
    );
    await bench.run(['acquire', 'a', '--lease', '5m', '--holder', 'me']);
    assert.match(
      await why(),
      /would be skipped now: holder me has it, and its lease ends \S+Z unless renewed; .* no end of it is recorded. \[/,
    );
    await job(bench, ['--run-id', 'r2']);
    await bench.run(['pause', 'a']);
    assert.match(
      await why(),
      /would be skipped now: it is paused; its latest start: run r2 of \S+Z did not start: Skipped lock "a": previous run still running \(holder me/,
    );
  });

  it('says of an instant why the latest start until then did or did not start, as JSON too', async () => {
    await using bench = openBench();
    await job(bench, ['--run-id', 'r1'], ['false']);
    const [first] = await bench.json<{ startedAt: string }>(['runs', 'a']);
    const { stdout: token } = await bench.run(['acquire', 'a', '--lease', '5m']);
    await job(bench, ['--run-id', 'r2']);
    await bench.run(['release', 'a', '--token', token.trim()]);
    const at = async (instant: string | undefined): Promise<string> =>
      (await bench.run(['why', 'a', '--at', instant ?? ''])).stdout;
    assert.match(await at(first?.startedAt), /^run r1 of \S+Z started: Acquired .*; it ended \S+Z with failure. \[/);
    const later = '2999-01-01T00:00:00Z';
    assert.match(await at(later), /^run r2 of \S+Z did not start: Skipped lock "a": previous run still running/);
    assert.match(
      await at('2000-01-01T00:00:00Z'),
      /^No start of lock "a" is recorded at or before 2000-01-01T00:00:00.000Z, among the newest 1000. \[/,
    );
    const [answer] = await bench.json<Record<string, unknown>>(['why', 'a', '--at', later]);
    assert.deepEqual(Object.keys(answer ?? {}), ['lock', 'at', 'starts', 'message', 'run', 'state']);
    assert.deepEqual([answer?.['starts'], (answer?.['run'] as { runId: string } | undefined)?.runId], [false, 'r2']);
  });
});
