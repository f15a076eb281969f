import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR } from './stage/timeline.ts';

/** Several clients of one store, and a client that goes away. */
export const clientFacts: readonly Fact[] = [
  fact('what one client does, another sees at once', async (scene) => {
    const other = await scene.another();
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    assert.equal(await other.isHolder('job', lease.token), true);
    const [status] = await other.status({ lock: 'job', limit: 1 });
    assert.equal(status?.state, 'held');
    assert.equal((await other.runs({ lock: 'job', runId: lease.runId, limit: 1 }))[0]?.outcome, 'acquired');
  }),

  fact('renew and release work from whichever client has the token (C43)', async (scene) => {
    const other = await scene.another();
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    const renewed = await other.renew({
      lock: 'job',
      token: lease.token,
      leaseMs: null,
      progress: null,
      holderInfo: null,
    });
    assert.equal(renewed.outcome, 'renewed');
    const released = await other.release({
      lock: 'job',
      token: lease.token,
      status: 'success',
      afterMs: 0,
      lost: null,
    });
    assert.equal(released.outcome, 'released');
    assert.equal(await scene.isHolder(lease), false);
  }),

  fact('a start repeated through another client is the same start', async (scene) => {
    const other = await scene.another();
    const request = scene.request('job', { leaseMs: HOUR });
    const first = await scene.store.acquire(request);
    const again = await other.acquire(request);
    assert.ok(first.outcome === 'acquired' && again.outcome === 'acquired');
    assert.equal(again.token, first.token);
    assert.equal((await scene.runs()).length, 1);
  }),

  fact(
    'a client that goes away leaves its lease: held until its end, then reclaimed (C43)',
    async (scene) => {
      const other = await scene.another();
      const request = scene.request('job', { leaseMs: HOUR, holder: 'gone' });
      assert.equal((await other.acquire(request)).proceed, true);
      await other.close();
      await scene.skipped('job', 'held');
      await scene.advance(HOUR);
      assert.equal((await scene.reclaimed('job')).previous.holder, 'gone');
    },
    ['second_client'],
  ),

  fact(
    'closing twice is closing once, and harms no other client',
    async (scene) => {
      const other = await scene.another();
      await other.close();
      await other.close();
      await scene.acquired('job');
    },
    ['second_client'],
  ),

  fact('installing the schema again changes nothing', async (scene) => {
    const lease = await scene.acquired('job');
    const report = await scene.store.migrate();
    assert.equal(report.from, report.to);
    assert.ok(report.to >= 1);
    assert.equal(await scene.isHolder(lease), true);
    assert.equal((await scene.runs()).length, 1);
  }),

  fact('several clients may install the schema at once', async (scene) => {
    const clients = [scene.store, await scene.another(), await scene.another(), await scene.another()];
    const lease = await scene.acquired('job');
    const reports = await Promise.all(clients.map((client) => client.migrate()));
    assert.equal(new Set(reports.map((report) => report.to)).size, 1);
    assert.equal(await scene.isHolder(lease), true);
  }),

  fact('the store’s name has no password in it', async (scene) => {
    assert.ok(scene.store.name.length > 0);
    assert.doesNotMatch(scene.store.name, /\/\/[^/]*:[^/]*@/);
  }),
];
