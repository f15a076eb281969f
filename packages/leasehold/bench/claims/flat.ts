/**
 * Whether a claim of 50 costs the same with millions of records as with a few, and stays so while an old snapshot keeps
 * every row version that claims leave behind from being removed.
 */
import pg from 'pg';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';
import type { Store } from '../../src/ports/store.ts';
import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { createDatabase, type PostgresVersion } from '../../test/postgres.ts';
import { type Measure, median } from '../measure.ts';

const POOL = 'bench';
const BATCH = 50;
const TURNS = 5;
const PER_TURN = 30;
const FEW = 10_000;
const MILLION = 1_000_000;
const CLAIMS_UNDER_SNAPSHOT = 2_000;

const FILL_DONE = `
  insert into leasehold.records (pool, id, version, state, effect_key, attempt, is_begun, token, claimed_at, begun_at,
    first_begun_at, provider_ref, verdict, created_at, updated_at)
  select $1, 'done-' || n, '', 'done', md5(n::text), 1, true, 'token-' || n / ${BATCH}, now(), now(), now(), 'ref-' || n,
    'done', now(), now()
  from generate_series(1, $2::integer) n`;
const FILL_QUEUED = `
  insert into leasehold.records (pool, id, version, state, effect_key, created_at, updated_at)
  select $1, 'record-' || n, '', 'queued', md5('q' || n), now(), now() from generate_series($2::integer, $3::integer) n`;

interface Filled extends AsyncDisposable {
  readonly store: Store;
  readonly url: string;
  refill(count: number): Promise<void>;
}

/** `done` first: they arrived before. */
async function filled(version: PostgresVersion, queued: number, done: number): Promise<Filled> {
  const database = await createDatabase(version);
  const options = { name: 'bench', clock: systemClock, ids: systemIds, url: database.url };
  const installing = await openPostgresStore({ ...options, expectSchema: false });
  await installing.migrate();
  await installing.close();
  const store = await openPostgresStore({ ...options, expectSchema: true });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The pool's row is made by its first claim.
  await claim(store);
  if (done > 0) await client.query(FILL_DONE, [POOL, done]);
  await client.query(FILL_QUEUED, [POOL, 1, queued]);
  await client.query('vacuum analyze leasehold.records');
  // What filling has left to be written would else be written by the first claims.
  await client.query('checkpoint');
  let last = queued;
  return {
    store,
    url: database.url,
    async refill(count) {
      await client.query(FILL_QUEUED, [POOL, last + 1, last + count]);
      last += count;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([store.close(), client.end()]);
      await database.drop();
    },
  };
}

async function claim(store: Store): Promise<number> {
  const answer = await store.claimNext({
    pool: POOL,
    holder: 'bench:1',
    holderInfo: null,
    claimId: systemIds.newId(),
    leaseMs: 600_000,
    limit: BATCH,
    lockToken: null,
    explicitBegin: true,
  });
  return answer.owned.length;
}

async function claims(store: Store, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const started = performance.now();
    const owned = await claim(store);
    times.push(performance.now() - started);
    if (owned !== BATCH) throw new Error(`a claim of ${BATCH} got ${owned}`);
  }
  return times;
}

/** Claims against both stores in turn, one by one; the one with few is filled up again now and then. */
async function compareClaims(many: Filled, few: Filled): Promise<{ manyMs: number; fewMs: number; ratio: number }> {
  const ofMany: number[] = [];
  const ofFew: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    await few.refill(PER_TURN * BATCH);
    for (let n = 0; n < PER_TURN; n += 1) {
      ofMany.push(...(await claims(many.store, 1)));
      ofFew.push(...(await claims(few.store, 1)));
    }
  }
  const [manyMs, fewMs] = [median(ofMany), median(ofFew)];
  return { manyMs, fewMs, ratio: manyMs / fewMs };
}

export async function flatRow(version: PostgresVersion): Promise<Measure> {
  await using many = await filled(version, MILLION, MILLION);
  await using few = await filled(version, FEW, 0);
  await claims(many.store, PER_TURN);
  await claims(few.store, PER_TURN);
  await few.refill(PER_TURN * BATCH);
  const before = await compareClaims(many, few);
  await using _snapshot = await oldSnapshot(many.url);
  await claims(many.store, CLAIMS_UNDER_SNAPSHOT);
  const after = await compareClaims(many, few);
  const slowest = Math.max(...(await claims(many.store, 200)));
  return {
    measure: `claim of 50 of 1,000,000 queued beside 1,000,000 done, against 10,000 queued, PostgreSQL ${version}; and after ${CLAIMS_UNDER_SNAPSHOT} claims under an old snapshot`,
    reach: '≤ 1.3× the time; flat',
    got: `${before.ratio.toFixed(2)}×; ${after.ratio.toFixed(2)}×`,
    isReached: before.ratio <= 1.3 && after.ratio <= 1.3,
    details: {
      '1,000,000 queued and done': `${before.manyMs.toFixed(2)} ms`,
      '10,000 queued': `${before.fewMs.toFixed(2)} ms`,
      'under the snapshot': `${after.manyMs.toFixed(2)} ms, beside ${after.fewMs.toFixed(2)} ms`,
      'slowest of 200 under the snapshot': `${slowest.toFixed(1)} ms`,
    },
  };
}

async function oldSnapshot(url: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select count(*) from leasehold.claims');
  return { [Symbol.asyncDispose]: () => client.end() };
}
