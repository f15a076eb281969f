/** Statements, round trips and commits of a row: figures that don't depend on the machine. */
import pg from 'pg';
import { countRoundTrips } from '../wire-counter.ts';
import type { Contestant } from './race.ts';

const ROWS = 1_000;

export interface Cost {
  readonly statements: number;
  readonly roundTrips: number;
  /** Transactions that wrote. */
  readonly commits: number;
}

/** Of each row, with what claiming or fetching takes; `open` gets the URL of a proxy to the database at `url`. */
export async function costOf(url: string, open: (url: string) => Promise<Contestant>): Promise<Cost> {
  await using wire = await countRoundTrips(url);
  const contestant = await open(wire.url);
  await contestant.fill(ROWS);
  const from = await askServer(
    url,
    'create extension if not exists pg_walinspect; select pg_current_wal_insert_lsn() as n',
  );
  wire.takeBoth();
  const worked = await contestant.work();
  const { statements, roundTrips } = wire.takeBoth();
  await contestant.close();
  const commits = Number(
    await askServer(
      url,
      `select count as n from pg_get_wal_stats('${from}', pg_current_wal_flush_lsn(), true)
       where "resource_manager/record_type" = 'Transaction/COMMIT'`,
    ),
  );
  if (worked !== ROWS) throw new Error(`${contestant.name} worked ${worked} rows of ${ROWS}`);
  return { statements: statements / ROWS, roundTrips: roundTrips / ROWS, commits: commits / ROWS };
}

/** Of the last statement the column `n`. Commits are counted in the log: numbers of transactions count subtransactions as well. */
async function askServer(url: string, statements: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const results = [await client.query<{ n: string }>(statements)].flat();
  await client.end();
  return String(results.at(-1)?.rows[0]?.n);
}

/** A cost as it is printed. */
export function sayCost({ statements, roundTrips, commits }: Cost): string {
  return `${statements.toFixed(3)} statements, ${roundTrips.toFixed(3)} round trips, ${commits.toFixed(3)} commits a row`;
}
