/** The outbox in PostgreSQL: one transaction with its cause, deliverers that never wait, rights. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, rows, start, TestStore } from './database.ts';

const [OLDEST] = POSTGRES_VERSIONS;
const ALERTS =
  'select e.kind, e.lock, a.state from leasehold.alerts a join leasehold.events e on e.seq = a.event_id order by e.seq';

it('where the cause is rolled back there is no alert, and where the alert can’t be stored there is no cause', async () => {
  await using test = await TestStore.open(OLDEST);
  const client = await test.client();
  await client.query('begin');
  await client.query(`select leasehold.pause('job')`);
  assert.equal((await rows(client, ALERTS)).length, 1);
  await client.query('rollback');
  assert.deepEqual(await rows(client, ALERTS), []);
  await client.query(
    `create function public.full() returns trigger language plpgsql as $$ begin raise 'full'; end $$;
     create trigger no_alerts before insert on leasehold.alerts execute function public.full()`,
  );
  assert.equal((await failure(client, `select leasehold.pause('job')`)).message, 'full');
  assert.deepEqual(await rows(client, `select 1 from leasehold.locks where paused_at is not null`), []);
  assert.deepEqual(await rows(client, 'select 1 from leasehold.events'), []);
});

it('a deliverer passes by what another one is just taking, and a settlement waits for nothing else', async () => {
  await using test = await TestStore.open(OLDEST);
  for (const lock of ['a', 'b']) await test.store.pause({ lock, reason: null });
  const [one, two] = [await test.client(), await test.client()];
  await one.query('begin');
  const first = await rows(one, `select * from leasehold.take_alerts('one', 1)`);
  const second = await rows(two, `select * from leasehold.take_alerts('two', 10)`);
  await one.query('commit');
  assert.deepEqual([first.map((each) => each['lock']), second.map((each) => each['lock'])], [['a'], ['b']]);
});

it('a deliverer that finds nothing writes nothing', async () => {
  await using test = await TestStore.open(OLDEST);
  const client = await test.client();
  await client.query('begin');
  await client.query(`select * from leasehold.take_alerts('one', 10)`);
  assert.equal((await row(client, 'select pg_current_xact_id_if_assigned() as id'))['id'], null);
  await client.query('rollback');
});

it('a role with the right to execute can deliver, and can touch no table', async () => {
  await using test = await TestStore.open(OLDEST);
  const admin = await test.client();
  await test.store.pause({ lock: 'a', reason: null });
  const role = `deliverer_${randomBytes(6).toString('hex')}`;
  await admin.query(`create role ${role} login password 'secret'`);
  try {
    await admin.query(`select leasehold.grant_to($1)`, [role]);
    const url = new URL(test.database.url);
    url.username = role;
    url.password = 'secret';
    const client = await test.client(url.href);
    const [alert] = await rows(client, `select * from leasehold.take_alerts('one')`);
    const settled = await rows(client, `select * from leasehold.settle_alert($1, 'one', '{ops}')`, [
      alert?.['alert_id'],
    ]);
    assert.deepEqual(settled, [{ outcome: 'delivered', next_attempt_at: null }]);
    assert.equal((await row(client, 'select * from leasehold.alert_counts()'))['pending'], '0');
    assert.equal((await failure(client, 'select * from leasehold.alerts')).code, '42501');
    assert.equal(
      (await failure(client, `select leasehold._event('run.skipped', 'warning', 'a', null, null, 'm', null, now())`))
        .code,
      '42501',
    );
    await client.end();
  } finally {
    await admin.query(`drop owned by ${role}; drop role ${role}`);
  }
});

it('arguments outside their limits are refused', async () => {
  await using test = await TestStore.open(OLDEST);
  const client = await test.client();
  for (const call of [
    `take_alerts('')`,
    `take_alerts('a', 10, interval '1 ms')`,
    `take_alerts('a', 10, interval '1 hour')`,
    `settle_alert('a', 'b', '{}', 'e', interval '-1 s')`,
  ]) {
    assert.equal((await failure(client, `select * from leasehold.${call}`)).code, 'LH002', call);
  }
});

it('an alert that is taken for years or due in years counts as free and as due', async () => {
  await using test = await TestStore.open(OLDEST);
  const client = await test.client();
  await test.store.acquire(start('job'));
  await test.store.acquire(start('job', { holder: 'other' }));
  const take = async (): Promise<number> => (await rows(client, `select * from leasehold.take_alerts('t')`)).length;
  await client.query(`update leasehold.alerts set taken_by = 'x', taken_until = now() + interval '1 year'`);
  assert.equal(await take(), 1);
  await client.query(
    `update leasehold.alerts set taken_by = null, taken_until = null, next_attempt_at = now() + interval '1 year'`,
  );
  assert.equal(await take(), 1);
  assert.equal(await take(), 0);
});

it('both engines give an episode the same key', async () => {
  const { dedupKeyOf } = await import('../../../src/domain/alert.ts');
  await using test = await TestStore.open(OLDEST);
  const client: pg.Client = await test.client();
  const samples: [string, string | null, string | null, Record<string, unknown> | null][] = [
    ['run.skipped', 'a "b" \\ c/d ü €😀', 'r', { currentRunId: 'x"y' }],
    ['run.skipped', 'a', 'r', { currentRunId: null }],
    ['run.skipped', 'a', 'r', { currentRunId: 5 }],
    ['lease.lost', 'a', null, null],
    ['alert.dead', null, null, {}],
    ['lock.paused', null, 'r', { reason: 'x' }],
  ];
  for (const [kind, lock, runId, data] of samples) {
    const { key } = await row(client, 'select leasehold._dedup_key($1, $2, $3, $4) as key', [kind, lock, runId, data]);
    assert.equal(key, dedupKeyOf({ kind, lock, runId, data, severity: 'warning' }));
  }
});
