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
  const before = await transactionsSoFar(url);
  wire.takeBoth();
  const worked = await contestant.work();
  const { statements, roundTrips } = wire.takeBoth();
  // Less one: asking takes a transaction as well.
  const commits = (await transactionsSoFar(url)) - before - 1;
  await contestant.close();
  if (worked !== ROWS) throw new Error(`${contestant.name} worked ${worked} rows of ${ROWS}`);
  return { statements: statements / ROWS, roundTrips: roundTrips / ROWS, commits: commits / ROWS };
}

/** The server gives each transaction that writes its number, one after the other, and so it does with this question. */
async function transactionsSoFar(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>('select pg_current_xact_id()::text as n');
  await client.end();
  return Number(rows[0]?.n);
}

/** A cost as it is printed. */
export function sayCost({ statements, roundTrips, commits }: Cost): string {
  return `${statements.toFixed(3)} statements, ${roundTrips.toFixed(3)} round trips, ${commits.toFixed(3)} commits a row`;
}
