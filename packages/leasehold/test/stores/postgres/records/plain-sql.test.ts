/** The whole protocol by plain statements, as any SQL step has it, from a role that may execute and no more. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, rows, TestStore } from '../database.ts';

for (const version of POSTGRES_VERSIONS) {
  describe(`records by plain SQL on PostgreSQL ${version}`, () => {
    const role = `records_${randomBytes(6).toString('hex')}`;
    let test: TestStore;
    let admin: pg.Client;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      admin = await test.client();
      await admin.query(`create role ${role} login password 'secret'`);
      await admin.query(`select leasehold.grant_to($1)`, [role]);
      const url = new URL(test.database.url);
      url.username = role;
      url.password = 'secret';
      client = await test.client(url.href);
    });
    after(async () => {
      await client.end();
      await admin.query(`drop owned by ${role}`);
      await admin.query(`drop role ${role}`);
      await test[Symbol.asyncDispose]();
    });

    it('rows of a query are offered, worked one by one, and known for ever', async () => {
      const claim = `select id, version, owned, why, claimed_by, attempt, payload, effect_key, token
        from leasehold.claim('orders', 'exec-1', array['o-1', 'o-2', 'o-3', 'o-1'], 2, '10 minutes')`;
      const first = await rows(client, claim);
      assert.deepEqual(
        first.map((each) => [each['id'], each['owned'], each['why']]),
        [
          ['o-1', true, null],
          ['o-2', true, null],
          ['o-3', false, 'over_limit'],
        ],
      );
      const token = first[0]?.['token'];
      const second = await rows(client, claim.replace('exec-1', 'exec-2'));
      assert.deepEqual(
        second.map((each) => [each['id'], each['owned'], each['why'], each['claimed_by']]),
        [
          ['o-3', true, null, null],
          ['o-1', false, 'claimed', 'exec-1'],
          ['o-2', false, 'claimed', 'exec-1'],
        ],
      );
      const done = await row(client, `select * from leasehold.done('orders', 'o-1', $1, 'mail-17')`, [token]);
      assert.deepEqual([done['outcome'], done['state']], ['accepted', 'done']);
      const failed = await row(client, `select * from leasehold.failed('orders', 'o-2', $1, 'no such address', true)`, [
        token,
      ]);
      assert.deepEqual([failed['outcome'], failed['state']], ['accepted', 'failed']);
      const again = await rows(client, claim.replace('exec-1', 'exec-3'));
      assert.deepEqual(
        again.map((each) => [each['id'], each['why']]),
        [
          ['o-1', 'done'],
          ['o-2', 'failed'],
          ['o-3', 'claimed'],
        ],
      );
    });

    it('the next of a queue: in order, with payloads, what is deferred when it is due', async () => {
      await row(
        client,
        `select * from leasehold.enqueue('mails', array['m-1', 'm-2'], payloads => array['{"to": "a"}', '5']::jsonb[])`,
      );
      await row(
        client,
        `select * from leasehold.enqueue('mails', array['m-3'], not_before => now() + interval '1 hour')`,
      );
      await row(
        client,
        `select * from leasehold.enqueue('mails', array['m-4'], not_before => now() - interval '1 hour')`,
      );
      const claim = await rows(
        client,
        `select id, payload, attempt from leasehold.claim_next('mails', 'exec-1', explicit_begin => true)`,
      );
      assert.deepEqual(
        claim.map((each) => [each['id'], each['payload'], each['attempt']]),
        [
          ['m-4', null, 1],
          ['m-1', { to: 'a' }, 1],
          ['m-2', 5, 1],
        ],
      );
    });

    it('begin, unknown, review, extend and return, each by its token', async () => {
      const claim = await rows(
        client,
        `select * from leasehold.claim('calls', 'exec-1', array['a', 'b', 'c'], explicit_begin => true)`,
      );
      const token = claim[0]?.['token'];
      const say = async (call: string): Promise<unknown> =>
        (await row(client, `select outcome from leasehold.${call}`, [token]))['outcome'];
      assert.equal(await say(`begin('calls', 'a', $1)`), 'accepted');
      assert.equal(await say(`unknown('calls', 'a', $1, 'timeout')`), 'accepted');
      assert.equal(await say(`review('calls', 'b', $1, 'odd')`), 'accepted');
      assert.equal(await say(`extend('calls', $1, '1 hour')`), 'extended');
      assert.equal(await say(`return_unworked('calls', $1)`), 'returned');
      assert.equal(await say(`extend('calls', $1)`), 'extended', 'a is still claimed');
      assert.equal((await row(client, `select * from leasehold.sweep('calls')`))['sent_to_review'], 1);
      assert.equal(await say(`extend('calls', $1)`), 'lost');
      const listed = await rows(client, `select id, state, error from leasehold.records('calls')`);
      assert.deepEqual(
        listed.map((each) => [each['id'], each['state']]),
        [
          ['a', 'review'],
          ['b', 'review'],
          ['c', 'queued'],
        ],
      );
      const decided = await row(
        client,
        `select * from leasehold.decide_record('calls', 'a', 'done', 'I saw the mail', provider_ref => 'x')`,
      );
      assert.deepEqual([decided['outcome'], decided['state']], ['accepted', 'done']);
    });

    it('a pool is set, paused and looked at', async () => {
      const set = await row(
        client,
        `select * from leasehold.change_pool('calls', '{"redo": "safe", "limit": 10}', true, 'maintenance')`,
      );
      assert.deepEqual([set['outcome'], set['redo'], set['claim_limit'], set['paused']], ['changed', 'safe', 10, true]);
      assert.deepEqual(await rows(client, `select * from leasehold.claim_next('calls', 'exec-1')`), []);
      assert.deepEqual(
        (await rows(client, `select id, why from leasehold.claim('calls', 'exec-1', array['c'])`)).map(
          (each) => each['why'],
        ),
        ['paused'],
      );
      const [status] = await rows(client, `select paused, queued, review, done from leasehold.pools('calls')`);
      assert.deepEqual(status, { paused: true, queued: '1', review: '1', done: '1' });
      const events = await rows(client, `select kind from leasehold.events(pool => 'calls', page_limit => 1)`);
      assert.deepEqual(events, [{ kind: 'settings.changed' }]);
    });

    it('a role with the right to execute can touch no table and call nothing of the inside', async () => {
      for (const statement of [
        'select * from leasehold.records',
        'select * from leasehold.claims',
        'update leasehold.pools set paused_at = null',
        `select leasehold._pool_row('p')`,
      ]) {
        assert.equal((await failure(client, statement)).code, '42501', statement);
      }
    });

    it('names and ids are values, whatever they look like', async () => {
      const odd = [`'; drop table leasehold.records; --`, '%s%I', '{"a":1}', '\\', 'ü', 'u\u0308'];
      for (const id of odd) await row(client, `select * from leasehold.enqueue($1, array[$1])`, [id]);
      for (const id of odd) {
        const [claimed] = await rows(client, `select id from leasehold.claim_next($1, $1)`, [id]);
        assert.equal(claimed?.['id'], id);
      }
    });
  });
}
