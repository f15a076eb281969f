/**
 * Many processes on one table, some of them killed at any point: every row has its effect once, or waits for a person
 * with at most one. The effects are counted in a table that would take as many as it is given.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/platform/system-clock.ts';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { type Bench, openPostgres, openSqlite, OwnTable } from '../sql-steps/bench.ts';

const CHILD = fileURLToPath(new URL('../sql-steps/worker-child.ts', import.meta.url));
const WORKERS = 4;
const ROUNDS = 2;

interface Crowd {
  readonly table: OwnTable;
  /** Starts so many workers, which begin together. */
  readonly start: (count: number, name: string) => Promise<readonly ChildProcess[]>;
  readonly effects: () => Promise<number>;
}

async function gather(bench: Bench, count: number): Promise<Crowd> {
  if (bench.dialect === 'sqlite') await bench.query('pragma journal_mode = wal');
  const table = await OwnTable.withRows(bench, count, ['--limit', '7', '--explicit-begin']);
  await bench.query('create table effects (id integer not null, worker text not null)');
  const { dialect, url } = bench;
  return {
    table,
    start: async (workers, name) => {
      const children = Array.from({ length: workers }, (_, at) => {
        const task = { dialect, url, name: `${name}.${at}`, steps: Object.fromEntries(table.steps) };
        return spawn(process.execPath, [CHILD, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'inherit'] });
      });
      await Promise.all(children.map((child) => once(child.stdout, 'data')));
      for (const child of children) child.stdin.end();
      return children;
    },
    effects: async () => Number((await bench.query('select count(*) as n from effects'))[0]?.['n']),
  };
}

async function ended(children: readonly ChildProcess[]): Promise<void> {
  const alive = children.filter((child) => child.exitCode === null && child.signalCode === null);
  await Promise.all(alive.map((child) => once(child, 'exit')));
}

/** Rows with more than one effect, and rows that are done without one. */
async function faults(bench: Bench, table: string): Promise<unknown[]> {
  return await bench.query(
    `select t.id, t.status, count(e.id) as effects from ${table} t left join effects e on e.id = t.id
     group by t.id, t.status having count(e.id) > 1 or (t.status = 'done' and count(e.id) <> 1)`,
  );
}

function describeCrowd(engine: string, rows: number, open: () => Promise<Bench>): void {
  describe(`a crowd on one's own table, on ${engine}`, () => {
    it('each row is worked once', async () => {
      await using bench = await open();
      const { table, start, effects } = await gather(bench, rows);
      await ended(await start(WORKERS, 'worker'));
      assert.deepEqual(await table.counts(), { done: rows });
      assert.equal(await effects(), rows);
      assert.deepEqual(await faults(bench, table.name), []);
      const workers = await bench.query('select distinct worker from effects');
      assert.ok(workers.length > 1, 'more than one of them worked');
    });

    it('where workers are killed, what never began is worked by others and the rest waits for a person', async () => {
      await using bench = await open();
      const { table, start, effects } = await gather(bench, rows);
      for (let round = 0; round < ROUNDS; round += 1) {
        const victims = await start(WORKERS, `victim ${round}`);
        const before = await effects();
        for (let look = 0; look < 500 && (await effects()) < before + 15; look += 1) await systemClock.sleep(5);
        for (const victim of victims) victim.kill('SIGKILL');
        await ended(victims);
        await table.endLeases();
        await table.run('sweep');
      }
      // What a killed worker had sent may reach the server after the sweep.
      let counts: Record<string, number> = { queued: rows };
      for (let time = 0; time < 3 && (counts['queued'] ?? 0) + (counts['claimed'] ?? 0) > 0; time += 1) {
        await ended(await start(2, `survivor ${time}`));
        await table.endLeases();
        await table.run('sweep');
        counts = await table.counts();
      }
      assert.equal((counts['done'] ?? 0) + (counts['review'] ?? 0), rows, JSON.stringify(counts));
      assert.ok((counts['review'] ?? 0) <= ROUNDS * WORKERS, 'each of the killed was at work on one row at most');
      assert.deepEqual(await faults(bench, table.name), []);
    });
  });
}

// So many that the first one can't be through with them before the others have begun.
describeCrowd('SQLite', 900, openSqlite);
for (const version of POSTGRES_VERSIONS) describeCrowd(`PostgreSQL ${version}`, 300, () => openPostgres(version));
