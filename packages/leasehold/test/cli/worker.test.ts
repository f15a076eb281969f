/** The loop of `work`, on a clock that only the test moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Duty } from '../../src/cli/work/duties.ts';
import { Worker } from '../../src/cli/work/worker.ts';
import type { Leasehold } from '../../src/engine/api.ts';
import { LeaseholdError } from '../../src/errors.ts';
import { FakeClock } from '../../src/testing/index.ts';

const away = (): LeaseholdError => new LeaseholdError('STORE_UNREACHABLE', 'Store test is away.');

function duty(name: string, everyMs: number, work: () => void): Duty {
  return {
    name,
    everyMs,
    async do() {
      work();
      return null;
    },
  };
}

function stage(duties: readonly Duty[], openStore: () => void = () => {}) {
  const clock = new FakeClock();
  const said: string[] = [];
  const outages: string[] = [];
  const stop = new AbortController();
  const worker = new Worker({
    clock,
    ids: { newId: () => 'id', random: () => 0 },
    duties,
    async open() {
      openStore();
      return { close: async () => {} } as unknown as Leasehold;
    },
    tell: async () => {},
    say: async (message) => void said.push(message),
    onOutage: async (error) => void outages.push(error.code),
  });
  return { clock, worker, stop, said, outages };
}

test('each duty is done at its own pace', async () => {
  const done = { often: 0, seldom: 0 };
  const duties = [duty('often', 5_000, () => (done.often += 1)), duty('seldom', 60_000, () => (done.seldom += 1))];
  const { clock, worker, stop } = stage(duties);
  const ended = worker.until(stop.signal);
  for (let second = 0; second < 61; second += 1) await clock.advance(1_000);
  stop.abort();
  await ended;
  assert.deepEqual(done, { often: 13, seldom: 2 });
});

test('a store that is away is asked after 1 s, 2 s, 4 s … up to a minute; it is said once, and once that it is back', async () => {
  let isAway = true;
  const askedAt: number[] = [];
  const { clock, worker, stop, said, outages } = stage([duty('any', 5_000, () => {})], () => {
    askedAt.push(clock.read().monotonicMs);
    if (isAway) throw away();
  });
  const ended = worker.until(stop.signal);
  await clock.advance(0);
  for (let second = 0; second < 250; second += 1) await clock.advance(1_000);
  const pauses = askedAt.slice(1).map((at, index) => (at - (askedAt[index] ?? 0)) / 1_000);
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  assert.deepEqual(said, ['Store test is away; asking again']);
  assert.equal(outages.length, askedAt.length);
  isAway = false;
  await clock.advance(60_000);
  assert.deepEqual(said.slice(1), ['The store can be reached again.']);
  stop.abort();
  await ended;
});

test('what does not mend itself ends it', async () => {
  const { worker, stop, said } = stage([duty('any', 5_000, () => {})], () => {
    throw new LeaseholdError('STORE_FORBIDDEN', 'wrong password');
  });
  await assert.rejects(worker.until(stop.signal), { code: 'STORE_FORBIDDEN' });
  assert.deepEqual(said, []);
});

test('once, an outage is an error', async () => {
  const { worker, stop } = stage([duty('any', 5_000, () => {})], () => {
    throw away();
  });
  await assert.rejects(worker.once(stop.signal), { code: 'STORE_UNREACHABLE' });
});

test('a duty that fails keeps no other from being done; once, the first error is the answer', async () => {
  const done: string[] = [];
  const failing = (name: string, error: LeaseholdError) =>
    duty(name, 5_000, () => {
      done.push(name);
      throw error;
    });
  const broken = new LeaseholdError('INTERNAL', 'broken');
  const { worker, stop } = stage([failing('a', away()), failing('b', broken), duty('c', 5_000, () => done.push('c'))]);
  await assert.rejects(worker.once(stop.signal), { code: 'STORE_UNREACHABLE' });
  assert.deepEqual(done, ['a', 'b', 'c']);
});

test('a duty that fails each time keeps no other from its pace', async () => {
  let done = 0;
  const failing = duty('failing', 5_000, () => {
    throw away();
  });
  const { clock, worker, stop, outages } = stage([failing, duty('alerts', 5_000, () => (done += 1))]);
  const ended = worker.until(stop.signal);
  for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
  stop.abort();
  await ended;
  assert.ok(done >= 2, `done ${done} times`);
  assert.ok(outages.length >= 2);
});
