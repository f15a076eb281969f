/** n8n's PostgreSQL database: rights, several n8n in one database, log-in, and the promise to write nothing. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openN8nPostgres } from '../../../src/audit/readers/n8n-database/postgres.ts';
import { type ExecutionRow, insertExecution, insertRow, n8nTables } from '../../targets/n8n-database.ts';
import { adminUrl } from '../../postgres.ts';
import { type N8nDatabaseFixture, openPostgresFixture } from './database.ts';
import { NOW, readSource, saidIn } from './stage.ts';

const ROW: ExecutionRow = { id: 1, startedAt: NOW - 9_000, stoppedAt: NOW };
const WORKFLOW = { id: 'wf1', name: 'One', active: true, nodes: [], connections: {}, versionId: 'v' };
const FILL = [n8nTables('postgres'), insertRow('workflow_entity', WORKFLOW), insertExecution('postgres', ROW)].join(
  '\n',
);

const CLOCK = { sleep: async (): Promise<void> => {}, schedule: () => ({ cancel: () => {} }) };

interface Role extends AsyncDisposable {
  readonly name: string;
  /** The fixture's database, as this role. */
  readonly address: string;
}

/** A role that may log in and has been granted nothing. */
async function createRole(fixture: N8nDatabaseFixture & { readonly url: string }): Promise<Role> {
  const name = `auditor_${randomBytes(6).toString('hex')}`;
  await fixture.execute(`create role ${name} login password 'a secret of theirs'`);
  const url = new URL(fixture.url);
  url.username = name;
  url.password = 'a secret of theirs';
  return {
    name,
    address: url.href,
    async [Symbol.asyncDispose]() {
      await fixture.execute(`drop owned by ${name}; drop role ${name}`);
    },
  };
}

test('nothing can be written, whatever is asked', async () => {
  await using fixture = await openPostgresFixture(18);
  await fixture.execute(FILL);
  const database = await openN8nPostgres(fixture.url, CLOCK);
  for (const statement of [
    'delete from execution_entity',
    'create table mine (id integer)',
    "select nextval('execution_entity_id_seq')",
  ]) {
    await assert.rejects(
      database.atOnce(() => database.query(statement.replace("'exec", "'public.exec"), [])),
      {
        code: statement.startsWith('delete') ? '42P01' : '25006',
      },
    );
  }
  await assert.rejects(
    database.atOnce(() => database.query('delete from public.execution_entity', [])),
    { code: '25006' },
  );
  await database.close();
});

test('each statement has a bound on the server, and everything read at once is of one instant', async () => {
  await using fixture = await openPostgresFixture(18);
  await fixture.execute(FILL);
  const database = await openN8nPostgres(fixture.url, CLOCK);
  const count = 'select count(*)::int as count from public.execution_entity';
  await database.atOnce(async () => {
    const [bounds] = await database.query(
      "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock",
      [],
    );
    assert.deepEqual({ ...bounds }, { statement: '1min', lock: '5s' });
    assert.deepEqual((await database.query(count, []))[0], { count: 1 });
    await fixture.execute(insertExecution('postgres', { ...ROW, id: 2 }));
    assert.deepEqual((await database.query(count, []))[0], { count: 1 });
  });
  assert.deepEqual((await database.query(count, []))[0], { count: 2 });
  await database.close();
});

test('a role without rights is told which table to grant', async () => {
  await using fixture = await openPostgresFixture(18);
  await fixture.execute(FILL);
  await using role = await createRole(fixture);
  const read = await readSource(role.address);
  const refused = (what: string, table: string): string =>
    `${fixture.name}: None of its ${what} could be read: this role may not read the table public.${table}; as its owner: grant select on public.${table} to ROLE.`;
  assert.deepEqual(read.unread, [refused('workflows', 'workflow_entity'), refused('runs', 'execution_entity')]);
  assert.ok(!saidIn(read).includes('secret'));
});

