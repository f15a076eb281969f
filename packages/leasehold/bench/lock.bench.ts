/**
 * The lock's rows of design §10: `npm run bench -- lock`.
 *
 * 1. acquire + release of one client on PostgreSQL, against two bare single-row updates over the same
 *    kind of pool, with the round trips (counted on the wire) and commits (counted by the server) of each.
 * 2. `leasehold run` of the built package against the bare command.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { systemClock } from '../src/platform/system-clock.ts';
import { systemIds } from '../src/platform/system-ids.ts';
import type { AcquireRequest } from '../src/ports/store.ts';
import { openPostgresStore } from '../src/stores/postgres/store.ts';
import { createDatabase, POSTGRES_VERSIONS } from '../test/postgres.ts';
import { compare, type Measure, median, report } from './measure.ts';
import { countRoundTrips } from './wire-counter.ts';

const PAIRS = { turns: 11, perTurn: 200 };
const STARTS = 31;
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
  };
}

async function acquireAndRelease(version: (typeof POSTGRES_VERSIONS)[number]): Promise<Measure> {
  await using database = await createDatabase(version);
  await using wire = await countRoundTrips(database.url);
  const open = { name: 'bench', clock: systemClock, ids: systemIds, expectSchema: false };
  const store = await openPostgresStore({ ...open, url: database.url });
  await store.migrate();
  const counted = await openPostgresStore({ ...open, url: wire.url });
  const bare = new pg.Pool({ connectionString: database.url, max: 10 });
  await bare.query('create table bare (id integer primary key, value integer not null)');
  await bare.query('insert into bare values (1, 0)');

  const pair = async (through = store): Promise<void> => {
    const answer = await through.acquire(request());
    assert.ok(answer.outcome === 'acquired');
    await through.release({ lock: 'bench', token: answer.token, status: 'success', afterMs: 0 });
  };
  const update = async (): Promise<void> => {
    await bare.query('update bare set value = value + 1 where id = $1', [1]);
  };
  const commitsBefore = await commits(bare);
  await pair(counted);
  wire.take();
  for (let done = 0; done < 50; done += 1) await pair(counted);
  const roundTrips = wire.take() / 50;
  const commitsPerPair = ((await commits(bare)) - commitsBefore) / 51;
  const { oursMs, theirsMs, ratio, spread } = await compare({
    ours: pair,
    theirs: async () => {
      await update();
      await update();
    },
    ...PAIRS,
  });
  await Promise.all([store.close(), counted.close(), bare.end()]);
  return {
    measure: `acquire + release, one client, PostgreSQL ${version}, against two bare single-row updates`,
    reach: '2 round trips, 2 commits, ≤ 1.3× the time',
    got: `${roundTrips} round trips, ${Math.round(commitsPerPair)} commits, ${ratio.toFixed(2)}×`,
    isReached: roundTrips === 2 && Math.round(commitsPerPair) === 2 && ratio <= 1.3,
    details: {
      'acquire + release': `${oursMs.toFixed(3)} ms`,
      'two bare updates': `${theirsMs.toFixed(3)} ms`,
      'ratio of the turns': `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}`,
    },
  };
}

/** Commits of this database that the server has counted, those of idle backends included. */
async function commits(pool: pg.Pool): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const { rows } = await pool.query<{ n: string }>(
    'select xact_commit as n from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.n) - 1;
}

function startUp(): Measure {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'start-up-'));
  const store = `sqlite:${join(folder, 'leasehold.db')}`;
  const main = join(ROOT, 'packages/leasehold/dist/cli/main.js');
  const time = (command: string, args: readonly string[]): number => {
    const started = performance.now();
    const { status } = spawnSync(command, args, { stdio: 'ignore' });
    assert.equal(status, 0);
    return performance.now() - started;
  };
  const guarded = (): number => time(process.execPath, [main, 'run', 'bench', '--store', store, '--', 'true']);
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
