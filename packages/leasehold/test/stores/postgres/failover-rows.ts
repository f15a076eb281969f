/** What a server finds that takes over: rows from a clock that was another, or no rows at all. */
import type pg from 'pg';

/** Each stored instant moves, as if the server's clock had been moved the other way. */
export async function moveInstants(client: pg.Client, ms: number): Promise<void> {
  await client.query(
    `update leasehold.locks set since = since + $1 * interval '1 ms', renewed_at = renewed_at + $1 * interval '1 ms',
       lease_until = lease_until + $1 * interval '1 ms', free_at = free_at + $1 * interval '1 ms',
       drain_until = drain_until + $1 * interval '1 ms'`,
    [ms],
  );
  await client.query(
    `update leasehold.runs set started_at = started_at + $1 * interval '1 ms', ended_at = ended_at + $1 * interval '1 ms'`,
    [ms],
  );
}

/** What a replica that is late has never heard of. */
export async function forget(client: pg.Client, lock: string): Promise<void> {
  for (const [table, column] of [
    ['events', 'lock'],
    ['runs', 'lock'],
    ['locks', 'name'],
  ]) {
    await client.query(`delete from leasehold.${table} where ${column} = $1`, [lock]);
  }
}
