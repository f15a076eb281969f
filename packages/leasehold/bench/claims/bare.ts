/**
 * Bare statements that do the same by themselves: a table as somebody would make it for this, the claim of 50 in one
 * statement, begin and verdict of each row with the token's check.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { feedOf } from './feed.ts';
import type { Contestant } from './race.ts';

const BATCH = 50;
const LEASE_MS = 600_000;

const TABLE = `
  create table bare (
    id text primary key,
    no bigint generated always as identity,
    status text not null default 'queued',
    claimed_at timestamptz,
    claimed_by text,
    claim_token text,
    claimed_until timestamptz,
    begun_at timestamptz,
    attempts integer not null default 0,
    provider_ref text
  );
  create index bare_queue on bare (no) where status = 'queued';
`;
const FILL = `insert into bare (id) select 'record-' || n from generate_series($1::integer, $2::integer) n`;
const CLAIM = `
  with next as materialized (
    select id from bare where status = 'queued' order by no limit ${BATCH} for update skip locked
  )
  update bare set status = 'claimed', claimed_at = clock_timestamp(), claimed_by = 'bench', claim_token = $1,
    claimed_until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
  from next where bare.id = next.id returning bare.id`;
const BEGIN = `
  update bare set begun_at = clock_timestamp(), attempts = attempts + 1
  where id = $1 and claim_token = $2 and status = 'claimed' and claimed_until > clock_timestamp()`;
const DONE = `
  update bare set status = 'done', provider_ref = $3 where id = $1 and claim_token = $2 and status = 'claimed'`;
const DONE_AND_BEGIN = `
  with verdict as (
    update bare set status = 'done', provider_ref = $3
    where id = $1 and claim_token = $2 and status = 'claimed' returning id
  ), begun as (
    update bare set begun_at = clock_timestamp(), attempts = attempts + 1
    where id = $4 and claim_token = $5 and status = 'claimed' and claimed_until > clock_timestamp() returning id
  )
  select (select count(*) from verdict)::integer as verdicts, (select count(*) from begun)::integer as begins`;

interface Row {
  readonly id: string;
  readonly token: string;
}

/** One worker. Shared: the verdict of a row and the begin of the next in one statement; else each is one of its own. */
export async function bareSql({ url, isShared }: { url: string; isShared: boolean }): Promise<Contestant> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query(TABLE);
  let filled = 0;
  const fetch = async (): Promise<Row[]> => {
    const token = randomUUID();
    const { rows } = await pool.query<{ id: string }>(CLAIM, [token]);
    return rows.map(({ id }) => ({ id, token }));
  };
  return {
    name: isShared ? 'bare SQL, verdict and next begin in one statement' : 'bare SQL, begin and verdict apart',
    async fill(rows) {
      await pool.query(FILL, [filled, filled + rows - 1]);
      filled += rows;
    },
    work: () => (isShared ? workShared(pool, fetch) : workApart(pool, fetch)),
    close: () => pool.end(),
  };
}

async function workApart(pool: pg.Pool, fetch: () => Promise<Row[]>): Promise<number> {
  const feed = feedOf(fetch);
  let count = 0;
  for (let row = await feed.next(); row !== null; row = await feed.next()) {
    const begun = await pool.query(BEGIN, [row.id, row.token]);
    const done = await pool.query(DONE, [row.id, row.token, `ref-${row.id}`]);
    if (begun.rowCount === 1 && done.rowCount === 1) count += 1;
  }
  return count;
}

async function workShared(pool: pg.Pool, fetch: () => Promise<Row[]>): Promise<number> {
  const feed = feedOf(fetch);
  let count = 0;
  let previous: Row | null = null;
  for (;;) {
    const row: Row | null = await feed.next();
    const last = previous;
    const { rows } = await pool.query<{ verdicts: number }>(DONE_AND_BEGIN, [
      last?.id ?? null,
      last?.token ?? null,
      last === null ? null : `ref-${last.id}`,
      row?.id ?? null,
      row?.token ?? null,
    ]);
    count += rows[0]?.verdicts ?? 0;
    if (row === null) return count;
    previous = row;
  }
}
