/**
 * The two queues that design §10 names, each driven as its own documentation says, on a database of its own with the schema that it
 * makes itself.
 */
import { setImmediate } from 'node:timers/promises';
import { Logger, makeWorkerUtils, type Runner, run, type WorkerUtils } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import { atOnce, feedOf } from './feed.ts';
import type { Contestant } from './race.ts';

const BATCH = 50;
/** Of each contestant; the default of all three. */
export const CONNECTIONS = 10;
const QUEUE = 'bench';
const INSERT_ROWS = 5_000;

interface RivalOptions {
  readonly url: string;
  readonly concurrency: number;
  readonly isBatched: boolean;
}

/** Fetches 50, then completes each job alone; batched: all 50 in one call, by so many fetchers at once. */
export async function pgBoss({ url, concurrency, isBatched }: RivalOptions): Promise<Contestant> {
  const boss = new PgBoss({ connectionString: url, max: CONNECTIONS });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);
  const fetch = (): Promise<readonly { readonly id: string }[]> => boss.fetch(QUEUE, { batchSize: BATCH });
  return {
    name: isBatched ? 'pg-boss, fetch 50 and complete 50' : 'pg-boss, fetch 50 and complete each',
    async fill(rows) {
      for (let n = 0; n < rows; n += INSERT_ROWS) {
        const jobs = Array.from({ length: Math.min(INSERT_ROWS, rows - n) }, (_, at) => ({ data: { n: n + at } }));
        await boss.insert(QUEUE, jobs);
      }
    },
    work: () => (isBatched ? completeBatches(boss, fetch, concurrency) : completeEach(boss, fetch, concurrency)),
    close: () => boss.stop({ graceful: false }),
  };
}

type Fetch = () => Promise<readonly { readonly id: string }[]>;

async function completeEach(boss: PgBoss, fetch: Fetch, concurrency: number): Promise<number> {
  const feed = feedOf(fetch);
  return await atOnce(concurrency, async () => {
    let count = 0;
    for (let job = await feed.next(); job !== null; job = await feed.next()) {
      await boss.complete(QUEUE, job.id);
      count += 1;
    }
    return count;
  });
}

async function completeBatches(boss: PgBoss, fetch: Fetch, concurrency: number): Promise<number> {
  return await atOnce(concurrency, async () => {
    let count = 0;
    for (let jobs = await fetch(); jobs.length > 0; jobs = await fetch()) {
      await boss.complete(
        QUEUE,
        jobs.map(({ id }) => id),
      );
      count += jobs.length;
    }
    return count;
  });
}

/**
 * Its own runner, with a local queue of 50 jobs and no delay before completions, so that each is a statement of its own;
 * batched: as its own performance test has it, a local queue of 500 and completions of one moment together. Its workers
 * don't wait for their completions, so a turn ends when its table is empty.
 */
export async function graphileWorker({ url, concurrency, isBatched }: RivalOptions): Promise<Contestant> {
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  const worker = {
    concurrentJobs: concurrency,
    maxPoolSize: CONNECTIONS,
    localQueue: { size: isBatched ? 500 : BATCH },
    completeJobBatchDelay: isBatched ? 0 : -1,
    failJobBatchDelay: isBatched ? 0 : -1,
  };
  let expected = 0;
  let runner: Runner | null = null;
  const stop = async (): Promise<void> => {
    await runner?.stop();
    runner = null;
  };
  return {
    name: isBatched ? 'graphile-worker, batched' : 'graphile-worker, local queue of 50, complete each',
    async fill(rows) {
      await stop();
      await addJobs(utils, rows);
      expected = rows;
    },
    async work() {
      const { promise, resolve } = Promise.withResolvers<void>();
      let count = 0;
      const preset = { worker };
      runner = await run({ logger, noHandleSignals: true, connectionString: url, preset }, { bench: () => {} });
      runner.events.on('job:complete', () => {
        count += 1;
        if (count === expected) resolve();
      });
      await promise;
      while ((await jobsLeft(utils)) > 0) await setImmediate();
      return count;
    },
    async close() {
      await stop();
      await utils.release();
    },
  };
}

async function addJobs(utils: WorkerUtils, rows: number): Promise<void> {
  await utils.withPgClient((client) =>
    client.query(
      `select graphile_worker.add_jobs(array(
         select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'bench',
           'payload', json_build_object('n', n)))
         from generate_series(1, $1) n))`,
      [rows],
    ),
  );
}

async function jobsLeft(utils: WorkerUtils): Promise<number> {
  const { rows } = await utils.withPgClient((client) =>
    client.query<{ n: number }>('select count(*)::integer as n from graphile_worker._private_jobs'),
  );
  return rows[0]?.n ?? 0;
}
