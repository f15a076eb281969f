/**
 * The lock's rows of design §10: `npm run bench -- lock`.
 *
 * 1. acquire + release of one client on PostgreSQL, against two bare single-row updates over the same
 *    kind of pool, with the round trips (counted on the wire) and commits (counted by the server) of each.
 * 2. `leasehold run` of the built package against the bare command.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { systemClock } from '../src/platform/system-clock.ts';
import { systemIds } from '../src/platform/system-ids.ts';
import type { AcquireRequest, Store } from '../src/ports/store.ts';
import { openPostgresStore } from '../src/stores/postgres/store.ts';
import { createDatabase, POSTGRES_VERSIONS } from '../test/postgres.ts';
import { compare, type Measure, median, report } from './measure.ts';
import { countRoundTrips } from './wire-counter.ts';

const PAIRS = { turns: 11, perTurn: 200 };
const COUNTED = 50;
const STARTS = 31;
const OPEN = { name: 'bench', clock: systemClock, ids: systemIds, expectSchema: false };
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

function request(): AcquireRequest {
  return {
    lock: 'bench',
    leaseMs: 60_000,
    holder: 'bench:1',
    holderInfo: { host: 'bench', pid: 1 },
    runId: systemIds.newId(),
    slotAt: null,
    onStale: 'reclaim',
    again: false,
    trigger: null,
    graceMs: 5_000,
    waiting: false,
    bypassReason: null,
    plan: null,
  };
}

async function acquireAndRelease(version: (typeof POSTGRES_VERSIONS)[number]): Promise<Measure> {
  await using database = await createDatabase(version);
  const { roundTrips, commits } = await countPair(database.url);
  const store = await openPostgresStore({ ...OPEN, url: database.url });
  const bare = new pg.Pool({ connectionString: database.url, max: 10 });
  await bare.query('create table bare (id integer primary key, value integer not null)');
  await bare.query('insert into bare values (1, 0)');
  const update = async (): Promise<void> => {
    await bare.query('update bare set value = value + 1 where id = $1', [1]);
  };
  const { oursMs, theirsMs, ratio, spread } = await compare({
    ours: () => pair(store),
    theirs: async () => {
      await update();
      await update();
    },
    ...PAIRS,
  });
  await Promise.all([store.close(), bare.end()]);
  return {
    measure: `acquire + release, one client, PostgreSQL ${version}, against two bare single-row updates`,
    reach: '2 round trips, 2 commits, ≤ 1.3× the time',
    got: `${roundTrips} round trips, ${commits} commits, ${ratio.toFixed(2)}×`,
    isReached: roundTrips === 2 && commits === 2 && ratio <= 1.3,
    details: {
      'acquire + release': `${oursMs.toFixed(3)} ms`,
      'two bare updates': `${theirsMs.toFixed(3)} ms`,
      'ratio of the turns': `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}`,
    },
  };
}

async function pair(store: Store): Promise<void> {
  const answer = await store.acquire(request());
  assert.ok(answer.outcome === 'acquired');
  await store.release({ lock: 'bench', token: answer.token, status: 'success', afterMs: 0, lost: null });
}

/** Round trips as the wire has them and commits as the server counts them, of one pair, with the schema installed first. */
async function countPair(url: string): Promise<{ roundTrips: number; commits: number }> {
  await using wire = await countRoundTrips(url);
  const installing = await openPostgresStore({ ...OPEN, url });
  await installing.migrate();
  await pair(installing);
  await installing.close();
  const before = await commitsOf(url);
  const store = await openPostgresStore({ ...OPEN, url: wire.url });
  await pair(store);
  wire.take();
  for (let done = 0; done < COUNTED - 1; done += 1) await pair(store);
  const roundTrips = wire.take() / (COUNTED - 1);
  await store.close();
  // Less one: opening asks for the version of the schema.
  return { roundTrips, commits: ((await commitsOf(url)) - before - 1) / COUNTED };
}

/** Commits in this database, asked from another one. A backend reports its own when it ends. */
async function commitsOf(url: string): Promise<number> {
  const elsewhere = new URL(url);
  const name = elsewhere.pathname.slice(1);
  elsewhere.pathname = '/postgres';
  await systemClock.sleep(500);
  const client = new pg.Client({ connectionString: elsewhere.href });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(
    'select xact_commit as n from pg_stat_database where datname = $1',
    [name],
  );
  await client.end();
  return Number(rows[0]?.n);
}

function startUp(): Measure {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'start-up-'));
  const store = `sqlite:${join(folder, 'leasehold.db')}`;
  // As it is installed: the built package without its source, and a user with a home.
  const command = join(folder, 'leasehold/bin/leasehold.js');
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(ROOT, 'packages/leasehold', part), join(folder, 'leasehold', part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const env = { ...process.env, HOME: folder };
  const time = (program: string, args: readonly string[]): number => {
    const started = performance.now();
    const { status } = spawnSync(program, args, { stdio: 'ignore', env });
    assert.equal(status, 0);
    return performance.now() - started;
  };
  const guarded = (): number => time(process.execPath, [command, 'run', 'bench', '--store', store, '--', 'true']);
  const bare = (): number => time('true', []);
  guarded();
  const pairs = Array.from({ length: STARTS }, () => [guarded(), bare()] as const);
  rmSync(folder, { recursive: true, force: true });
  const overMs = median(pairs.map(([ours, theirs]) => ours - theirs));
  return {
    measure: '`leasehold run` start-up over the bare command, embedded store',
    reach: '≤ 150 ms median',
    got: `${overMs.toFixed(0)} ms`,
    isReached: overMs <= 150,
    details: {
      'leasehold run': `${median(pairs.map(([ours]) => ours)).toFixed(0)} ms`,
      'the bare command': `${median(pairs.map(([, theirs]) => theirs)).toFixed(1)} ms`,
      'node alone': `${median(Array.from({ length: 11 }, () => time(process.execPath, ['-e', '0']))).toFixed(0)} ms`,
    },
  };
}

const rows: Measure[] = [];
for (const version of POSTGRES_VERSIONS) rows.push(await acquireAndRelease(version));
rows.push(startUp());
report('lock', rows, { Node: process.versions.node });
process.exitCode = rows.every((row) => row.isReached) ? 0 : 1;