test('a role that may read some columns reads those, and what it can not see is told', async () => {
  await using fixture = await openPostgresFixture(18);
  await fixture.execute(FILL);
  await using role = await createRole(fixture);
  await fixture.execute(
    `grant select on workflow_entity to ${role.name};
     grant select ("id", "workflowId", "status", "mode", "startedAt", "stoppedAt") on execution_entity to ${role.name};`,
  );
  const { runs, workflows, unread, limits } = await readSource(role.address);
  assert.deepEqual([runs.length, runs[0]?.state, workflows.length, unread], [1, 'ended', 1, []]);
  assert.ok(
    limits.includes(
      'The table workflow_history may not be read: of each workflow the draft was audited, not the version that runs.',
    ),
  );
});

test('the rights that docs/audit.md names are enough for everything', async () => {
  await using fixture = await openPostgresFixture(15);
  await fixture.execute(FILL);
  await using role = await createRole(fixture);
  const page = readFileSync(new URL('../../../../../docs/audit.md', import.meta.url), 'utf8');
  const grant = /^grant select on [^;]*? to auditor;$/m.exec(page)?.[0] ?? 'missing';
  await fixture.execute(grant.replace('auditor', role.name));
  const { limits, ...byRole } = await readSource(role.address);
  const byOwner = await readSource(fixture.address);
  assert.deepEqual([byRole.runs, byRole.workflows, limits], [byOwner.runs, byOwner.workflows, byOwner.limits]);
  assert.deepEqual([byRole.runs.length, byRole.unread], [1, []]);
});

test('two n8n in one database are read apart, each by its name', async () => {
  await using fixture = await openPostgresFixture(15);
  await fixture.execute(`${FILL} create schema second; set search_path = second; ${FILL} reset search_path;`);
  await fixture.execute('delete from public.execution_entity; delete from public.workflow_entity;');
  const { runs, unread, progress } = await readSource(fixture.address);
  assert.deepEqual([runs.length, unread], [1, []]);
  assert.ok(progress.some((line) => line.startsWith(`${fixture.name} (second.execution_entity): 1 `)));
});

test('a wrong password, a missing database and a server that is not there are one line each, without the password', async () => {
  await using fixture = await openPostgresFixture(18);
  const wrong = new URL(fixture.url);
  wrong.password = 'not-the-right-one';
  const missing = new URL(fixture.url);
  missing.pathname = '/nowhere_at_all';
  const cases: readonly (readonly [string, string])[] = [
    [wrong.href, "It can't be read: the server refuses the password of this role."],
    [missing.href, "It can't be read: there is no database of this name."],
    [
      'postgres://me:pass-of-mine@127.0.0.1:9/n8n',
      "It can't be read: the server refuses connections: is it up, and are host and port right?",
    ],
    ['postgres://me:pass-of-mine@no-such-host.invalid/n8n', "It can't be read: the name of its host is not known."],
    [
      `${adminUrl(18)}?sslmode=require`,
      "It can't be read: the server speaks no TLS; sslmode=disable in the address does without.",
    ],
  ];
  for (const [address, sentence] of cases) {
    const read = await readSource(address);
    assert.deepEqual(
      read.unread.map((line) => line.replace(/^\S+ /, '')),
      [sentence],
    );
    assert.doesNotMatch(saidIn(read), /not-the-right-one|pass-of-mine|password1/);
  }
});

test('a connection that breaks on the way is told, and what was read before counts', async () => {
  await using fixture = await openPostgresFixture(18);
  await fixture.execute(FILL);
  await fixture.execute(
    `insert into execution_entity ("id", "workflowId", "finished", "mode", "status", "startedAt", "stoppedAt")
     select i, 'wf1', true, 'trigger', 'success', '2026-11-30T10:00:00Z', '2026-11-30T10:00:01Z' from generate_series(10, 80000) as n(i)`,
  );
  const { runs, unread } = await readSource(fixture.address, {
    readWorkflow: () => {},
    progress: (text) => {
      if (text.includes(' 2,000 runs')) void cut();
    },
  });
  async function cut(): Promise<void> {
    await fixture.execute(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'leasehold audit' and datname = current_database()",
    );
  }
  assert.ok(runs.length >= 2_000 && runs.length < 79_992, String(runs.length));
  assert.match(
    unread.join(),
    /Only [\d,]+ of its runs could be read: the server is shutting down\.$|connection to the server broke\.$/,
  );
});
