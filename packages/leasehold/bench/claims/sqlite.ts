/**
 * The embedded store against bare statements of `node:sqlite` on a table as somebody would make it for this. Both commit
 * equally often: the library's transactions are recorded, with how many verdicts and begins each had, and the bare
 * statements are put into transactions of the same sizes. Both in WAL with `synchronous=FULL`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeLeasehold } from '../../src/engine/leasehold.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { WorkRequest } from '../../src/ports/record-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import type { Measure } from '../measure.ts';
import { fill, workEach } from './leasehold.ts';
import { type Contestant, race, ratioOf, say } from './race.ts';

const CONCURRENCY = 10;
const ROWS = 5_000;
const TURNS = 5;
const LEASE_MS = 600_000;

/** One transaction of the library: a claim, or so many verdicts and begins. */
type Transaction = { readonly claims: true } | { readonly verdicts: number; readonly begins: number };

export async function sqliteRow(): Promise<Measure> {
  const folder = mkdtempSync(join(tmpdir(), 'claims-'));
  const transactions: Transaction[] = [];
  const ours = await embedded(join(folder, 'leasehold.db'), transactions);
  const theirs = bare(join(folder, 'bare.db'), transactions);
  const [one, other] = await race([ours, theirs], { turns: TURNS, rows: ROWS });
  await Promise.all([ours.close(), theirs.close()]);
  rmSync(folder, { recursive: true, force: true });
  if (one === undefined || other === undefined) throw new Error('a contestant is missing');
  const { ratio, spread } = ratioOf(one, other);
  return {
    measure: `SQLite, claim 50, begin and confirm each, concurrency ${CONCURRENCY}, against bare statements with as many commits`,
    reach: '≥ 0.7× the rate',
    got: `${ratio.toFixed(2)}×`,
    isReached: ratio >= 0.7,
    details: {
      Leasehold: say(one),
      'bare statements': say(other),
      'ratio of the turns': `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}`,
      'commits a row': (transactions.length / ROWS).toFixed(3),
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
  return new Proxy(store, {
    get(target, name, receiver) {
      if (name === 'claimNext') transactions.push({ claims: true });
      if (name !== 'work') return bound(target, Reflect.get(target, name, receiver));
      return (request: WorkRequest, ...rest: []) => {
        transactions.push({ verdicts: request.verdicts.length, begins: request.begins.length });
        return target.work(request, ...rest);
      };
    },
  });
}

function bound(target: object, value: unknown): unknown {
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}

const TABLE = `
  create table bare (
    no integer primary key, id text not null unique, status text not null default 'queued', claimed_at integer,
    claimed_by text, claim_token text, claimed_until integer, begun_at integer, attempts integer not null default 0,
    provider_ref text
  ) strict;
  create index bare_queue on bare (no) where status = 'queued';`;
const CLAIM = `
  update bare set status = 'claimed', claimed_at = ?, claimed_by = 'bench', claim_token = ?, claimed_until = ?
  where no in (select no from bare where status = 'queued' order by no limit 50) returning id`;
const BEGIN = `
  update bare set begun_at = ?, attempts = attempts + 1
  where id = ? and claim_token = ? and status = 'claimed' and claimed_until > ?`;
const DONE = `
  update bare set status = 'done', provider_ref = ? where id = ? and claim_token = ? and status = 'claimed'`;

/** The same transactions as the library had in this turn, row for row. */
export function bare(path: string, transactions: readonly Transaction[]): Contestant {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec(TABLE);
  const statements = { claim: database.prepare(CLAIM), begin: database.prepare(BEGIN), done: database.prepare(DONE) };
  let filled = 0;
  return {
    name: 'bare statements',
    fill(rows) {
      const insert = database.prepare('insert into bare (id) values (?)');
      database.exec('begin');
      for (let n = filled; n < filled + rows; n += 1) insert.run(`record-${n}`);
      database.exec('commit');
      filled += rows;
      return Promise.resolve();
    },
    work: () => Promise.resolve(workBare(database, statements, transactions)),
    close: () => Promise.resolve(database.close()),
  };
}

type Statements = Readonly<Record<'claim' | 'begin' | 'done', ReturnType<DatabaseSync['prepare']>>>;

function workBare(database: DatabaseSync, statements: Statements, transactions: readonly Transaction[]): number {
  const queued: { readonly id: string; readonly token: string }[] = [];
  const begun: typeof queued = [];
  let count = 0;
  for (const transaction of transactions) {
    database.exec('begin immediate');
    const now = Date.now();
    if ('claims' in transaction) {
      const token = randomUUID();
      const rows = statements.claim.all(now, token, now + LEASE_MS);
      queued.push(...rows.map(({ id }) => ({ id: String(id), token })));
    } else {
      for (const { id, token } of begun.splice(0, transaction.verdicts))
        count += Number(statements.done.run(`ref-${id}`, id, token).changes);
      for (const row of queued.splice(0, transaction.begins)) {
        statements.begin.run(now, row.id, row.token, now);
        begun.push(row);
      }
    }
    database.exec('commit');
  }
  return count;
}
