import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { openPool, type PgPool, type PgResult } from './driver.ts';
import { isRepeatable, toLeaseholdError } from './errors.ts';

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
  call(statement: string, values: readonly unknown[], timeoutMs?: number): Promise<readonly Record<string, unknown>[]>;
  /** Runs a text of several statements as one transaction. */
  script(text: string, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
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
  let closing: Promise<void> | null = null;
  return {
    name,
    async call(statement, values, timeoutMs = TIMEOUT_MS_DEFAULT) {
      return await callUntil({ pool, name, clock, ids }, statement, values, timeoutMs);
    },
    async script(text, timeoutMs) {
      try {
        await pool.query({ text, query_timeout: timeoutMs });
      } catch (error) {
        throw toLeaseholdError(error, name);
      }
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
  values: readonly unknown[],
  timeoutMs: number,
): Promise<readonly Record<string, unknown>[]> {
  const { pool, name, clock, ids } = caller;
  const startMs = clock.read().monotonicMs;
  for (let repeat = 0; ; repeat += 1) {
    const leftMs = timeoutMs - (clock.read().monotonicMs - startMs);
    try {
      const result = await withDeadline(
        caller,
        pool.query({ text, values, query_timeout: Math.max(1, leftMs) }),
        leftMs,
      );
      return (result as PgResult).rows;
    } catch (error) {
      const pauseMs = Math.min(PAUSE_MS_MAX, 5 * 2 ** repeat) * (0.5 + ids.random() / 2);
      const passedMs = clock.read().monotonicMs - startMs;
      if (repeat >= REPEATS_MAX || !isRepeatable(error) || passedMs + pauseMs >= timeoutMs) {
        throw toLeaseholdError(error, name);
      }
      await clock.sleep(pauseMs);
    }
  }
}

/** `query_timeout` starts when a connection is there; this also bounds the wait for one. */
async function withDeadline<T>(caller: Caller, work: Promise<T>, leftMs: number): Promise<T> {
  const done = new AbortController();
  const deadline = caller.clock.sleep(Math.max(1, leftMs) + 50, done.signal).then(
    () => {
      throw Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, deadline]);
  } finally {
    done.abort();
    // The call may still fail later; nobody waits for it any more.
    work.catch(() => {});
  }
}
