/** --store-wait: patience with a store that can't be reached when a run is to start. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { StoreWait } from '../../src/cli/store-wait.ts';
import { LeaseholdError } from '../../src/errors.ts';
import { FakeClock } from '../../src/testing/fake-clock.ts';
import { openBench, until } from './command-line.ts';

const away = (): LeaseholdError => new LeaseholdError('STORE_UNREACHABLE', 'The line is down.');

function patience(waitMs: number): { wait: StoreWait; clock: FakeClock; said: string[]; interrupt: AbortController } {
  const [clock, said, interrupt] = [new FakeClock(), [] as string[], new AbortController()];
  const say = async (message: string): Promise<void> => void said.push(message);
  return { wait: new StoreWait({ waitMs, clock, say, interrupted: interrupt.signal }), clock, said, interrupt };
}

/** What was asked just now gets as far as it can before time passes. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  await clock.advance(0);
  await clock.advance(ms);
}

describe('patience with a store', () => {
  it('tries until it answers, and says so once', async () => {
    const { wait, clock, said } = patience(60_000);
    let asked = 0;
    const answer = wait.for(async () => {
      asked += 1;
      if (asked < 10) throw away();
      return 'there';
    });
    await pass(clock, 20_000);
    assert.equal(await answer, 'there');
    assert.deepEqual([asked, said], [10, ['The line is down; waiting for it for at most 1m']]);
  });

  it('is bounded in total, over everything it is asked for', async () => {
    const { wait, clock, said } = patience(10_000);
    const first = wait.for(async () => {
      if (clock.read().monotonicMs < 7_000) throw away();
    });
    await pass(clock, 8_000);
    await first;
    const second = assert.rejects(
      wait.for(() => Promise.reject(away())),
      /line is down/,
    );
    await pass(clock, 4_000);
    await second;
    assert.equal(clock.pendingCount, 0);
    assert.equal(said.length, 1);
  });

  it('of 0 is none: nothing is tried again or said', async () => {
    const { wait, said } = patience(0);
    await assert.rejects(
      wait.for(() => Promise.reject(away())),
      /line is down/,
    );
    assert.deepEqual(said, []);
  });

  it('is not for a store that can not be used, and ends with a signal', async () => {
    const { wait, said, interrupt } = patience(60_000);
    const refused = new LeaseholdError('STORE_FORBIDDEN', 'wrong password');
    await assert.rejects(
      wait.for(() => Promise.reject(refused)),
      refused,
    );
    assert.deepEqual(said, []);
    const waiting = wait.for(() => Promise.reject(away()));
    interrupt.abort();
    await assert.rejects(waiting, /line is down/);
  });
});

describe('run --store-wait', () => {
  /** A server that lets nobody in yet. */
  async function closedPort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    return port;
  }

  it('waits for at most so long, says so once, and starts nothing: exit 69', async () => {
    await using bench = openBench(`postgres://u@127.0.0.1:${await closedPort()}/d`);
    const { code, stdout, stderr } = await bench.run(['run', 'a', '--store-wait', '1500ms', '--', 'echo', 'ran']);
    assert.deepEqual([code, stdout], [69, '']);
    assert.match(
      stderr,
      /^leasehold: [^\n]*; waiting for it for at most 1s\nleasehold: [^\n]*nothing was started[^\n]*\n$/,
    );
  });

  it('ends with a signal at once, with 143', async () => {
    await using bench = openBench(`postgres://u@127.0.0.1:${await closedPort()}/d`);
    const running = bench.start(['run', 'a', '--store-wait', '1h', '--', 'echo', 'ran']);
    await until('it waits', () => running.stderr().includes('waiting for it'));
    running.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    assert.deepEqual([code, stdout], [143, '']);
  });
});
