/**
 * A holder that was told to stop and gives its lock back inside its lease: the store learns why.
 * Clock: fake, shared with the embedded store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LeaseholdEvent } from '../../src/domain/answers.ts';
import { answerLost, clear, refused } from './scripted-store.ts';
import { openStage, type Stage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };

async function lossesOf(stage: Stage): Promise<LeaseholdEvent[]> {
  return await stage.leasehold.events({ kind: 'lease.lost' });
}

test('a run that was withheld its renewals and releases in its lease leaves the loss, and why, and no word of a longer lease', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire({ ...LEASE, withholdRenewal: () => 'held for long enough' });
  await stage.advance(51_000);
  assert.equal(start.signal.aborted, true);
  assert.equal((await start.release({ status: 'failure' })).outcome, 'released');
  await start[Symbol.asyncDispose]();
  const [event, ...rest] = await stage.leasehold.events();
  assert.deepEqual(rest, []);
  assert.deepEqual(
    [event?.kind, event?.runId, event?.message, event?.data],
    [
      'lease.lost',
      start.runId,
      'Lost lock "job": its lease was no longer renewed (held for long enough).',
      { reason: 'given_up', detail: 'its lease was no longer renewed (held for long enough)' },
    ],
  );
});

test('a run that an outage has stopped leaves it with its release, once, whatever becomes of the answers', async () => {
  await using stage = await openStage();
  const running = stage.lock.run(LEASE, (start) => {
    return new Promise<void>((resolve) => start.signal.addEventListener('abort', () => resolve()));
  });
  await stage.advance(0);
  stage.store.always(refused, ['renew']);
  stage.store.next('release', refused, answerLost);
  await stage.advance(55_000);
  assert.ok((await running).proceed);
  assert.deepEqual(
    (await stage.leasehold.events()).map((event) => event.message),
    ['Lost lock "job": its lease was not renewed in time.'],
  );
});

test('a release from the signal itself says why as well', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire({ ...LEASE, withholdRenewal: () => 'no sign of life' });
  start.signal.addEventListener('abort', () => void start.release());
  await stage.advance(51_000);
  assert.equal((await lossesOf(stage)).length, 1);
});

test('a loss that the store has told of itself is not told again, and the release says that it was refused', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await stage.lock.forceRelease({ reason: 'it hangs' });
  assert.equal((await start.renew()).outcome, 'lost');
  await start.release();
  assert.equal(stage.store.callsOf('release')[0]?.request['lost'], 'a renewal of it was refused (force_released)');
  assert.equal((await lossesOf(stage)).length, 1);
});

test('a run that ends before it is told to stop has lost nothing, however late it is', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire({ ...LEASE, withholdRenewal: () => 'no sign of life' });
  await stage.advance(49_000);
  await start.release();
  await stage.advance(10 * LEASE.leaseMs);
  assert.deepEqual(
    (await stage.leasehold.events()).map((event) => event.kind),
    ['lease.near_end'],
  );
});

test('a reason of any length and with any characters is told as one short line', async () => {
  await using stage = await openStage();
  const reason = `no\u0000sign\nof life\ud800 ${'€'.repeat(5_000)}`;
  const start = await stage.lock.acquire({ ...LEASE, withholdRenewal: () => reason });
  await stage.advance(51_000);
  await start.release();
  const detail = String((await lossesOf(stage))[0]?.data?.['detail']);
  assert.match(detail, /^its lease was no longer renewed \(no sign of life\ufffd €+\)$/);
  assert.ok(Buffer.byteLength(detail) <= 1_024, `${Buffer.byteLength(detail)} bytes`);
});

test('where renewals get through again only after the signal, nobody is told that they do', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.always(refused, ['renew']);
  await stage.advance(51_000);
  assert.equal(start.signal.aborted, true);
  const before = stage.store.callsOf('renew').length;
  stage.store.always(clear, ['renew']);
  await stage.advance(8_000);
  assert.ok(stage.store.callsOf('renew').length > before, 'one got through');
  assert.equal((await stage.lock.status())?.state, 'held');
  const loud = stage.log.filter(({ level }) => level !== 'debug').map(({ message }) => message);
  assert.deepEqual(loud, [
    'Lock "job" could not be renewed; it is tried again.',
    'Lock "job" was not renewed in time: its lease may end in 10s; stop, another run may start after it.',
  ]);
});
