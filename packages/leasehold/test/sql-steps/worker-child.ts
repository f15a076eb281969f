/**
 * A worker of the crowd: claims, begins, has its effect (a row in `effects`, in a transaction of its own), gives its
 * verdict. Ends when nothing has been free for a while. Argument: a JSON object of dialect, url, statements and name.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import { systemClock } from '../../src/platform/system-clock.ts';
import type { Printed, Row } from './bench.ts';

interface Task {
  readonly dialect: 'postgres' | 'sqlite';
  readonly url: string;
  readonly name: string;
  readonly steps: Readonly<Record<string, Printed>>;
}

const EMPTY_MAX = 8;
const TICKS_MAX = 10_000;

const { dialect, url, name, steps } = JSON.parse(process.argv[2] ?? '{}') as Task;
const query = dialect === 'postgres' ? await openPostgres() : openSqlite();

async function openPostgres() {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return async (sql: string, values: Record<string, unknown>, names: readonly string[]): Promise<Row[]> =>
    (
      await client.query<Row>(
        sql,
        names.map((each) => values[each]),
      )
    ).rows;
}

function openSqlite() {
  const database = new DatabaseSync(url, { timeout: 10_000 });
  return (sql: string, values: Record<string, unknown>): Promise<Row[]> =>
    Promise.resolve(database.prepare(sql).all(values as Record<string, SQLInputValue>) as Row[]);
}

async function run(step: string, values: Record<string, unknown>): Promise<Row[]> {
  const printed = steps[step];
  if (printed === undefined) throw new Error(`no step ${step}`);
  return await query(printed.sql, values, printed.values);
}

// All of a crowd begin at once: each says that it is here, and goes when its stdin ends.
process.stdout.write('here\n');
for await (const _ of process.stdin);

let empty = 0;
for (let tick = 0; tick < TICKS_MAX && empty < EMPTY_MAX; tick += 1) {
  const rows = await run('next', { holder: name });
  if (rows.length === 0) await systemClock.sleep(20);
  empty = rows.length === 0 ? empty + 1 : 0;
  for (const row of rows) {
    const values = { id: row['id'], token: row['claim_token'] };
    if ((await run('begin', values)).length === 0) continue;
    await query(`insert into effects (id, worker) values (${Number(row['id'])}, '${name}') returning id`, {}, []);
    await run('done', values);
  }
}
process.exit(0);
