/** What the SQL functions of records say by themselves, word for word; what they say of a record is compared with the library by the conformance suite. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, TestStore } from '../stores/postgres/database.ts';

const MANY = "array(select 'id-' || n from generate_series(1, 10001) n)";

/** Statement, SQLSTATE, message. */
const REFUSED: readonly [statement: string, code: string, message: string][] = [
  ["enqueue('', array['a'])", 'LH002', 'pool name is empty; give it 1 to 255 bytes'],
  [`enqueue('p', ${MANY})`, 'LH002', '10001 records in one call; the limit is 10000'],
  ["enqueue('p', array[['a'], ['b']])", 'LH002', 'ids and versions must be arrays of one dimension'],
  [
    "enqueue('p', array['a', 'b'], array['1'])",
    'LH002',
    '2 ids and 1 versions; give each id one version, or none at all',
  ],
  ["enqueue('p', null)", 'LH002', 'ids are missing; give an array of record ids'],
  [
    "work('p', array['a'], array['t'], array['Done'], array['r'], array[null], array[false], '{}', '{}')",
    'LH002',
    'work: each verdict is done, failed, unknown or review, and the lists of verdicts and of begins are each of one length',
  ],
  ["enqueue_records('p', '[0:0]={a}', null, null, null)", 'LH002', 'ids and versions must be arrays that begin at 1'],
  [
    "enqueue('p', array['a'], payloads => array[array['1', '2']]::jsonb[])",
    'LH002',
    'payloads and not_befores must be arrays of one dimension',
  ],
  [
    "enqueue_records('p', array['a'], null, '[0:0]={1}', null)",
    'LH002',
    'payloads and not_befores must be arrays that begin at 1',
  ],
  [
    "enqueue('p', array['a'], payloads => array['1', '2']::jsonb[])",
    'LH002',
    '1 ids and 2 payloads; give each id one payload or null, or none at all',
  ],
  [
    "enqueue_records('p', array['a'], null, null, array[now(), now()])",
    'LH002',
    '1 ids and 2 instants before which they wait; give each id one or null, or none at all',
  ],
  ["enqueue('p', array['a'], namespace => null)", 'LH002', 'namespace is null; leave it out, or give a text'],
  ["enqueue('p', array['a', null])", 'LH002', 'record id is empty; give it 1 to 1024 bytes'],
  ["enqueue('p', array[repeat('x', 1025)])", 'LH002', 'record id is 1025 bytes long; the limit is 1024'],
  [
    "enqueue('p', array['a'], array[E'\\t'])",
    'LH002',
    'version has control characters (a newline, a tab); remove them',
  ],
  [
    "enqueue('p', array['a'], payloads => array[to_jsonb(repeat('x', 1048576))])",
    'LH002',
    'a payload is longer than 1 MiB',
  ],
  [
    "enqueue('p', array['a'], not_before => 'infinity')",
    'LH002',
    'not_before must be an instant between the years 1 and 9999',
  ],
  ["claim('p', 'h', array['a'], 0)", 'LH002', 'claim limit must be a whole number from 1 to 10000'],
  ["claim_next('p', 'h', 10001)", 'LH002', 'claim limit must be a whole number from 1 to 10000'],
  ["claim_next('p', '')", 'LH002', 'holder is empty; give it 1 to 1024 bytes'],
  ["claim_next('p', 'h', lease => '1 ms')", 'LH002', 'lease is "00:00:00.001"; it must lie between 1s and 31d'],
  ["claim_next('p', 'h', holder_info => '[]')", 'LH002', 'holder_info must be a JSON object'],
  [
    "claim_next('p', 'h', lock_token => 'x')",
    'LH001',
    'Claimed nothing of pool "p": the lock that the claim names is no longer held by that token; stop.',
  ],
  ["begin('p', 'a', '')", 'LH002', 'token is empty; give it 1 to 1024 bytes'],
  ["done('p', 'a', 't', '')", 'LH002', 'provider reference is empty; give it 1 to 4096 bytes'],
  ["change_pool('p', '[]')", 'LH002', 'settings must be a JSON object'],
  [`change_pool('p', '{"retries": 3}')`, 'LH002', '"retries" is no setting of a pool'],
  [`change_pool('p', '{"redo": "never"}')`, 'LH002', 'redo is "never"; it must be ask or safe'],
  [`change_pool('p', '{"attempts": 0}')`, 'LH002', 'attempts must be a whole number from 1 to 100'],
  [`change_pool('p', '{"leaseMs": 1.5}')`, 'LH002', 'lease in ms must be a whole number from 1000 to 2678400000'],
  [
    `change_pool('p', '{"callTimeoutMs": -1}')`,
    'LH002',
    'call time-out in ms must be a whole number from 0 to 3600000',
  ],
  [
    `change_pool('p', '{"redoWindowMs": 0}')`,
    'LH002',
    'redo window in ms must be a whole number from 1 to 315360000000',
  ],
  [
    `change_pool('p', '{"callTimeoutMs": 3000, "leaseMs": 2000}')`,
    'LH002',
    'lease is 2s, shorter than the call time-out of its pool (3s): no record of it could begin',
  ],
  [`change_pool('p', '{"verifier": "nobody"}')`, 'LH002', 'verifier is not JSON; give it an object with a "kind"'],
  [`change_pool('p', '{"verifier": {"url": "x"}}')`, 'LH002', 'verifier has no kind; give it an object with a "kind"'],
  [
    `change_pool('p', '{"verifier": {"kind": "http"}}')`,
    'LH002',
    'the kind of a verifier must be "function" in this release',
  ],
  [
    `change_pool('p', '{"verifier": {"kind": "function", "apiKey": "s3cret"}}')`,
    'LH002',
    '"apiKey" is not known of a verifier; beside its kind it may have callTimeoutMs, commitDelayMs, visibilityDelayMs, retentionMs, idempotencyWindowMs, lookupTimeoutMs',
  ],
  [
    `change_pool('p', '{"verifier": {"kind": "function", "callTimeoutMs": "1s"}}')`,
    'LH002',
    'verifier callTimeoutMs must be a whole number from 0 to 3600000',
  ],
  [
    `change_pool('p', '{"verifier": {"kind": "function", "retentionMs": null}}')`,
    'LH002',
    'verifier retentionMs must be a whole number from 0 to 315360000000',
  ],
  [
    `change_pool('p', '{"leaseMs": 2000, "verifier": {"kind": "function", "callTimeoutMs": 4000}}')`,
    'LH002',
    'lease is 2s, shorter than the call time-out of its pool (4s): no record of it could begin',
  ],
  [
    `change_pool('p', jsonb_build_object('verifier', jsonb_build_object('kind', repeat('x', 65536))))`,
    'LH002',
    'verifier is 65548 bytes long; the limit is 65536',
  ],
  ["records('p', 'open')", 'LH002', 'state is "open"; it must be queued, claimed, done, failed, review or cancelled'],
  ["decide_record('p', 'a', 'drop', 'x')", 'LH002', 'action is "drop"; it must be ask, done, requeue or fail'],
  [
    "apply_lookup('p', 'a', '', 'c', 'h', 1, now(), now(), 'redo')",
    'LH002',
    'decision is "redo"; it must be done, requeue, review or wait',
  ],
  ["take_to_ask('p', 1, '-1 s')", 'LH002', 'every is "-00:00:01"; it must lie between 0ms and 1d'],
];

