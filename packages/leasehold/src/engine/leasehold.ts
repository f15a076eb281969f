import type { LeaseholdEvent, LockStatus } from '../domain/answers.ts';
import { checkId, checkName, checkPageSize, PAGE_SIZE_DEFAULT } from '../domain/limits.ts';
import type { PoolStatus } from '../domain/records/record.ts';
import type { Run } from '../domain/run.ts';
import type { StoreFacts } from '../domain/store-facts.ts';
import type {
  EventsQuery,
  MigrateOptions,
  MigrationReport,
  PruneReport,
  RunsQuery,
  StatusQuery,
  WatchReport,
} from '../ports/store.ts';
import type { Leasehold, Lock } from './api.ts';
import type { DeliverOptions, PruneOptions, UpkeepOptions } from './duty-options.ts';
import { checkDelivery, checkObject } from './arguments.ts';
import type { AlertCounts } from '../ports/alert-store.ts';
import { deliver, type DeliveryReport } from './deliver.ts';
import { guardedLogger } from './guarded-logger.ts';
import { EngineLock } from './lock.ts';
import { withNextSlots } from './next-slots.ts';
import type { EngineParts } from './parts.ts';
import type { Pool } from './records/api.ts';
import { EnginePool } from './records/pool.ts';
import { WorkLines } from './records/work-lines.ts';
import { pruneStore, watchLocks } from './upkeep.ts';

/**
 * Puts a Leasehold together from its parts. `openLeasehold` does so with the real ones; tests bring
 * a clock that they can move.
 */
export function composeLeasehold(parts: EngineParts): Leasehold {
  return new EngineLeasehold({ ...parts, logger: guardedLogger(parts.logger) });
}

/** How long a closing waits for verdicts that are on their way: as long as a release is tried again at most. */
const SETTLE_MS_MAX = 60_000;

class EngineLeasehold implements Leasehold {
  readonly #parts: EngineParts;
  readonly #lines: WorkLines;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#lines = new WorkLines(parts);
  }

  get store(): string {
    return this.#parts.store.name;
  }

  lock(name: string): Lock {
    return new EngineLock(checkName(name), this.#parts);
  }

  pool(name: string): Pool {
    return new EnginePool(checkName(name, 'pool name'), this.#parts, this.#lines);
  }

  async pools(query: { readonly limit?: number } = {}): Promise<PoolStatus[]> {
    checkObject(query, 'query');
    return await this.#parts.store.pools({ pool: null, limit: checkLimit(query.limit) });
  }

  async status(query: Partial<StatusQuery> = {}): Promise<LockStatus[]> {
    checkObject(query, 'query');
    const stored = await this.#parts.store.status({ lock: checkLock(query.lock), limit: checkLimit(query.limit) });
    return await withNextSlots(this.#parts, stored);
  }

  async runs(query: Partial<RunsQuery> = {}): Promise<Run[]> {
    checkObject(query, 'query');
    const runId = query.runId === undefined || query.runId === null ? null : checkId(query.runId, 'run id');
    return await this.#parts.store.runs({ lock: checkLock(query.lock), runId, limit: checkLimit(query.limit) });
  }

  async events(query: Partial<EventsQuery> = {}): Promise<LeaseholdEvent[]> {
    checkObject(query, 'query');
    const kind = query.kind === undefined || query.kind === null ? null : checkId(query.kind, 'kind');
    const pool = query.pool === undefined || query.pool === null ? null : checkName(query.pool, 'pool name');
    return await this.#parts.store.events({ lock: checkLock(query.lock), pool, kind, limit: checkLimit(query.limit) });
  }

  async watch(options: UpkeepOptions = {}): Promise<WatchReport> {
    checkObject(options, 'options');
    return await watchLocks(this.#parts, options);
  }

  async prune(options: PruneOptions = {}): Promise<PruneReport> {
    checkObject(options, 'options');
    return await pruneStore(this.#parts, options);
  }

  async deliverAlerts(options: DeliverOptions = {}): Promise<DeliveryReport> {
    const bounds = checkDelivery(options);
    return await deliver({ ...this.#parts, channels: this.#parts.channels ?? [] }, bounds);
  }

  async alertCounts(): Promise<AlertCounts> {
    return await this.#parts.store.alertCounts();
  }

  async migrate(options: MigrateOptions = {}): Promise<MigrationReport> {
    return await this.#parts.store.migrate(options);
  }

  async inspect(): Promise<StoreFacts> {
    return await this.#parts.store.inspect();
  }

  async close(): Promise<void> {
    if (!(await this.#lines.settle(SETTLE_MS_MAX))) this.#lines.close();
    await this.#parts.store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function checkLock(name: string | null | undefined): string | null {
  return name === undefined || name === null ? null : checkName(name);
}

function checkLimit(limit: number | undefined): number {
  return checkPageSize(limit ?? PAGE_SIZE_DEFAULT);
}
