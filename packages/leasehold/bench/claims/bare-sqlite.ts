/**
 * Bare statements of `node:sqlite` on a table as somebody would make it for this, in WAL with `synchronous=FULL`: without
 * anybody who waits for them, and behind workers that do.
 */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { atOnce, feedOf } from './feed.ts';
import type { Contestant } from './race.ts';

const LEASE_MS = 600_000;

/** One transaction of the library: a claim, or so many verdicts and begins. */
export type Transaction = { readonly claims: true } | { readonly verdicts: number; readonly begins: number };

interface Row {
  readonly id: string;
  readonly token: string;
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

class BareQueue {
  readonly #database: DatabaseSync;
  readonly #claim: ReturnType<DatabaseSync['prepare']>;
  readonly #begin: ReturnType<DatabaseSync['prepare']>;
  readonly #done: ReturnType<DatabaseSync['prepare']>;
  #filled = 0;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full');
    this.#database.exec(TABLE);
    this.#claim = this.#database.prepare(CLAIM);
    this.#begin = this.#database.prepare(BEGIN);
    this.#done = this.#database.prepare(DONE);
  }

  fill(rows: number): void {
    const insert = this.#database.prepare('insert into bare (id) values (?)');
    this.#transact(() => {
      for (let n = this.#filled; n < this.#filled + rows; n += 1) insert.run(`record-${n}`);
    });
    this.#filled += rows;
  }

  claim(): Row[] {
    return this.#transact((now) => {
      const token = randomUUID();
      return this.#claim.all(now, token, now + LEASE_MS).map(({ id }) => ({ id: String(id), token }));
    });
  }

  /** How many verdicts were taken. */
  work(verdicts: readonly Row[], begins: readonly Row[]): number {
    return this.#transact((now) => {
      let count = 0;
      for (const { id, token } of verdicts) count += Number(this.#done.run(`ref-${id}`, id, token).changes);
      for (const { id, token } of begins) this.#begin.run(now, id, token, now);
      return count;
    });
  }

  close(): void {
    this.#database.close();
  }

  #transact<T>(work: (now: number) => T): T {
    this.#database.exec('begin immediate');
    const result = work(Date.now());
    this.#database.exec('commit');
    return result;
  }
}

/** The same transactions as the library had in this turn, row for row, one after the other. */
export function bare(path: string, transactions: readonly Transaction[]): Contestant {
  const queue = new BareQueue(path);
  return {
    name: 'bare statements',
    fill: async (rows) => queue.fill(rows),
    async work() {
      const queued: Row[] = [];
      const begun: Row[] = [];
      let count = 0;
      for (const transaction of transactions) {
        if ('claims' in transaction) queued.push(...queue.claim());
        else {
          const begins = queued.splice(0, transaction.begins);
          count += queue.work(begun.splice(0, transaction.verdicts), begins);
          begun.push(...begins);
        }
      }
      return count;
    },
    close: async () => queue.close(),
  };
}

/** Behind so many workers, each of which waits for its begin and its verdict: what they give in one turn is one transaction. */
export function bareWorkers(path: string, concurrency: number): Contestant {
  const queue = new BareQueue(path);
  let verdicts: Row[] = [];
  let begins: Row[] = [];
  let turn: Promise<void> | null = null;
  let count = 0;
  const nextTurn = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    const [given, starting] = [verdicts, begins];
    verdicts = [];
    begins = [];
    turn = null;
    count += queue.work(given, starting);
  };
  const worker = async (feed: ReturnType<typeof feedOf<Row>>): Promise<number> => {
    let previous: Row | null = null;
    let worked = 0;
    for (;;) {
      const row: Row | null = await feed.next();
      if (previous !== null) verdicts.push(previous);
      if (row !== null) begins.push(row);
      if (previous === null && row === null) return worked;
      turn ??= nextTurn();
      await turn;
      if (row === null) return worked;
      worked += 1;
      previous = row;
    }
  };
  return {
    name: `bare statements behind ${concurrency} workers`,
    fill: async (rows) => queue.fill(rows),
    async work() {
      count = 0;
      const feed = feedOf(async () => queue.claim());
      const worked = await atOnce(concurrency, () => worker(feed));
      if (worked !== count) throw new Error(`${worked} rows were worked, and ${count} verdicts taken`);
      return count;
    },
    close: async () => queue.close(),
  };
}
