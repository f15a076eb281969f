/** Filling a pool from sources of any length. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EnqueueRequest } from '../../../src/ports/record-store.ts';
import { answerLost, refused } from '../scripted-store.ts';
import { openStage, type Stage } from '../stage.ts';

const chunks = (stage: Stage): number[] =>
  stage.store.callsOf('enqueue').map(({ request }) => (request as unknown as EnqueueRequest).records.length);

describe('enqueue', () => {
  it('makes records known, each version once, and says how many were new', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    const { added, known, superseded } = await pool.enqueue(['a', 'b', 'a', { id: 'c', payload: { to: 'x' } }]);
    assert.deepEqual([added, known, superseded], [3, 0, 0]);
    const again = await pool.enqueue(['b', { id: 'a', version: 'v2' }]);
    assert.deepEqual([again.added, again.known, again.superseded], [1, 1, 1]);
  });

  it('is read as it comes, a thousand records at a time', async () => {
    await using stage = await openStage();
    let read = 0;
    let readAhead = 0;
    async function* rows(): AsyncGenerator<string> {
      for (; read < 2_500; read += 1) {
        readAhead = Math.max(readAhead, read - chunks(stage).length * 1_000);
        yield `r${read}`;
      }
    }
    assert.equal((await stage.leasehold.pool('mails').enqueue(rows())).added, 2_500);
    assert.deepEqual(chunks(stage), [1_000, 1_000, 500]);
    assert.ok(readAhead <= 1_000);
  });

  it('is cut where its payloads come to 4 MiB', async () => {
    await using stage = await openStage();
    const payload = 'x'.repeat(1_000_000);
    await stage.leasehold.pool('mails').enqueue(Array.from({ length: 9 }, (_, n) => ({ id: n, payload })));
    assert.deepEqual(chunks(stage), [4, 4, 1]);
  });

  it('lists what is no record, a thousand of them at most, and adds all others', async () => {
    await using stage = await openStage();
    const rows = Array.from({ length: 3_000 }, (_, n) => (n % 2 === 0 ? `r${n}` : { id: '' }));
    const report = await stage.leasehold.pool('mails').enqueue(rows);
    assert.deepEqual([report.added, report.refusedCount, report.refused.length], [1_500, 1_500, 1_000]);
    assert.equal(report.refused[0]?.message, 'record id is empty; give it 1 to 1024 bytes');
  });

  it('of nothing asks the store nothing', async () => {
    await using stage = await openStage();
    const report = await stage.leasehold.pool('mails').enqueue([]);
    assert.deepEqual([report.added, chunks(stage)], [0, []]);
  });

  it('asks once more where an answer was lost, and adds nothing twice', async () => {
    await using stage = await openStage();
    stage.store.next('enqueue', answerLost);
    const report = await stage.leasehold.pool('mails').enqueue(['a', 'b']);
    assert.deepEqual([report.added, report.known], [0, 2]);
    assert.equal(stage.log[0]?.message, 'No answer to an enqueue of pool "mails"; it is asked once more.');
    stage.store.next('enqueue', refused, refused);
    await assert.rejects(stage.leasehold.pool('mails').enqueue(['c']), { code: 'STORE_UNREACHABLE' });
  });

  it('ends with the error of its source, or with its signal; what was stored stays', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    async function* failing(): AsyncGenerator<string> {
      for (let n = 0; n < 1_500; n += 1) yield `r${n}`;
      throw new Error('cursor closed');
    }
    await assert.rejects(pool.enqueue(failing()), { message: 'cursor closed' });
    assert.equal((await pool.status())?.queued, 1_000);
    const stop = new AbortController();
    stop.abort(new Error('shut down'));
    await assert.rejects(pool.enqueue(['x'], { signal: stop.signal }), { message: 'shut down' });
  });

  it('holds a deferred record back until it is due', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    const notBefore = new Date(stage.clock.read().wallMs + 3_600_000);
    await pool.enqueue([{ id: 'later', notBefore }, 'now']);
    assert.deepEqual(
      (await pool.claim()).owned.map(({ id }) => id),
      ['now'],
    );
    await stage.advance(3_600_000);
    assert.deepEqual(
      (await pool.claim()).owned.map(({ id }) => id),
      ['later'],
    );
  });

  it('gives keys of the namespace that the store was opened with', async () => {
    const keys: string[] = [];
    for (const namespace of ['', 'staging']) {
      await using stage = await openStage({ namespace });
      await stage.leasehold.pool('mails').enqueue(['a']);
      keys.push((await stage.leasehold.pool('mails').records())[0]?.effectKey ?? '');
      assert.equal((await stage.leasehold.pool('mails').claim({ ids: ['b'] })).owned.length, 1);
    }
    assert.notEqual(keys[0], keys[1]);
  });
});
