/** Evidence about a holder as SQL takes it: what may be sent, what waits for whom, and what plain callers see of it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import type { ProbeFirstAnswer } from '../../../src/domain/evidence.ts';
import type { ProbingRequest } from '../../../src/ports/store.ts';
import { backDate, failure, POSTGRES_VERSIONS, row, someoneWaits, start, TestStore } from './database.ts';

const INFO = { probe: 'process', pid: 17 };
const ACQUIRE = `select * from leasehold.acquire('sql', '1 minute', 'h', probes => $1, evidence => $2)`;

for (const version of POSTGRES_VERSIONS) {
  describe(`evidence on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    async function held(lock: string): Promise<string> {
      const answer = await test.store.acquire(start(lock, { holderInfo: INFO }));
      assert.ok(answer.outcome === 'acquired');
      return answer.token;
    }

    async function ended(lock: string): Promise<ProbingRequest> {
      const asking = { ...start(lock), probes: ['process'], evidence: null };
      const first = (await test.store.acquireOrProbe(asking)) as ProbeFirstAnswer;
      assert.equal(first.outcome, 'probe_first');
      const { fence, leaseUntil } = first;
      return { ...asking, evidence: { fence, leaseUntil, state: 'ended', detail: 'it is gone' } };
    }

    it('that makes no sense is refused with LH002, also where nothing is in the way', async () => {
      const good = { fence: 1, leaseUntil: '2026-11-30T02:00:00.000Z', state: 'ended', detail: 'x' };
      const bad: unknown[] = [
        [],
        'ended',
        7,
        null,
        {},
        { ...good, fence: undefined },
        { ...good, fence: 'one' },
        { ...good, fence: 1.5 },
        { ...good, fence: 1e30 },
        { ...good, leaseUntil: 'soon' },
        { ...good, leaseUntil: '2026-13-45T99:00:00Z' },
        { ...good, leaseUntil: 'infinity' },
        { ...good, state: 'dead' },
        { ...good, state: null },
        { ...good, detail: '' },
        { ...good, detail: undefined },
        { ...good, detail: 'a\nb' },
        { ...good, detail: 'x'.repeat(1_025) },
      ];
      for (const evidence of bad) {
        const values = [['process'], JSON.stringify(evidence)];
        assert.equal((await failure(client, ACQUIRE, values)).code, 'LH002', JSON.stringify(evidence));
      }
      const info = "select leasehold.renew('a', 't', holder_info => '[]')";
      assert.equal((await failure(client, info)).code, 'LH002');
    });

    it('is taken from SQL alone, which is told whom to ask about which lease', async () => {
      await client.query(
        `select leasehold.acquire('sql', '1 minute', 'h-1', run_id => 'r-1', holder_info => '{"probe":"mine"}')`,
      );
      const first = await row(client, ACQUIRE, [['mine'], null]);
      assert.deepEqual(
        [first['outcome'], first['proceed'], first['token'], first['current_holder'], first['current_run_id']],
        ['probe_first', false, null, 'h-1', 'r-1'],
      );
      assert.deepEqual([first['fence'], first['current_holder_info']], ['1', { probe: 'mine' }]);
      const said = { fence: 1, leaseUntil: first['lease_until'], state: 'ended', detail: 'it is gone' };
      const answer = await row(client, ACQUIRE, [null, JSON.stringify(said)]);
      assert.deepEqual([answer['outcome'], answer['previous_probe']], ['reclaimed', 'ended: it is gone']);
    });

    it('that a holder has ended waits for the writes that it asserted, and ends in a skip when that takes too long', async () => {
      const token = await held('asserted');
      await client.query('begin');
      await client.query('select leasehold.assert_holder($1, $2)', ['asserted', token]);
      const contended = await test.store.acquireOrProbe(await ended('asserted'));
      assert.equal(contended.outcome === 'skipped' && contended.reason, 'contended');
      const waiting = test.store.acquireOrProbe(await ended('asserted'));
      await someoneWaits(await test.client());
      await client.query('commit');
      assert.equal((await waiting).outcome, 'reclaimed');
    });

    it('extends a lease for plain SQL callers as well', async () => {
      const token = await held('extended');
      await backDate(client, 'extended', 61_000);
      const request = await ended('extended');
      const { fence, leaseUntil } = request.evidence ?? { fence: 0, leaseUntil: null };
      const alive = { fence, leaseUntil, state: 'alive' as const, detail: 'it runs' };
      const skip = await test.store.acquireOrProbe({ ...request, evidence: alive });
      assert.equal(skip.outcome === 'skipped' && skip.reason, 'held');
      const plain = await row(client, `select * from leasehold.acquire('extended', '1 minute', 'plain')`);
      assert.deepEqual([plain['outcome'], plain['reason']], ['skipped', 'held']);
      assert.equal((await row(client, 'select leasehold.is_holder($1, $2)', ['extended', token]))['is_holder'], true);
    });
  });
}
