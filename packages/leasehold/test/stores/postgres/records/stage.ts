/** Pools and claims as tests of the SQL functions need them, in the words of plain SQL. */
import type pg from 'pg';
import { type Row, row, rows } from '../database.ts';

/** Makes ids `id-0001`… known in a pool. */
export async function fill(client: pg.Client, pool: string, count: number): Promise<void> {
  await client.query(
    `select leasehold.enqueue($1, array(select 'id-' || lpad(n::text, 4, '0') from generate_series(1, $2::int) n))`,
    [pool, count],
  );
}

/** The rows of a claim of the next `limit` records, each to be begun explicitly. */
export function claimNext(client: pg.Client, pool: string, limit: number, holder = 'host:1'): Promise<Row[]> {
  return rows(client, `select * from leasehold.claim_next($1, $2, $3, explicit_begin => true)`, [pool, holder, limit]);
}

export async function tokenOf(claim: Promise<Row[]>): Promise<string> {
  return String((await claim)[0]?.['token']);
}

/** Lets `ms` pass for the leases of a pool by moving them into the past. */
export async function backDateClaims(client: pg.Client, pool: string, ms: number): Promise<void> {
  await client.query(
    `update leasehold.claims set lease_until = lease_until - $2 * interval '1 ms', claimed_at = claimed_at - $2 * interval '1 ms'
     where pool = $1`,
    [pool, ms],
  );
}

/** A record as it is stored. */
export function stored(client: pg.Client, pool: string, id: string): Promise<Row> {
  return row(client, 'select * from leasehold.records where pool = $1 and id = $2', [pool, id]);
}
