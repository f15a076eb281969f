import type { Clock, Timer } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { openPool, type PgPool, type PgQuery } from './driver.ts';
import { isAnswer, isRepeatable, toLeaseholdError } from './errors.ts';
import type { Row } from './rows.ts';

/**
 * Calls to the server, one round trip each.
 *
 * Every call of the store may be repeated (run id, token), so a call that met a broken connection, a
 * serialization failure (REPEATABLE READ as the database's default) or a lock time-out is sent
 * again on a fresh connection until its time is over. A call that got no answer in time ends in
 * STORE_UNREACHABLE: nothing is known of what became of it.
 *
 * No session state, no named statement, no start-up parameter: each call may reach another backend.
 */
export interface Connection {
  /** The store's URL without credentials. */
  readonly name: string;
  /** The answers of one statement, each the column `answer` of a row. */
  call<T = Row>(statement: string, values: readonly unknown[], timeoutMs?: number): Promise<readonly T[]>;
  /** Runs a text of several statements as one transaction. */
  script(text: string, timeoutMs: number): Promise<void>;
  /**
   * Lends one connection, for what only several statements on the same one can tell, for `timeoutMs` at most.
   * Nothing is repeated; after a failure the connection is thrown away.
   */
  lend<T>(work: (client: Borrowed) => Promise<T>, timeoutMs: number): Promise<T>;
  close(): Promise<void>;
}

/** A connection on loan. */
export interface Borrowed {
  /** The server process that the log-in was answered for; null where the server named none. */
  readonly processId: number | null;
  /** The answers of one statement without parameters. */
  ask(statement: string): Promise<readonly unknown[]>;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly name: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Connections at most; one is opened when the first call needs it. Default 10. */
  readonly connectionsMax?: number;
}

const TIMEOUT_MS_DEFAULT = 5_000;
const REPEATS_MAX = 20;
const PAUSE_MS_MAX = 200;

export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { name, clock, ids } = options;
  const pool = await openPool({
    connectionString: options.url,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: TIMEOUT_MS_DEFAULT,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: 'leasehold',
  });
  // A connection that breaks while idle is replaced by the pool; the next call says what is wrong.
  pool.on('error', () => {});
  // The pool listens only while a connection is idle. One that breaks in the middle of a call fails that call; an error
  // that nobody listens to would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  let closing: Promise<void> | null = null;
  return {
    name,
    async call<T>(statement: string, values: readonly unknown[], timeoutMs = TIMEOUT_MS_DEFAULT) {
      return (await callUntil({ pool, name, clock, ids }, statement, values, timeoutMs)) as readonly T[];
    },
    async script(text, timeoutMs) {
      await callUntil({ pool, name, clock, ids }, text, undefined, timeoutMs);
    },
    async lend(work, timeoutMs) {
      return await lendUntil({ pool, name, clock, ids }, work, timeoutMs);
    },
    async close() {
      closing ??= pool.end();
      await closing;
    },
  };
}

interface Caller {
  readonly pool: PgPool;
  readonly name: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

async function callUntil(
  caller: Caller,
  text: string,
  values: readonly unknown[] | undefined,
  timeoutMs: number,
): Promise<readonly unknown[]> {
  const deadline = startDeadline(caller.clock, timeoutMs);
  const query = { text, query_timeout: timeoutMs, ...(values === undefined ? {} : { values }) };
  try {
    for (let repeat = 0; ; repeat += 1) {
      const rows = await Promise.race([attempt(caller, query, deadline, repeat), deadline.passes]);
      if (rows !== null) return rows;
    }
  } catch (error) {
    throw toLeaseholdError(error, caller.name);
  } finally {
    deadline.cancel();
  }
}

/** One try; null, after a pause, where another one may do better. */
async function attempt(
  { pool, clock, ids }: Caller,
  query: PgQuery,
  deadline: Deadline,
  repeat: number,
): Promise<readonly unknown[] | null> {
  try {
    return await send(pool, query, deadline);
  } catch (error) {
    if (repeat >= REPEATS_MAX || deadline.hasPassed || !isRepeatable(error)) throw error;
    await clock.sleep(Math.min(PAUSE_MS_MAX, 5 * 2 ** repeat) * (0.5 + ids.random() / 2));
    return null;
  }
}

async function send(pool: PgPool, query: PgQuery, deadline: Deadline): Promise<readonly unknown[]> {
  const client = await pool.connect();
  // Nobody waits for the answer any more: what was not sent must not be sent now.
  if (deadline.hasPassed) {
    client.release();
    return [];
  }
  try {
    const result = await client.query(query);
    client.release();
    return Array.isArray(result) ? [] : result.rows.map((row) => row.answer);
  } catch (error) {
    client.release(!isAnswer(error));
    throw error;
  }
}

async function lendUntil<T>(caller: Caller, work: (client: Borrowed) => Promise<T>, timeoutMs: number): Promise<T> {
  const deadline = startDeadline(caller.clock, timeoutMs);
  try {
    return await Promise.race([lendOne(caller.pool, work, timeoutMs, deadline), deadline.passes]);
  } catch (error) {
    throw toLeaseholdError(error, caller.name);
  } finally {
    deadline.cancel();
  }
}

async function lendOne<T>(
  pool: PgPool,
  work: (client: Borrowed) => Promise<T>,
  timeoutMs: number,
  deadline: Deadline,
): Promise<T> {
  const client = await pool.connect();
  try {
    // Nobody waits for it any more; what is thrown here is heard by nobody.
    if (deadline.hasPassed) throw new Error('too late');
    const result = await work({
      processId: client.processID ?? null,
      async ask(statement) {
        const answer = await client.query({ text: statement, query_timeout: timeoutMs });
        return Array.isArray(answer) ? [] : answer.rows.map((row) => row.answer);
      },
    });
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

interface Deadline {
  readonly hasPassed: boolean;
  /** Rejects when the time is over; never resolves. */
  readonly passes: Promise<never>;
  cancel(): void;
}

/** `query_timeout` starts when a connection is there; a deadline also bounds the wait for one. */
function startDeadline(clock: Clock, timeoutMs: number): Deadline {
  let hasPassed = false;
  let timer: Timer | undefined;
  const passes = new Promise<never>((_, reject) => {
    timer = clock.schedule(timeoutMs, () => {
      hasPassed = true;
      reject(Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }));
    });
  });
  // It may pass while nothing listens, between two attempts.
  passes.catch(() => {});
  return {
    get hasPassed() {
      return hasPassed;
    },
    passes,
    cancel: () => timer?.cancel(),
  };
}
