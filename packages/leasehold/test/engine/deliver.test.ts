/** Deliveries over a real store, on a clock that only the test moves, through channels that do what a test says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver, type DeliveryReport } from '../../src/engine/deliver.ts';
import type { AlertFilter } from '../../src/domain/alert.ts';
import type { Channel, ChannelMessage, SendAnswer } from '../../src/ports/channel.ts';
import { openStage, type Stage } from './stage.ts';

const HOUR = 3_600_000;
const arrived: SendAnswer = { confirmed: true, said: 'answered 204' };
const refused = (retryAfterMs: number | null = null): SendAnswer => ({
  confirmed: false,
  said: 'answered 500',
  retryAfterMs,
});

/** A channel that keeps what it was sent. */
class Recorder implements Channel {
  readonly filter: AlertFilter;
  readonly name: string;
  readonly sent: ChannelMessage[] = [];
  answer: (signal: AbortSignal) => Promise<SendAnswer> = async () => arrived;

  constructor(name: string, filter: Partial<AlertFilter> = {}) {
    this.name = name;
    this.filter = { minSeverity: 'warning', kinds: null, ...filter };
  }

  send(message: ChannelMessage, signal: AbortSignal): Promise<SendAnswer> {
    this.sent.push(message);
    return this.answer(signal);
  }

  get locks(): (string | null)[] {
    return this.sent.map((message) => message.lock);
  }
}

function run(stage: Stage, channels: readonly Channel[], signal: AbortSignal | null = null): Promise<DeliveryReport> {
  const { clock } = stage;
  const ids = { newId: () => `taker-${Math.random()}`, random: () => 0 };
  const parts = { store: stage.rawStore, clock, ids, channels };
  return deliver(parts, { forMs: 30_000, sendMs: 10_000, signal });
}

const pause = (stage: Stage, lock: string): Promise<unknown> => stage.leasehold.lock(lock).pause();

test('what is due is sent to every channel that wants it, with what to do, and then no more', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  await stage.lock.forceRelease({ reason: 'no such run' });
  await stage.lock.acquire({ leaseMs: 60_000, bypass: { reason: 'hotfix' } });
  const all = new Recorder('all');
  const some = new Recorder('some', { kinds: ['run.bypassed'] });
  const report = await run(stage, [all, some]);
  assert.deepEqual(report, { delivered: 2, unwanted: 0, failed: 0, dead: 0, failures: {} });
  assert.deepEqual([all.locks, some.locks], [['a', 'job'], ['job']]);
  const [message] = some.sent;
  assert.deepEqual([message?.store, message?.attempt], [stage.rawStore.name, 1]);
  assert.match(message?.text ?? '', /^Bypassed lock "job".*; nothing kept it from working beside another run/);
  await run(stage, [all, some]);
  assert.deepEqual([all.sent.length, some.sent.length], [2, 1]);
});

test('without a channel the outbox is not even asked', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  assert.equal((await stage.leasehold.deliverAlerts()).delivered, 0);
  assert.equal((await run(stage, [])).delivered, 0);
  const late = new Recorder('late');
  assert.equal((await run(stage, [late])).delivered, 1);
  assert.equal(late.sent[0]?.attempt, 1);
});

test('an alert that no channel wants is settled, and said to be unwanted', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  const pager = new Recorder('pager', { minSeverity: 'critical' });
  assert.deepEqual(await run(stage, [pager]), { delivered: 0, unwanted: 1, failed: 0, dead: 0, failures: {} });
  assert.deepEqual([pager.sent.length, (await stage.leasehold.alertCounts()).pending], [0, 0]);
});

test('only the channel that failed is tried again, with the same id', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  const book = new Recorder('book');
  const ops = new Recorder('ops');
  ops.answer = async () => refused();
  const report = await run(stage, [book, ops]);
  assert.deepEqual(report, { delivered: 0, unwanted: 0, failed: 1, dead: 0, failures: { ops: 'answered 500' } });
  await run(stage, [book, ops]);
  assert.equal(ops.sent.length, 1, 'not before its time');
  await stage.advance(30_000);
  ops.answer = async () => arrived;
  assert.equal((await run(stage, [book, ops])).delivered, 1);
  assert.equal(book.sent.length, 1);
  assert.deepEqual(
    ops.sent.map(({ alertId, attempt }) => [alertId === book.sent[0]?.alertId, attempt]),
    [
      [true, 1],
      [true, 2],
    ],
  );
});