describe('of the SQL functions of records', () => {
  let test: TestStore;
  let client: pg.Client;
  before(async () => {
    test = await TestStore.open(18);
    client = await test.client();
  });
  after(async () => await test[Symbol.asyncDispose]());

  for (const [statement, code, message] of REFUSED) {
    it(message, async () => {
      assert.deepEqual(await failure(client, `select * from leasehold.${statement}`), { code, message });
    });
  }

  it('where versions are being made known by a transaction that does not end', async () => {
    await client.query(`select leasehold.enqueue('busy', array['x'])`);
    const other = await test.client();
    await other.query('begin');
    await other.query(`select leasehold.enqueue('busy', array['a'], array['1'])`);
    const message =
      'another transaction makes versions of records known to pool "busy" and has not ended; nothing was done, try again';
    const enqueue = `select leasehold.enqueue('busy', array['b'], array['1'])`;
    assert.deepEqual(await failure(client, enqueue), { code: '55P03', message });
    await other.query('rollback');
  });

  it('where versions may have been made known that a transaction can not see', async () => {
    await client.query(`select leasehold.enqueue('unseen', array['x'], array['1'])`);
    const other = await test.client();
    await client.query('begin isolation level repeatable read');
    await client.query('select 1');
    await other.query(`select leasehold.enqueue('unseen', array['y'], array['1'])`);
    const failed = await failure(client, `select leasehold.enqueue('unseen', array['z'], array['1'])`);
    await client.query('rollback');
    assert.deepEqual(failed, {
      code: '40001',
      message:
        'others have written since this transaction began, and it can\'t see what versions they made known to pool "unseen"; repeat it',
    });
  });
});
