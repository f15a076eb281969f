/** Watching and retention as SQL: who may call them, what they refuse, and what they cost. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, rows, start, TestStore } from './database.ts';

const PLAN = `schedule => '0 * * * *', timezone => 'UTC', next_slot => clock_timestamp() + interval '1 hour',
  overdue => clock_timestamp() + interval '3 hours'`;

for (const version of POSTGRES_VERSIONS) {
  describe(`watching and retention on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** Makes a lock overdue. */
    async function overdue(lock: string): Promise<void> {
      await client.query(`select leasehold.acquire($1, '1 hour', 'h', ${PLAN})`, [lock]);
      await client.query(
        "update leasehold.locks set overdue_at = clock_timestamp() - interval '1 second' where name = $1",
        [lock],
      );
    }

    it('a plan is given whole or not at all, with a start or without a slot', async () => {
      const TOO_FAR = 'next_slot and overdue must be instants, overdue less than 1,000 years ahead';
      const whole = 'schedule, timezone, next_slot and overdue are given together or not at all';
      for (const [part, says] of [
        ["schedule => '0 * * * *'", whole],
        ["timezone => 'UTC'", whole],
        ['next_slot => clock_timestamp()', whole],
        ['overdue => clock_timestamp()', whole],
        [PLAN.replace("'UTC'", "''"), 'timezone is empty; give it 1 to 1024 bytes'],
        [PLAN.replace("clock_timestamp() + interval '3 hours'", "'infinity'"), TOO_FAR],
        [PLAN.replace("clock_timestamp() + interval '3 hours'", "'9999-12-31'"), TOO_FAR],
        [PLAN.replace(/next_slot => [^,]+/, "next_slot => '20000-01-01'"), TOO_FAR],
      ] as const) {
        assert.deepEqual(await failure(client, `select leasehold.acquire('a', '1 hour', 'h', ${part})`), {
          code: 'LH002',
          message: says,
        });
      }
      assert.deepEqual(await rows(client, "select * from leasehold.locks where name = 'a'"), []);
      const answer = await row(client, `select outcome from leasehold.acquire('a', '1 hour', 'h', ${PLAN})`);
      assert.equal(answer['outcome'], 'acquired');
      const status = await row(
        client,
        "select schedule, timezone, next_slot_at > clock_timestamp() as ahead from leasehold.status('a')",
      );
      assert.deepEqual(status, { schedule: '0 * * * *', timezone: 'UTC', ahead: true });
    });

    it('retention of less than a day, or of months, is refused with LH002, whoever asks', async () => {
      for (const args of [
        "runs_kept => '23 hours'",
        "events_kept => '0'",
        "runs_kept => '-5 days'",
        "events_kept => '1 month'",
      ]) {
        assert.equal((await failure(client, `select leasehold.prune(${args})`)).code, 'LH002', args);
      }
      assert.equal((await failure(client, 'select leasehold.prune(runs_kept => null)')).code, 'LH002');
    });

    it('a role with EXECUTE alone may watch and prune, and delete nothing itself', async () => {
      const role = `runtime_${randomBytes(6).toString('hex')}`;
      await client.query(`create role ${role}`);
      try {
        await client.query(`select leasehold.grant_to('${role}')`);
        await client.query(`set role ${role}`);
        assert.equal((await row(client, 'select raised from leasehold.watch()'))['raised'], 0);
        assert.equal((await row(client, "select is_due from leasehold.prune(every => '0')"))['is_due'], true);
        for (const statement of [
          'delete from leasehold.runs',
          'delete from leasehold.events',
          "select leasehold._prune_runs('a', clock_timestamp(), 10)",
          'select leasehold._prune_events(clock_timestamp(), 10)',
          'update leasehold.upkeep set done_at = null',
        ]) {
          assert.equal((await failure(client, statement)).code, '42501', statement);
        }
      } finally {
        await client.query('reset role');
        await client.query(`drop owned by ${role}; drop role ${role}`);
      }
    });

    it('a lock whose row is busy is left to the next look, without a wait', async () => {
      await overdue('busy');
      const other = await test.client();
      await other.query("begin; select from leasehold.locks where name = 'busy' for update");
      assert.equal((await test.store.watch({ timeoutMs: 1_000 })).raised, 0);
      await other.query('rollback');
      assert.equal((await test.store.watch()).raised, 1);
    });

    it('a look that finds nothing, and retention at rest, write nothing', async () => {
      await test.store.watch();
      await client.query('select leasehold.prune()');
      await client.query('begin');
      await client.query('select leasehold.watch()');
      await client.query('select leasehold.prune()');
      const { xid } = await row(client, 'select pg_current_xact_id_if_assigned() as xid');
      await client.query('rollback');
      assert.equal(xid, null);
    });

    it('a second session that comes while one is at it has nothing to do', async () => {
      const other = await test.client();
      await other.query('begin');
      await other.query("select leasehold.prune(every => '0')");
      assert.equal((await row(client, "select is_due from leasehold.prune(every => '0')"))['is_due'], false);
      await other.query('rollback');
      assert.equal((await row(client, "select is_due from leasehold.prune(every => '0')"))['is_due'], true);
    });

    it('an ordinary start and release in time touch nothing that watching keeps', async () => {
      await test.store.acquire(start('plain'));
      const kept = await row(
        client,
        "select schedule, overdue_at, overdue_told, near_end_told_at from leasehold.locks where name = 'plain'",
      );
      assert.deepEqual(kept, { schedule: null, overdue_at: null, overdue_told: null, near_end_told_at: null });
    });

    it('what is usual is found by an index, however many starts were skipped', async () => {
      await client.query(`insert into leasehold.runs (run_id, lock, holder, outcome, fence, started_at, ended_at, status, message)
        select 'r' || i, 'usual', 'h', case when i % 100 = 0 then 'acquired' else 'skipped' end, case when i % 100 = 0 then i end,
          clock_timestamp() - interval '1 minute', case when i % 100 = 0 then clock_timestamp() end,
          case when i % 100 = 0 then 'success' end, 'So it was.'
        from generate_series(1, 20000) i`);
      await client.query('analyze leasehold.runs');
      const plan = await rows(
        client,
        `explain select r.started_at from leasehold.runs r
         where r.lock = 'usual' and r.fence is not null order by r.seq desc limit 200`,
      );
      assert.match(JSON.stringify(plan), /runs_that_ran/);
      await client.query("insert into leasehold.locks (name) values ('usual')");
      assert.equal((await test.store.status({ lock: 'usual', limit: 1 }))[0]?.usualMs, 60_000);
    });
  });
}
