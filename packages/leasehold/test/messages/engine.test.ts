/** What the engine says of arguments that are refused, and to a logger, word for word. Clock: fake; the store is real, behind a line that can be cut. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lock } from '../../src/engine/api.ts';
import type { DeliverOptions } from '../../src/engine/duty-options.ts';
import { refused } from '../engine/scripted-store.ts';
import { openStage } from '../engine/stage.ts';
import { assertSaid, type Said } from './said.ts';

/** What a start with such an option is refused with. */
const start = (options: object) => asked((lock) => lock.acquire({ leaseMs: 60_000, ...options }));

async function asked(ask: (lock: Lock) => Promise<unknown>): Promise<unknown> {
  await using stage = await openStage();
  return await ask(stage.lock);
}

async function deliver(options: DeliverOptions): Promise<unknown> {
  await using stage = await openStage();
  return await stage.leasehold.deliverAlerts(options);
}

const ARGUMENTS: readonly Said[] = [
  [() => asked((lock) => lock.acquire(null as never)), 'options must be an object'],
  [() => start({ again: 1 }), 'again must be true or false'],
  [() => start({ onStale: 'wait' }), 'onStale must be "reclaim" or "hold"'],
  [() => start({ onBusy: 'wait' }), 'onBusy must be "skip" or { waitMs }'],
  [() => start({ renewal: 'never' }), 'renewal must be "heartbeat" or "touch"'],
  [() => start({ slotAt: 1e15 }), 'slotAt must be a Date between the years 1970 and 9999'],
  [() => start({ signal: {} }), 'signal must be an AbortSignal'],
  [() => start({ withholdRenewal: true }), 'withholdRenewal must be a function'],
  [() => start({ bypass: 'hotfix' }), 'bypass must be an object'],
  [() => asked((lock) => lock.run({ leaseMs: 60_000 }, 'work' as never)), 'work must be a function'],
  [() => asked((lock) => lock.advise({ renewal: 'never' as 'touch' })), 'renewal must be heartbeat or touch'],
  [() => deliver({ forMs: 50 }), 'forMs must be a number of milliseconds from 100 to 600000'],
  [() => deliver({ sendTimeoutMs: 60_001 }), 'sendTimeoutMs must be a number of milliseconds from 100 to 60000'],
  [
    () => asked((lock) => lock.assertHolder('no-token')),
    'This token does not hold lock "job"; stop, another run may have it.',
  ],
];

describe('of arguments', () => assertSaid(ARGUMENTS));

describe('to a logger', () => {
  it('a start whose answer is lost is asked once more, as a warning', async () => {
    await using stage = await openStage();
    stage.store.next('acquire', refused);
    await stage.lock.acquire({ leaseMs: 60_000 });
    assert.deepEqual(
      stage.log.map(({ level, message }) => [level, message]),
      [['warn', 'No answer to the start of lock "job"; it is asked once more.']],
    );
  });

  it('a release that does not get through is tried again, for whoever debugs', async () => {
    await using stage = await openStage();
    const held = await stage.lock.acquire({ leaseMs: 60_000 });
    stage.store.next('release', refused);
    const releasing = held.release({ status: 'success' });
    await stage.advance(1_000);
    assert.equal((await releasing).outcome, 'released');
    assert.deepEqual(
      stage.log.map(({ level, message }) => [level, message]),
      [['debug', 'Lock "job" could not be released; it is tried again.']],
    );
  });
});
