/** What SQL alone may send of records: lists that fit each other, and what the caller's arrays may look like. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, rows, TestStore } from '../database.ts';
import { backDateClaims, stored } from './stage.ts';

/** Each is refused with LH002, whether the ids are known or new. */
const REFUSED = [
  "enqueue('p', null)",
  "enqueue('p', null, not_before => now())",
  "enqueue('p', array['x'], payloads => array['1', '2']::jsonb[])",
  "enqueue('p', array['x', 'y'], payloads => array['1']::jsonb[])",
  "enqueue('p', array['x', 'y'], payloads => '{}'::jsonb[])",
  `enqueue('p', array['x', 'y'], payloads => '{{"1"},{"2"}}'::jsonb[])`,
  "enqueue('p', array['x'], namespace => null)",
  "enqueue_records('p', null, null, null, null)",
  "enqueue_records('p', array['x'], null, array['1', '2'], null)",
  "enqueue_records('p', array['x'], null, null, array[now(), now()])",
  "enqueue_records('p', array['x', 'y'], null, null, array[[now()], [now()]])",
  "enqueue_records('p', array['x'], null, null, null, null)",
  "claim('p', 'h', null)",
  "claim('p', 'h', array['x'], payloads => array['1', '2']::jsonb[])",
  "claim('p', 'h', array['x', 'x'], payloads => array['1']::jsonb[])",
  `claim('p', 'h', array['x', 'y'], payloads => '{{"1"},{"2"}}'::jsonb[])`,
  "claim('p', 'h', array[['x'], ['y']])",
  "claim('p', 'h', array['x'], namespace => null)",
  "claim_records('p', 'h', null, null, null, null, null, null, null, null, null, null, '')",
  "claim_records('p', 'h', '[0:0]={x}', null, null, null, null, null, null, null, null, null, '')",
  "claim_records('p', 'h', array['x'], null, '[2:2]={1}', null, null, null, null, null, null, null, '')",
  "claim_records('p', 'h', array['x'], null, null, null, null, null, null, null, null, null, null)",
  "work('p', array['v'], array['t'], array['Done'], array['r'], array[null], array[false], '{}', '{}')",
  "work('p', array['v'], array['t'], array[null], array['r'], array[null], array[false], '{}', '{}')",
  "work('p', array['v', 'w'], array['t', 't'], array['done'], array['r'], array[null], array[false], '{}', '{}')",
  "work('p', array['v'], array['t'], array['done'], '{}', array[null], array[false], '{}', '{}')",
  "work('p', '{}', '{}', '{}', '{}', '{}', '{}', array['v'], '{}')",
];

for (const version of POSTGRES_VERSIONS) {
  describe(`arguments of the SQL functions of records on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    for (const call of REFUSED) {
      it(`${call} is refused with LH002, and nothing is stored`, async () => {
        const { code, message } = await failure(client, `select * from leasehold.${call}`);
        assert.equal(code, 'LH002', message);
        await client.query("select leasehold.enqueue('versioned', array['v'], array['1'])");
        const versioned = call.replace("('p'", "('versioned'");
        assert.equal((await failure(client, `select * from leasehold.${versioned}`)).code, 'LH002');
        assert.deepEqual(await rows(client, "select id from leasehold.records where id <> 'v'"), []);
      });
    }

    it('an array that begins elsewhere than at 1 is a list like any other', async () => {
      const known = await row(
        client,
        `select added from leasehold.enqueue('bounds', '[0:1]={aa,bb}', '[5:6]={1,2}', payloads => '[-1:0]={1,2}'::jsonb[])`,
      );
      assert.equal(known['added'], 2);
      const claimed = await rows(
        client,
        `select id, version, owned, payload from leasehold.claim('bounds', 'h', '[0:2]={bb,aa,cc}', versions => '[3:5]={2,1,3}',
           payloads => '[7:9]={7,8,9}'::jsonb[])`,
      );
      assert.deepEqual(
        claimed.map((each) => [each['id'], each['version'], each['owned'], each['payload']]),
        [
          ['bb', '2', true, 2],
          ['aa', '1', true, 1],
          ['cc', '3', true, 9],
        ],
      );
    });

    it('an empty list is known to be empty, and a payload may be null', async () => {
      assert.equal((await row(client, "select added from leasehold.enqueue('e', '{}', payloads => '{}')"))['added'], 0);
      assert.deepEqual(await rows(client, "select * from leasehold.claim('e', 'h', '{}')"), []);
      await client.query(
        `select leasehold.enqueue('e', array['a', 'b'], payloads => array[null, '{"n": 1}']::jsonb[])`,
      );
      assert.equal((await stored(client, 'e', 'a'))['payload'], null);
      assert.deepEqual((await stored(client, 'e', 'b'))['payload'], { n: 1 });
    });

    it('of an id that is offered twice the first counts, its payload too', async () => {
      const claimed = await rows(
        client,
        `select id, payload from leasehold.claim('twice', 'h', array['b', 'a', 'b'], payloads => array['1', '2', '3']::jsonb[])`,
      );
      assert.deepEqual(
        claimed.map((each) => [each['id'], each['payload']]),
        [
          ['b', 1],
          ['a', 2],
        ],
      );
    });

    it('a claim whose ids took its own statement over 1 s to gather is made', async () => {
      const claimed = await rows(
        client,
        "select id, owned from leasehold.claim('slow', 'h', (select array['a', 'b'] from pg_sleep(1.1)))",
      );
      assert.deepEqual(
        claimed.map((each) => [each['id'], each['owned']]),
        [
          ['a', true],
          ['b', true],
        ],
      );
    });

    it('a repeat of a claim whose lease is over is told so, a row each id', async () => {
      const claim = "select * from leasehold.claim('over', 'h', array['a', 'b', 'a'], claim_id => 'tick-1')";
      assert.equal((await rows(client, claim)).length, 2);
      await backDateClaims(client, 'over', 3_600_000);
      const again = await rows(client, claim);
      assert.deepEqual(
        again.map((each) => [each['claim_id'], each['token'], each['id'], each['version'], each['owned'], each['why']]),
        [
          ['tick-1', null, 'a', '', false, 'claim_ended'],
          ['tick-1', null, 'b', '', false, 'claim_ended'],
        ],
      );
      await client.query("select leasehold.claim_next('over', 'h', claim_id => 'tick-2')");
      const next = "select * from leasehold.claim_next('over', 'h', claim_id => 'tick-1')";
      assert.deepEqual(await rows(client, next), []);
    });
  });
}
