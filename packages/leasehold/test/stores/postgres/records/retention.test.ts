/** Retention takes claims that are over; records stay for ever, and so does who had begun one. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { POSTGRES_VERSIONS, row, rows, TestStore } from '../database.ts';
import { backDateClaims, claimNext, fill, tokenOf } from './stage.ts';

const [OLDEST] = POSTGRES_VERSIONS;

it('claims that are over go as runs do; what became of their records, and who may bring evidence, stays', async () => {
  await using test = await TestStore.open(OLDEST);
  const client = await test.client();
  await fill(client, 'p', 4);
  const token = await tokenOf(claimNext(client, 'p', 2));
  await row(client, `select * from leasehold.begin('p', 'id-0001', $1)`, [token]);
  await row(client, `select * from leasehold.failed('p', 'id-0001', $1)`, [token]);
  await backDateClaims(client, 'p', 3_600_000);
  await row(client, `select * from leasehold.sweep('p')`);
  const live = await tokenOf(claimNext(client, 'p', 1));
  const prune = `select * from leasehold.prune(every => '0')`;
  await row(client, prune);
  assert.equal((await rows(client, 'select 1 from leasehold.claims')).length, 2, 'none is old enough');
  await client.query(`update leasehold.claims set settled_at = settled_at - interval '91 days'`);
  await client.query(`update leasehold.former_owners set until_at = until_at - interval '91 days'`);
  await row(client, prune);
  assert.deepEqual(await rows(client, 'select token from leasehold.claims'), [{ token: live }]);
  assert.deepEqual(await rows(client, 'select id, was_begun from leasehold.former_owners'), [
    { id: 'id-0001', was_begun: true },
  ]);
  const late = await row(client, `select outcome, state from leasehold.done('p', 'id-0001', $1, 'ref')`, [token]);
  assert.deepEqual(late, { outcome: 'evidence', state: 'done' });
});
