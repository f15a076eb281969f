/**
 * The printed statements on PostgreSQL beside one another: locks held in open transactions, bad plans, opposite orders.
 * Where a guard is shown, a statement without it is run beside and seen failing.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../src/platform/system-clock.ts';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { type Bench, claimOf, openPostgres, OwnTable, type Query } from './bench.ts';

/** Plans in which a subquery is run again for each row. */
const BAD_PLAN = `set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off; set enable_memoize = off;
  set enable_indexscan = off; set enable_bitmapscan = off; set enable_hashagg = off; set enable_sort = off`;

for (const version of POSTGRES_VERSIONS) {
  describe(`the statements for one's own table beside one another, on PostgreSQL ${version}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await openPostgres(version);
    });
    after(async () => await bench[Symbol.asyncDispose]());
    const make = (count: number, ...options: string[]): Promise<OwnTable> => OwnTable.withRows(bench, count, options);

    it('two sessions that claim at once own each row once, and neither waits for the other', async () => {
      const table = await make(20, '--limit', '10');
      const other = await bench.connect();
      await bench.query('begin');
      const first = await table.claim('one');
      const second = await table.claim('two', other);
      assert.deepEqual(await table.claim('three', other), { ids: [], token: '' });
      await bench.query('commit');
      assert.deepEqual(
        [first.ids, second.ids].flat(),
        Array.from({ length: 20 }, (_, at) => at + 1),
      );
    });

    it('two workers on autocommit connections never share a row, again and again (C65)', async () => {
      const workers = [await bench.connect(), await bench.connect()];
      for (let round = 0; round < 30; round += 1) {
        const table = await make(10, '--limit', '10');
        const claims = await Promise.all(workers.map((query, at) => table.claim(`worker ${at}`, query)));
        const ids = claims.flatMap((claim) => claim.ids);
        assert.equal(new Set(ids).size, ids.length, 'no row has two owners');
        await table.claim('the next tick');
        assert.deepEqual(await table.counts(), { claimed: 10 });
      }
    });

    it('a claim locks no more rows than it takes, and what is freed by a rollback is claimed by the next tick (C63, C64)', async () => {
      const table = await make(40, '--limit', '5', '--order-column', 'payload');
      await bench.query(`drop index leasehold_free_${table.name}`);
      const [one, two] = [await bench.connect(), await bench.connect()];
      await one('begin');
      assert.equal((await table.claim('one', one)).ids.length, 5);
      let claimed = 0;
      for (let tick = 0; tick < 7; tick += 1) claimed += (await table.claim('two', two)).ids.length;
      assert.equal(claimed, 35, 'every row that nobody holds, in as few ticks as there can be');
      assert.deepEqual((await table.claim('two', two)).ids, [], 'empty is not done');
      await one('rollback');
      assert.equal((await table.claim('two', two)).ids.length, 5);
    });

    it('a claim that finds some given up and some free locks those that it takes, and no more', async () => {
      const table = await make(20, '--limit', '5', '--explicit-begin');
      await table.run('ids', { holder: 'dead', ids: '[18, 19, 20]' });
      await table.endLeases();
      const [one, two] = [await bench.connect(), await bench.connect()];
      await one('begin');
      assert.deepEqual((await table.claim('one', one)).ids, [1, 2, 18, 19, 20]);
      const rest: number[] = [];
      for (let tick = 0; tick < 3; tick += 1) rest.push(...(await table.claim('two', two)).ids);
      await one('commit');
      assert.deepEqual(rest, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    });

    it('claims of the same rows in opposite order neither deadlock nor double (C75)', async () => {
      const [one, two] = [await bench.connect(), await bench.connect()];
      for (let round = 0; round < 20; round += 1) {
        const table = await make(50);
        const ids = Array.from({ length: 50 }, (_, at) => at + 1);
        const offer = (query: Query, list: number[], holder: string) =>
          table.run('ids', { holder, ids: JSON.stringify(list) }, query);
        const claims = await Promise.all([offer(one, ids, 'one'), offer(two, ids.toReversed(), 'two')]);
        const owned = claims.flatMap((rows) => claimOf(rows).ids);
        assert.equal(new Set(owned).size, owned.length);
      }
    });

    it('a bad plan gives no more rows than the limit; a subquery in its place does', async () => {
      const table = await make(100, '--limit', '5');
      const query = await bench.connect();
      await query(BAD_PLAN);
      assert.equal((await table.claim('h', query)).ids.length, 5);
      const ids = JSON.stringify(Array.from({ length: 100 }, (_, at) => at + 1));
      assert.equal((await table.run('ids', { holder: 'h', ids }, query)).length, 5);
      assert.deepEqual(await table.counts(), { claimed: 10, queued: 90 });
      const careless = `update ${table.name} as t set status = 'claimed' where t.id in (
        select p.id from ${table.name} as p where p.status = 'queued' limit 5 for update skip locked
      ) returning t.id`;
      assert.equal((await query(careless)).length, 90);
    });

    it('a claim settles on its way what ended after its begin', async () => {
      const table = await make(3, '--limit', '2');
      await table.claim('dead');
      await table.endLeases();
      assert.deepEqual((await table.claim('next')).ids, [3]);
      assert.deepEqual(await table.counts(), { review: 2, claimed: 1 });
    });

    it('an extension and a begin that waited for the row judge the lease when they have it', async () => {
      const table = await make(1, '--explicit-begin', '--lease', '1s');
      const { token } = await table.claim();
      const [holder, one, two, three] = await Promise.all([1, 2, 3, 4].map(() => bench.connect()));
      assert.ok(holder && one && two && three);
      await holder('begin');
      await holder(`select 1 from ${table.name} for update`);
      const extended = table.run('extend', { token }, one);
      const begun = table.run('begin', { id: 1, token }, two);
      const careless = three(
        `update ${table.name} set payload = 'extended' where claim_token = $1 and claimed_until > clock_timestamp() returning id`,
        { token },
      );
      await waiting(bench.query, 3);
      await systemClock.sleep(1_000);
      await holder('rollback');
      assert.deepEqual(await extended, []);
      assert.deepEqual(await begun, []);
      assert.equal(
        (await careless).length,
        1,
        'one that looks at the clock first takes a lease that is over for a live one',
      );
    });

    it('a begin that waited for an extension goes on', async () => {
      const table = await make(1, '--explicit-begin');
      const { token } = await table.claim();
      const [one, two] = [await bench.connect(), await bench.connect()];
      await one('begin');
      assert.equal((await table.run('extend', { token }, one)).length, 1);
      const begun = table.run('begin', { id: 1, token }, two);
      await waiting(bench.query, 1);
      await one('commit');
      assert.equal((await begun).length, 1);
      assert.equal((await table.row(1))['attempts'], 1);
    });

    it('a begin that waited for a new claim of its row is refused', async () => {
      const table = await make(1, '--explicit-begin');
      const { token } = await table.claim('old');
      await table.endLeases();
      const [one, two] = [await bench.connect(), await bench.connect()];
      await one('begin');
      assert.deepEqual((await table.claim('new', one)).ids, [1]);
      const begun = table.run('begin', { id: 1, token }, two);
      await waiting(bench.query, 1);
      await one('commit');
      assert.deepEqual(await begun, []);
      assert.equal((await table.row(1))['begun_at'], null);
    });

    it('under repeatable read a claim is made or fails as a whole, and no row has two owners', async () => {
      const workers = await Promise.all(Array.from({ length: 4 }, () => bench.connect()));
      const table = await make(200, '--limit', '10');
      for (const query of workers) await query("set default_transaction_isolation = 'repeatable read'");
      const owned: number[] = [];
      const work = async (query: Query, at: number): Promise<void> => {
        for (let tick = 0; tick < 40; tick += 1) {
          const claim = await table.claim(`worker ${at}`, query).catch((error: unknown) => {
            assert.equal((error as { code?: string }).code, '40001');
            return { ids: [] };
          });
          owned.push(...claim.ids);
        }
      };
      await Promise.all(workers.map(work));
      assert.deepEqual(
        owned.toSorted((a, b) => a - b),
        Array.from({ length: 200 }, (_, at) => at + 1),
      );
    });

    it('a verdict without its token, and a begin without its lease, are seen to let an old worker in', async () => {
      const table = await make(1, '--explicit-begin');
      const { token } = await table.claim('old');
      await table.endLeases();
      const begin = table
        .step('begin')
        .sql.replace('and held.leasehold_until > clock_timestamp()', 'and clock_timestamp() > held.leasehold_until');
      assert.equal((await bench.query(begin, { id: 1, token })).length, 1, 'the lease is what refuses');
      await table.run('requeue', { id: 1 });
      await bench.query(`update ${table.name} set status = 'queued'`);
      await table.claim('new');
      const done = table.step('done').sql.replace('t."claim_token" = $2', '$2::text is not null');
      assert.equal((await bench.query(done, { id: 1, token })).length, 1, 'the token is what refuses');
    });
  });
}

/** Until so many backends of this database wait for a lock. */
async function waiting(query: Query, count: number): Promise<void> {
  for (let look = 0; look < 500; look += 1) {
    const [row] = await query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (Number(row?.['n']) >= count) return;
    await systemClock.sleep(10);
  }
  throw new Error(`there were never ${count} waiting`);
}
