/** What every call costs hangs on what it touches, not on what the tables hold: none reads a large table from end to end. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { POSTGRES_VERSIONS, type Row, rows, TestStore } from '../database.ts';
import { claimNext, fill, tokenOf } from './stage.ts';

/** What one statement did to the tables, by the server's own count for its transaction. */
async function countsOf(client: pg.Client, statement: string, values: unknown[] = []): Promise<Row[]> {
  await client.query('select pg_stat_force_next_flush()');
  await client.query('begin');
  await client.query(statement, values);
  const counted = await rows(
    client,
    `select relname, seq_scan::int as scans, idx_tup_fetch::int as fetched, n_tup_upd::int as updates, n_tup_hot_upd::int as hot
     from pg_stat_xact_user_tables
     where schemaname = 'leasehold' and relname in ('records', 'claims', 'former_owners') order by relname`,
  );
  await client.query('commit');
  return counted;
}

for (const version of POSTGRES_VERSIONS) {
  describe(`plans of records on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    let token: string;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      // The plans are made, and kept by this session, while the tables are all but empty.
      for (let round = 0; round < 7; round += 1) {
        await fill(client, `small-${round}`, 4);
        const early = await tokenOf(claimNext(client, `small-${round}`, 3));
        for (const call of calls(`small-${round}`, early)) await rows(client, `select * from leasehold.${call}`);
      }
      await client.query(`
        insert into leasehold.pools (pool, created_at) values ('big', now());
        insert into leasehold.queue_marks (pool, low_no, scanned_at) values ('big', 0, '-infinity');
        insert into leasehold.claims (token, claim_id, pool, holder, lease_ms, lease_until, claimed_at)
        select 't-' || n, 'c-' || n, 'big', 'h', 7200000, now() + interval '1 hour' + n * interval '10 ms', now() from generate_series(1, 20000) n;
        insert into leasehold.records (pool, id, effect_key, state, token, claimed_at, created_at, updated_at)
        select 'big', 'id-' || lpad(n::text, 6, '0'), '', case when n % 3 = 0 then 'queued' when n % 3 = 1 then 'done' else 'claimed' end,
          case when n % 3 > 0 then 't-' || n / 3 + 1 end, now(), now(), now() from generate_series(1, 60000) n`);
      token = await tokenOf(claimNext(client, 'big', 50));
    });
    after(async () => await test[Symbol.asyncDispose]());

    function calls(pool: string, own: string): string[] {
      const ids = pool === 'big' ? ['id-000003', 'id-000006', 'id-000009'] : ['id-0001', 'id-0002', 'id-0003'];
      const [first = '', second = '', third = ''] = ids;
      return [
        `claim_next('${pool}', 'h', 5)`,
        `claim('${pool}', 'h', array['${first}', 'new-1', 'new-2'], 2)`,
        `work('${pool}', '{}', '{}', '{}', '{}', '{}', '{}', array['${second}', '${third}'], array_fill('${own}'::text, array[2]))`,
        `begin('${pool}', '${first}', '${own}')`,
        `work('${pool}', '{}', '{}', '{}', '{}', '{}', '{}', array['${first}', '${second}', '${third}', 'x'], array_fill('${own}'::text, array[4]))`,
        `done('${pool}', '${first}', '${own}', 'r')`,
        `unknown('${pool}', '${second}', '${own}')`,
        `failed('${pool}', '${third}', '${own}', 'e')`,
        `done('${pool}', '${third}', '${own}', 'late')`,
        `extend('${pool}', '${own}')`,
        `return_unworked('${pool}', '${own}')`,
        `records('${pool}', page_limit => 10)`,
        `records('${pool}', id => '${first}')`,
        `records('${pool}', state => 'review')`,
        `take_to_ask('${pool}')`,
        `note_holder_ended('${pool}', 'c-1', 'h')`,
        `decide_record('${pool}', '${first}', 'done', 'x')`,
        `enqueue('${pool}', array['${first}', 'new-3'])`,
      ];
    }

    it('no call reads a table from end to end, or a whole pool, though its plan was made when both were short', async () => {
      for (const call of calls('big', token)) {
        const counted = await countsOf(client, `select * from leasehold.${call}`);
        assert.deepEqual(
          counted.filter(({ scans, fetched }) => scans !== 0 || Number(fetched) > 1_000),
          [],
          call,
        );
      }
    });

    it('a begin and an owner’s done write no index', async () => {
      const claim = await claimNext(client, 'big', 20);
      const own = String(claim[0]?.['token']);
      const id = String(claim[0]?.['id']);
      await client.query('vacuum leasehold.records');
      for (const call of [`begin('big', $1, $2)`, `done('big', $1, $2, 'ref')`]) {
        const counted = await countsOf(client, `select * from leasehold.${call}`, [id, own]);
        const { updates, hot } = counted.find(({ relname }) => relname === 'records') ?? {};
        assert.deepEqual([updates, hot], [1, 1], call);
      }
    });
  });
}
