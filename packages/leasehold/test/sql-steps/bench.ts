/** Somebody's own table on either engine, and the statements that `leasehold sql` prints for it, run as they stand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import { say } from '../cli/understood-lines.ts';
import { createDatabase, type PostgresVersion } from '../postgres.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Dialect = 'postgres' | 'sqlite';

/** One statement as `--json` prints it. */
export interface Printed {
  readonly step: string;
  readonly values: readonly string[];
  readonly about: string;
  readonly sql: string;
  readonly dialect: Dialect;
}

const SUBJECTS = ['columns', 'claim', 'verdict', 'sweep'];

/** What `leasehold sql` prints for a table, by step. */
export async function printSteps(options: readonly string[]): Promise<ReadonlyMap<string, Printed>> {
  const steps = new Map<string, Printed>();
  for (const subject of SUBJECTS) {
    const { code, stdout, stderr } = await say(['sql', subject, ...options, '--json']);
    if (code !== 0) throw new Error(stderr);
    for (const line of stdout.trimEnd().split('\n')) {
      const printed = JSON.parse(line) as Printed;
      steps.set(printed.step, printed);
    }
  }
  return steps;
}

/** The rows that a connection gives for a statement; SQLite's come from the last statement of several. */
export type Query = (
  sql: string,
  values?: Readonly<Record<string, unknown>>,
  names?: readonly string[],
) => Promise<Row[]>;

export interface Bench extends AsyncDisposable {
  readonly dialect: Dialect;
  /** Of one connection, which stays open. */
  readonly query: Query;
  /** Another connection to the same database. */
  connect(): Promise<Query>;
  /** What a process of its own needs to connect. */
  readonly url: string;
}

export async function openPostgres(version: PostgresVersion): Promise<Bench> {
  const database = await createDatabase(version);
  const clients: pg.Client[] = [];
  const connect = async (): Promise<Query> => {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return async (sql, values = {}, names = Object.keys(values)) => {
      const { rows } = await client.query<Row>(sql, names.length === 0 ? undefined : names.map((name) => values[name]));
      return rows;
    };
  };
  return {
    dialect: 'postgres',
    query: await connect(),
    connect,
    url: database.url,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.end().catch(() => {})));
      await database.drop();
    },
  };
}

export function openSqlite(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-own-'));
  const url = join(folder, 'own.db');
  const databases: DatabaseSync[] = [];
  const connect = (): Promise<Query> => {
    const database = new DatabaseSync(url, { timeout: 5_000 });
    databases.push(database);
    return Promise.resolve(async (sql, values = {}) => {
      await Promise.resolve();
      if (Object.keys(values).length === 0 && /;\n./.test(sql)) {
        database.exec(sql);
        return [];
      }
      return database.prepare(sql).all(values as Record<string, SQLInputValue>);
    });
  };
  return connect().then((query) => ({
    dialect: 'sqlite',
    query,
    connect,
    url,
    [Symbol.asyncDispose]() {
      for (const database of databases) database.close();
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  }));
}

/** A table with the printed columns, and its statements. */
export class OwnTable {
  readonly bench: Bench;
  readonly name: string;
  readonly steps: ReadonlyMap<string, Printed>;

  private constructor(bench: Bench, name: string, steps: ReadonlyMap<string, Printed>) {
    this.bench = bench;
    this.name = name;
    this.steps = steps;
  }

  /** Takes a table that is there, and adds the columns and indexes as printed. */
  static async of(bench: Bench, name: string, options: readonly string[] = []): Promise<OwnTable> {
    const steps = await printSteps(['--table', name, '--dialect', bench.dialect, ...options]);
    const table = new OwnTable(bench, name, steps);
    await table.#addColumns();
    await bench.query(table.step('index').sql);
    return table;
  }

  /** As the page says: in SQLite one by one, and a column that is there is no harm. */
  async #addColumns(): Promise<void> {
    const { sql } = this.step('add');
    if (this.bench.dialect === 'postgres') return void (await this.bench.query(sql));
    for (const statement of sql.trimEnd().split('\n')) {
      await this.bench.query(statement).catch((error: unknown) => {
        if (!(error as Error).message.startsWith('duplicate column name')) throw error;
      });
    }
  }

  /** A fresh table with ids from 1 to `count`, all of them queued. */
  static async withRows(bench: Bench, count: number, options: readonly string[] = []): Promise<OwnTable> {
    tableCount += 1;
    const name = `orders_${tableCount}`;
    await bench.query(`create table ${name} (id integer primary key, payload text)`);
    const table = await OwnTable.of(bench, name, options);
    await bench.query(
      `insert into ${name} (id, payload, status)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i, 'row ' || i, 'queued' from n`,
    );
    return table;
  }

  step(name: string): Printed {
    const printed = this.steps.get(name);
    if (printed === undefined) throw new Error(`nothing is printed for "${name}"`);
    return printed;
  }

  /** Runs a printed statement as it stands. */
  async run(
    name: string,
    values: Readonly<Record<string, unknown>> = {},
    query: Query = this.bench.query,
  ): Promise<Row[]> {
    const { sql, values: names } = this.step(name);
    return await query(sql, values, names);
  }

  /** Claims the next rows; the ids in order, and their one token. */
  async claim(holder = 'h', query: Query = this.bench.query): Promise<{ ids: number[]; token: string }> {
    return claimOf(await this.run('next', { holder }, query));
  }

  /** One row as it is stored. */
  async row(id: number): Promise<Row> {
    const [row] = await this.bench.query(`select * from ${this.name} where id = ${id}`);
    if (row === undefined) throw new Error(`no row ${id}`);
    return row;
  }

  /** Lets every lease end, or those of one holder, and tells nobody. */
  async endLeases(holder?: string): Promise<void> {
    const past = this.bench.dialect === 'postgres' ? "claimed_until - interval '1 hour'" : "'2020-01-01T00:00:00.000Z'";
    await this.bench.query(
      `update ${this.name} set claimed_until = ${past} where ${holder === undefined ? 'claimed_until is not null' : `claimed_by = '${holder}'`}`,
    );
  }

  /** How many rows there are of each status. */
  async counts(): Promise<Record<string, number>> {
    const rows = await this.bench.query(`select status, count(*) as n from ${this.name} group by status`);
    return Object.fromEntries(rows.map(({ status, n }) => [String(status), Number(n)]));
  }
}

let tableCount = 0;

/** The ids of claimed rows, in order, and their token, of which there must be one. */
export function claimOf(rows: readonly Row[]): { ids: number[]; token: string } {
  const tokens = new Set(rows.map((row) => String(row['claim_token'])));
  if (tokens.size > 1) throw new Error(`one claim has ${tokens.size} tokens`);
  return { ids: rows.map((row) => Number(row['id'])).toSorted((a, b) => a - b), token: [...tokens][0] ?? '' };
}
