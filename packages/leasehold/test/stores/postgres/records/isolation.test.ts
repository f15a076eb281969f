/** Sessions whose default is REPEATABLE READ: a snapshot may be older than the row. The store repeats what fails by that. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStore, POSTGRES_VERSIONS, row, TestStore } from '../database.ts';
import { fill } from './stage.ts';

for (const version of POSTGRES_VERSIONS) {
  it(`claims, begins and verdicts of many sessions end well under REPEATABLE READ on PostgreSQL ${version}`, async () => {
    await using test = await TestStore.open(version);
    const client = await test.client();
    const database = new URL(test.database.url).pathname.slice(1);
    await client.query(`alter database ${database} set default_transaction_isolation to 'repeatable read'`);
    await fill(client, 'p', 60);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(test.database.url)));
    try {
      const ids: string[] = [];
      await Promise.all(
        stores.map(async (store, index) => {
          for (let round = 0; round < 5; round += 1) {
            const ask = {
              pool: 'p',
              holder: `h-${index}`,
              holderInfo: null,
              claimId: `c-${index}-${round}`,
              leaseMs: 60_000,
            };
            const claim = await store.claimNext({ ...ask, limit: 3, lockToken: null, explicitBegin: true });
            const { token } = claim;
            if (token === null) continue;
            ids.push(...claim.owned.map(({ id }) => id));
            const begins = claim.owned.map(({ id }) => ({ id, token }));
            const begun = await store.work({ pool: 'p', verdicts: [], begins });
            assert.ok(begun.begins.every(({ outcome }) => outcome === 'accepted'));
            const rest = { verdict: 'done', providerRef: null, error: null, isPermanent: false } as const;
            const said = await store.work({
              pool: 'p',
              verdicts: begins.map((each) => ({ ...each, ...rest })),
              begins: [],
            });
            assert.ok(said.verdicts.every(({ outcome }) => outcome === 'accepted'));
          }
        }),
      );
      assert.equal(new Set(ids).size, ids.length, 'each by one');
      const { done } = await row(client, `select count(*)::int as done from leasehold.records where state = 'done'`);
      assert.equal(done, ids.length);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}
