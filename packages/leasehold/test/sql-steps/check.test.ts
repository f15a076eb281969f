/** What "check" says of tables in which claims would fail, beside the claims that fail there; and ids that are null. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { type Bench, openPostgres, openSqlite, OwnTable, printSteps, type Row } from './bench.ts';

interface Odd {
  readonly of: string;
  /** Its columns, in the definition of the table. */
  readonly columns: string;
  readonly options?: readonly string[];
  readonly says: readonly string[];
  /** False: what is said is only worth knowing. */
  readonly claims?: boolean;
}

const BOTH: readonly Odd[] = [
  {
    of: 'a generated status',
    columns: "id integer primary key, status text generated always as ('queued') stored",
    says: ['problem: Column status is generated: nothing can be written to it.'],
  },
  {
    of: 'begun_at that is never null',
    columns: "id integer primary key, begun_at TIME not null default '2026-01-01T00:00:00.000Z'",
    options: ['--explicit-begin'],
    says: ['problem: Column begun_at is not null; it must take null, for a row that has not begun.'],
  },
];

const POSTGRES: readonly Odd[] = [
  {
    of: 'an enum without a word',
    columns: 'id integer primary key, status words_without_claimed',
    says: ["problem: Column status is an enum without 'claimed': add it."],
  },
  {
    of: 'a status that is too short',
    columns: 'id integer primary key, status varchar(6)',
    says: ['problem: Column status takes 6 characters; it must take 7.'],
  },
  {
    of: 'a status that is a blank-padded text',
    columns: 'id integer primary key, status char(10)',
    says: [],
    claims: true,
  },
  {
    of: 'a holder and a token that are too short',
    columns: 'id integer primary key, claimed_by varchar(8), claim_token char(20)',
    says: [
      'problem: Column claim_token takes 20 characters; it must take 36.',
      'problem: Column claimed_by takes 8 characters; it must take 64.',
    ],
  },
  {
    of: 'a check without words',
    columns: "id integer primary key, status text check (status in ('queued', 'claimed', 'failed', 'review', 'sent'))",
    says: ["problem: Check NAME_status_check refuses 'done' in column status."],
    claims: true,
  },
  {
    of: 'a check that has all words, or forbids another',
    columns: `id integer primary key, status varchar(20) check (status <> 'x')
      constraint one_of check (status in ('queued', 'claimed', 'done', 'failed', 'review'))`,
    says: [],
    claims: true,
  },
  {
    of: 'a check of another column',
    columns: "id integer primary key, claimed_by text check (claimed_by like 'x%')",
    says: [
      'note: Check NAME_claimed_by_check is asked on each claim, begin, verdict and sweep: it must accept what they write.',
    ],
  },
  {
    of: 'a foreign key',
    columns: 'id integer primary key, claimed_by text references people',
    says: [
      'note: Foreign key NAME_claimed_by_fkey is asked on each claim, begin, verdict and sweep: what they write must be there.',
    ],
  },
  {
    of: 'a unique token',
    columns: 'id integer primary key, claim_token text unique',
    says: [
      'problem: Unique index NAME_claim_token_key has no column but claim_token: the rows of one claim have the same there.',
    ],
  },
  {
    of: 'a key that may be null',
    columns: 'id integer unique',
    says: ['note: Column id of the id may be null: rows without it are never claimed.'],
    claims: true,
  },
];

const SQLITE: readonly Odd[] = [
  {
    of: 'a check',
    columns: "id integer primary key, status text check (status in ('queued', 'done'))",
    says: [
      'note: A check is on this table: it must accept what each claim, begin, verdict and sweep writes, all words of status included.',
    ],
  },
  {
    of: 'a foreign key',
    columns: 'id integer primary key, claimed_by text references people',
    says: [
      'note: A foreign key is on column claimed_by: what each claim, begin, verdict and sweep writes must be there.',
    ],
  },
  {
    of: 'a unique token',
    columns: 'id integer primary key, claim_token text unique',
    says: [
      'problem: Unique index sqlite_autoindex_NAME_1 has no column but claim_token: the rows of one claim have the same there.',
    ],
  },
  {
    of: 'a key that may be null',
    columns: 'id text primary key',
    says: ['note: Column id of the id may be null: rows without it are never claimed.'],
    claims: true,
  },
];

const STRICT =
  'create table strictly (id integer primary key, claimed_at integer, attempts text, claimed_by any) strict';

