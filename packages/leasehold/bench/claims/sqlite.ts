/**
 * The embedded store against bare statements (`bare-sqlite.ts`). Both commit equally often: the library's transactions are
 * recorded, with how many verdicts and begins each had, and the bare statements are put into transactions of the same sizes.
 * Nobody waits for those, where the library serves ten workers: what that alone costs shows beside them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeLeasehold } from '../../src/engine/leasehold.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { Store } from '../../src/ports/store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { type Measure, median } from '../measure.ts';
import { bare, bareWorkers, type Transaction } from './bare-sqlite.ts';
import { fill, workEach } from './leasehold.ts';
import { type Contestant, race, ratioOf, say } from './race.ts';

const CONCURRENCY = 10;
const ROWS = 5_000;
const TURNS = 7;

export async function sqliteRow(): Promise<Measure> {
  const folder = mkdtempSync(join(tmpdir(), 'claims-'));
  const transactions: Transaction[] = [];
  const contestants = [
    await embedded(join(folder, 'leasehold.db'), transactions),
    bare(join(folder, 'bare.db'), transactions),
    bareWorkers(join(folder, 'workers.db'), CONCURRENCY),
  ].map(counted);
  const [ours, theirs, workers] = await race(contestants, { turns: TURNS, rows: ROWS });
  await Promise.all(contestants.map((contestant) => contestant.close()));
  rmSync(folder, { recursive: true, force: true });
  if (ours === undefined || theirs === undefined || workers === undefined) throw new Error('a contestant is missing');
  const { ratio, spread } = ratioOf(ours, theirs);
  return {
    measure: `SQLite, claim 50, begin and confirm each, concurrency ${CONCURRENCY}, against bare statements with as many commits`,
    reach: '≥ 0.7× the rate',
    got: `${ratio.toFixed(2)}×; ${ratioOf(ours, workers).ratio.toFixed(2)}× of the same behind ${CONCURRENCY} workers`,
    isReached: ratio >= 0.7,
    details: {
      ...Object.fromEntries([ours, theirs, workers].map((score) => [score.name, say(score)])),
      'ratio of the turns': `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}`,
      'commits a row': (transactions.length / ROWS).toFixed(3),
      'CPU of a row': contestants.map(({ name, cpu }) => `${name} ${median(cpu).toFixed(0)} µs`).join(', '),
    },
  };
}

/** With the time of the processor that each turn took, for a row: on a busy machine it says more than the rate. */
function counted(contestant: Contestant): Contestant & { readonly cpu: readonly number[] } {
  const cpu: number[] = [];
  return {
    ...contestant,
    cpu,
    async work() {
      const before = process.cpuUsage();
      const worked = await contestant.work();
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / worked);
      return worked;
    },
  };
}

/** Records its transactions anew in each turn. */
async function embedded(path: string, transactions: Transaction[]): Promise<Contestant> {
  const store = await openSqliteStore({ path, clock: systemClock, ids: systemIds });
  const self = { holder: 'bench:1', holderInfo: {} };
  const parts = { clock: systemClock, ids: systemIds, logger: silentLogger, openSchedule: noSchedules, self };
  const leasehold = composeLeasehold({ ...parts, store: recording(store, transactions) });
  let filled = 0;
  return {
    name: 'Leasehold',
    async fill(rows) {
      await fill(leasehold, filled, rows);
      filled += rows;
      transactions.length = 0;
    },
    work: () => workEach(leasehold, CONCURRENCY),
    close: () => leasehold.close(),
  };
}

function noSchedules(): never {
  throw new Error('no schedule is asked for');
}

function recording(store: Store, transactions: Transaction[]): Store {
  return {
    ...store,
    claimNext(...call) {
      transactions.push({ claims: true });
      return store.claimNext(...call);
    },
    work(...call) {
      const [{ verdicts, begins }] = call;
      transactions.push({ verdicts: verdicts.length, begins: begins.length });
      return store.work(...call);
    },
  };
}
