/**
 * A claim of the next records that are begun explicitly is answered before it is on the server's disk. A server that crashes
 * then has forgotten it: the records are queued as they were, and who has them sends nothing, since no begin is accepted.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { CALLS } from '../../../../src/stores/postgres/records/calls.ts';
import { POSTGRES_VERSIONS, row, TestStore } from '../database.ts';
import { fill, stored } from './stage.ts';

const MINUTE = 60_000;

for (const version of POSTGRES_VERSIONS) {
  describe(`claims that a server may forget, PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** How the transaction of a claim is committed, and what that leaves to the next one on the connection. */
    const commits = async (pool: string, isExplicit: boolean): Promise<unknown[]> => {
      const show = async (): Promise<unknown> => (await row(client, 'show synchronous_commit'))['synchronous_commit'];
      await client.query('begin');
      await client.query(CALLS.claim_next_records, [pool, 'host:1', 1, MINUTE, null, null, isExplicit, null]);
      const within = await show();
      await client.query('commit');
      return [within, await show()];
    };

    it('only a claim whose records have begins of their own waits for no disk, and it alone', async () => {
      await fill(client, 'commits', 2);
      assert.deepEqual(await commits('commits', true), ['off', 'on']);
      assert.deepEqual(await commits('commits', false), ['on', 'on']);
    });

    it('in SQL every claim is on the disk when it is answered: the transaction is its caller’s', async () => {
      await client.query('begin');
      await client.query(`select * from leasehold.claim_next('sql', 'host:1', explicit_begin => true)`);
      assert.equal((await row(client, 'show synchronous_commit'))['synchronous_commit'], 'on');
      await client.query('commit');
    });

    it('what is forgotten is claimed anew, and the begin of whoever had it is refused', async () => {
      await fill(client, 'forgotten', 1);
      const next = { pool: 'forgotten', holderInfo: null, leaseMs: MINUTE, limit: 1, lockToken: null };
      const ask = { ...next, explicitBegin: true };
      const queued = await stored(client, 'forgotten', 'id-0001');
      const lost = await test.store.claimNext({ ...ask, holder: 'host:1', claimId: 'c-1' });
      // As the server finds it after the crash.
      await client.query('delete from leasehold.claims where token = $1', [lost.token]);
      await client.query(
        `update leasehold.records set state = 'queued', token = null, claimed_at = null, updated_at = $2 where pool = $1`,
        ['forgotten', queued['updated_at']],
      );
      const found = await test.store.claimNext({ ...ask, holder: 'host:2', claimId: 'c-2' });
      assert.deepEqual(
        found.owned.map(({ id }) => id),
        ['id-0001'],
      );
      const begin = async (token: string | null): Promise<unknown> => {
        const begins = [{ id: 'id-0001', token: token ?? '' }];
        const { begins: answers } = await test.store.work({ pool: 'forgotten', verdicts: [], begins });
        return answers.map(({ outcome, reason }) => [outcome, reason]);
      };
      assert.deepEqual(await begin(lost.token), [['refused', 'not_owner']]);
      assert.deepEqual(await begin(found.token), [['accepted', null]]);
    });
  });
}