function describeOnBoth(engine: string, odds: readonly Odd[], open: () => Promise<Bench>): void {
  describe(`what "check" says on ${engine}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await open();
      await bench.query('create table people (name text primary key)');
      if (bench.dialect === 'postgres') {
        await bench.query("create type words_without_claimed as enum ('queued', 'done', 'failed', 'review')");
      } else await bench.query('pragma foreign_keys = on');
    });
    after(async () => await bench[Symbol.asyncDispose]());

    const check = async (name: string, options: readonly string[]): Promise<string[]> => {
      const steps = await printSteps(['--table', name, '--dialect', bench.dialect, ...options]);
      const rows = await bench.query(steps.get('check')?.sql ?? '');
      return rows.map((row) => `${Number(row['is_problem']) === 1 ? 'problem' : 'note'}: ${String(row['finding'])}`);
    };

    odds.forEach(({ of, columns, options = [], says, claims = false }, index) => {
      it(`of ${of} it says ${says.length === 0 ? 'nothing' : 'so'}, and a claim ${claims ? 'is made' : 'fails'}`, async () => {
        const name = `odd_${index}`;
        const type = bench.dialect === 'postgres' ? 'timestamptz' : 'text';
        await bench.query(`create table ${name} (${columns.replace('TIME', type)})`);
        const steps = await printSteps(['--table', name, '--dialect', bench.dialect, ...options]);
        await addColumns(bench, steps.get('add')?.sql ?? '');
        assert.deepEqual(
          await check(name, options),
          says.map((each) => each.replace('NAME', name)),
        );
        const isGenerated = columns.includes('generated');
        await bench.query(
          isGenerated
            ? `insert into ${name} (id) values (1), (2)`
            : `insert into ${name} (id, status) values (1, 'queued'), (2, 'queued')`,
        );
        const { sql = '', values = [] } = steps.get('next') ?? {};
        const claim = bench.query(sql, { holder: 'a holder of some length' }, values);
        if (claims) assert.equal((await claim).length, 2);
        else await assert.rejects(claim, (error: Error) => !error.message.includes('syntax'));
      });
    });

    it('rows whose id is null stand in no other’s way, and are left alone', async () => {
      await bench.query('create table nulls (id integer unique, prio integer)');
      const table = await OwnTable.of(bench, 'nulls', ['--order-column', 'prio', '--limit', '2', '--explicit-begin']);
      await bench.query(
        `insert into nulls (id, prio, status, claimed_until, claim_token) values
         (null, 0, 'queued', null, null), (null, 0, 'queued', null, null), (7, 1, 'queued', null, null),
         (null, 0, 'claimed', '2020-01-01T00:00:00.000Z', 't'), (null, 0, 'claimed', '2020-01-01T00:00:00.000Z', 't')`,
      );
      assert.deepEqual((await table.claim()).ids, [7]);
      await bench.query("update nulls set claimed_until = '2020-01-01T00:00:00.000Z' where id = 7");
      assert.deepEqual((await table.claim()).ids, [7], 'one that was given up');
    });
  });
}

async function addColumns(bench: Bench, sql: string): Promise<void> {
  if (bench.dialect === 'postgres') return void (await bench.query(sql));
  for (const statement of sql.trimEnd().split('\n')) await bench.query(statement).catch((): Row[] => []);
}

describeOnBoth('SQLite', [...BOTH, ...SQLITE], openSqlite);
for (const version of POSTGRES_VERSIONS) {
  describeOnBoth(`PostgreSQL ${version}`, [...BOTH, ...POSTGRES], () => openPostgres(version));
}

for (const version of POSTGRES_VERSIONS) {
  describe(`what "check" says to a role on PostgreSQL ${version}`, () => {
    it('columns that it may not read or write are problems', async () => {
      await using bench = await openPostgres(version);
      const table = await OwnTable.withRows(bench, 1);
      const role = `worker_${Date.now()}_${version}`;
      await bench.query(`create role ${role}`);
      await bench.query(`grant select (id, status, claimed_at, claimed_by, claim_token, claimed_until, begun_at, attempts),
        update (claimed_at, claimed_by, claim_token, claimed_until, begun_at, attempts) on ${table.name} to ${role}`);
      await bench.query(`set role ${role}`);
      const rows = await bench.query(table.step('check').sql);
      await assert.rejects(table.claim(), { code: '42501' });
      await bench.query('reset role');
      await bench.query(`drop owned by ${role}`);
      await bench.query(`drop role ${role}`);
      assert.deepEqual(
        rows.map((row) => row['finding']),
        [
          'This role may not read column payload, and a claim gives whole rows.',
          'This role may not write column status.',
        ],
      );
    });
  });
}

describe('what "check" says on SQLite alone', () => {
  it('columns of a strict table that take no text are problems', async () => {
    await using bench = await openSqlite();
    await bench.query(STRICT);
    await OwnTable.of(bench, 'strictly');
    const steps = await printSteps(['--table', 'strictly', '--dialect', 'sqlite']);
    assert.deepEqual(
      (await bench.query(steps.get('check')?.sql ?? '')).map((row) => row['finding']),
      [
        'Column attempts of a strict table is TEXT; it must be integer.',
        'Column claimed_at of a strict table is INTEGER; it must be text.',
      ],
    );
  });

  it('a trigger is said however it is written', async () => {
    await using bench = await openSqlite();
    const table = await OwnTable.withRows(bench, 1);
    for (const [index, update] of [
      'after\nupdate\non',
      'after\tupdate of status\non',
      'before/* each */update/**/on',
    ].entries()) {
      await bench.query(`create trigger t${index} ${update} ${table.name} begin select 1; end`);
    }
    const rows = await bench.query(table.step('check').sql);
    assert.deepEqual(
      rows.map((row) => row['finding']),
      [0, 1, 2].map((index) => `Trigger t${index} runs on each claim, begin, verdict and sweep, as on any update.`),
    );
  });

  it('a lease that is no instant is over', async () => {
    await using bench = await openSqlite();
    const table = await OwnTable.withRows(bench, 3);
    await table.claim();
    await bench.query(`update ${table.name} set claimed_until = 'garbage' where id = 1`);
    await bench.query(`update ${table.name} set claimed_until = '' where id = 2`);
    assert.deepEqual(
      (await table.run('sweep')).map((row) => row['id']),
      [1, 2],
    );
    assert.deepEqual(await table.counts(), { review: 2, claimed: 1 });
  });
});