test('the longest Retry-After of the channels that failed counts', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  const [one, two] = [new Recorder('one'), new Recorder('two')];
  one.answer = async () => refused(600_000);
  two.answer = async () => refused(60_000);
  await run(stage, [one, two]);
  await stage.advance(599_000);
  await run(stage, [one, two]);
  assert.equal(one.sent.length, 1);
  await stage.advance(1_000);
  await run(stage, [one, two]);
  assert.equal(one.sent.length, 2);
});

test('a channel that never answers fails after its time, and keeps no other alert back', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  await pause(stage, 'b');
  const deaf = new Recorder('deaf');
  deaf.answer = () => new Promise(() => {});
  const book = new Recorder('book');
  const report = run(stage, [deaf, book]);
  for (let waited = 0; waited < 12; waited += 1) await stage.advance(1_000);
  const stuck = new Promise<null>((resolve) => void setTimeout(() => resolve(null), 1_000));
  assert.deepEqual(await Promise.race([report, stuck]), {
    delivered: 0,
    unwanted: 0,
    failed: 2,
    dead: 0,
    failures: { deaf: 'no answer within 10000 ms' },
  });
  assert.deepEqual(book.locks, ['a', 'b']);
});

test('a channel that throws has failed, and what it threw is not shown', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  const broken = new Recorder('broken');
  broken.answer = () => Promise.reject(new TypeError('https://hooks.example/hunter2'));
  const { failures } = await run(stage, [broken]);
  assert.deepEqual(failures, { broken: 'a fault of the channel itself (TypeError)' });
});

test('two deliverers at once send each alert once', async () => {
  await using stage = await openStage();
  for (let n = 0; n < 25; n += 1) await pause(stage, `lock-${n}`);
  const channel = new Recorder('ops');
  const reports = await Promise.all([run(stage, [channel]), run(stage, [channel]), run(stage, [channel])]);
  assert.equal(new Set(channel.locks).size, 25);
  assert.equal(channel.sent.length, 25);
  assert.equal(
    reports.reduce((sum, report) => sum + report.delivered, 0),
    25,
  );
});

test('a deliverer that died after sending has it sent again by the next, under the same id', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  const [taken] = await stage.rawStore.takeAlerts({ taker: 'dead', limit: 10, leaseMs: 60_000 });
  const channel = new Recorder('ops');
  await stage.advance(59_999);
  await run(stage, [channel]);
  assert.equal(channel.sent.length, 0, 'not while its lease lasts');
  await stage.advance(1);
  await run(stage, [channel]);
  assert.deepEqual([channel.sent[0]?.alertId, channel.sent[0]?.attempt], [taken?.alertId, 2]);
});

test('a channel that is down for a day has its alerts dead, and each death is an event', async () => {
  await using stage = await openStage();
  await pause(stage, 'a');
  const down = new Recorder('down');
  down.answer = async () => refused();
  let dead = 0;
  for (let hour = 0; hour <= 25 && dead === 0; hour += 1) {
    dead += (await run(stage, [down])).dead;
    await stage.advance(HOUR);
  }
  assert.equal(dead, 1);
  const [event, ...rest] = await stage.leasehold.events({ kind: 'alert.dead' });
  assert.ok(event !== undefined && rest.length === 0);
  assert.match(event.message, /lock\.paused of lock "a", could not be delivered for 24h \(down: answered 500\)/);
  down.answer = async () => arrived;
  assert.equal((await run(stage, [down])).delivered, 0, 'neither it nor its death is sent');
});

test('a delivery that is told to stop takes no more', async () => {
  await using stage = await openStage();
  for (let n = 0; n < 15; n += 1) await pause(stage, `lock-${n}`);
  const stop = new AbortController();
  const channel = new Recorder('ops');
  channel.answer = async () => {
    stop.abort();
    return arrived;
  };
  assert.equal((await run(stage, [channel], stop.signal)).delivered, 10);
  assert.equal((await stage.leasehold.alertCounts()).pending, 5);
});
