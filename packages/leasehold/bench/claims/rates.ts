/** The rows of design §10 that are rates: against pg-boss and graphile-worker, and against bare SQL. */
import pg from 'pg';
import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';
import { createDatabase, type PostgresVersion, type TestDatabase } from '../../test/postgres.ts';
import type { Measure } from '../measure.ts';
import { bareSql } from './bare.ts';
import { costOf, sayCost } from './count.ts';
import { library } from './leasehold.ts';
import { type Contestant, race, ratioOf, type Score, say } from './race.ts';
import { graphileWorker, pgBoss } from './rivals.ts';

const TURNS = 5;
const REACH: Readonly<Record<number, number>> = { 10: 4, 50: 7 };

type Open = (url: string) => Promise<Contestant>;

/** Each on a database of its own, emptied of nothing between turns: what is done stays, as it does in use. */
async function raceOn(version: PostgresVersion, opens: readonly Open[], rows: number): Promise<Score[]> {
  const databases: TestDatabase[] = [];
  const contestants: Contestant[] = [];
  for (const open of opens) {
    const database = await prepared(version);
    databases.push(database);
    const contestant = await open(database.url);
    contestants.push(vacuumed(contestant, database.url));
  }
  const scores = await race(contestants, { turns: TURNS, rows });
  for (const contestant of contestants) await contestant.close();
  for (const database of databases) await database.drop();
  return scores;
}

/** With our schema in it, which those that need none leave alone. */
async function prepared(version: PostgresVersion): Promise<TestDatabase> {
  const database = await createDatabase(version);
  const options = { name: 'bench', clock: systemClock, ids: systemIds, url: database.url };
  const store = await openPostgresStore({ ...options, expectSchema: false });
  await store.migrate();
  await store.close();
  return database;
}

/** Statistics and dead rows of earlier turns are seen to between turns, so that no turn meets them by chance. */
function vacuumed(contestant: Contestant, url: string): Contestant {
  return {
    ...contestant,
    async fill(rows) {
      await contestant.fill(rows);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('vacuum analyze');
      await client.query('checkpoint');
      await client.end();
    },
  };
}

/** Claim 50, begin and confirm each, against both queues; their batched modes and ours beside. */
export async function queueRow(version: PostgresVersion, concurrency: number, rows: number): Promise<Measure> {
  const each = { concurrency, isBatched: false };
  const batched = { concurrency, isBatched: true };
  const opens: readonly Open[] = [
    (url) => library({ ...each, url }),
    (url) => pgBoss({ ...each, url }),
    (url) => graphileWorker({ ...each, url }),
    (url) => library({ ...batched, url }),
    (url) => pgBoss({ ...batched, url }),
    (url) => graphileWorker({ ...batched, url }),
  ];
  const scores = await raceOn(version, opens, rows);
  const [ours, boss, graphile] = scores;
  if (ours === undefined || boss === undefined || graphile === undefined) throw new Error('a contestant is missing');
  const overBoss = ratioOf(ours, boss);
  const overGraphile = ratioOf(ours, graphile);
  const reach = REACH[concurrency];
  return {
    measure: `claim 50, begin and confirm each, concurrency ${concurrency}, PostgreSQL ${version}, against pg-boss and graphile-worker`,
    reach: reach === undefined ? 'none is set for one worker' : `≥ ${reach}× the rows per second of pg-boss`,
    got: `${overBoss.ratio.toFixed(2)}× pg-boss, ${overGraphile.ratio.toFixed(2)}× graphile-worker`,
    isReached: reach === undefined || overBoss.ratio >= reach,
    details: {
      ...Object.fromEntries(scores.map((score) => [score.name, say(score)])),
      'ratio of the turns': `${overBoss.spread[0].toFixed(2)} to ${overBoss.spread[1].toFixed(2)}`,
      'cost of ours': sayCost(await costOn(version, opens[0])),
      'cost of pg-boss': sayCost(await costOn(version, opens[1])),
      'cost of graphile-worker': sayCost(await costOn(version, opens[2])),
    },
  };
}

async function costOn(version: PostgresVersion, open: Open | undefined): ReturnType<typeof costOf> {
  if (open === undefined) throw new Error('no such contestant');
  await using database = await prepared(version);
  return await costOf(database.url, open);
}

/** One worker against bare SQL that gives each verdict together with the next begin, as the library does. */
export async function bareRow(version: PostgresVersion, rows: number): Promise<Measure> {
  const opens: readonly Open[] = [
    (url) => library({ url, concurrency: 1, isBatched: false }),
    (url) => bareSql({ url, isShared: true }),
    (url) => bareSql({ url, isShared: false }),
  ];
  const scores = await raceOn(version, opens, rows);
  const [ours, shared, apart] = scores;
  if (ours === undefined || shared === undefined || apart === undefined) throw new Error('a contestant is missing');
  const { ratio, spread } = ratioOf(ours, shared);
  const overApart = ratioOf(ours, apart);
  return {
    measure: `claim 50, begin and confirm each, concurrency 1, PostgreSQL ${version}, against bare SQL that does the same`,
    reach: '≥ 0.8× the rate',
    got: `${ratio.toFixed(2)}× of verdict and next begin in one statement, ${overApart.ratio.toFixed(2)}× of each apart`,
    isReached: ratio >= 0.8,
    details: {
      ...Object.fromEntries(scores.map((score) => [score.name, say(score)])),
      'ratio of the turns': `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}`,
      'cost of ours': sayCost(await costOn(version, opens[0])),
      'cost of bare SQL, shared': sayCost(await costOn(version, opens[1])),
    },
  };
}
