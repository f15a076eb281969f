import type { LeaseholdEvent, LockStatus } from '../domain/answers.ts';
import { checkId, checkName, checkPageSize, PAGE_SIZE_DEFAULT } from '../domain/limits.ts';
import type { Run } from '../domain/run.ts';
import type { EventsQuery, MigrateOptions, MigrationReport, RunsQuery, StatusQuery } from '../ports/store.ts';
import type { AlertCounts } from '../ports/alert-store.ts';
import type { DeliverOptions, Leasehold, Lock } from './api.ts';
import { checkDelivery, checkObject } from './arguments.ts';
import { deliver, type DeliveryReport } from './deliver.ts';
import { guardedLogger } from './guarded-logger.ts';
import { EngineLock } from './lock.ts';
import type { EngineParts } from './parts.ts';

/**
 * Puts a Leasehold together from its parts. `openLeasehold` does so with the real ones; tests bring
 * a clock that they can move.
 */
export function composeLeasehold(parts: EngineParts): Leasehold {
  return new EngineLeasehold({ ...parts, logger: guardedLogger(parts.logger) });
}

class EngineLeasehold implements Leasehold {
  readonly #parts: EngineParts;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  get store(): string {
    return this.#parts.store.name;
  }

  lock(name: string): Lock {
    return new EngineLock(checkName(name), this.#parts);
  }

  async status(query: Partial<StatusQuery> = {}): Promise<LockStatus[]> {
    checkObject(query, 'query');
    return await this.#parts.store.status({ lock: checkLock(query.lock), limit: checkLimit(query.limit) });
  }

  async runs(query: Partial<RunsQuery> = {}): Promise<Run[]> {
    checkObject(query, 'query');
    const runId = query.runId === undefined || query.runId === null ? null : checkId(query.runId, 'run id');
    return await this.#parts.store.runs({ lock: checkLock(query.lock), runId, limit: checkLimit(query.limit) });
  }

  async events(query: Partial<EventsQuery> = {}): Promise<LeaseholdEvent[]> {
    checkObject(query, 'query');
    const kind = query.kind === undefined || query.kind === null ? null : checkId(query.kind, 'kind');
    return await this.#parts.store.events({ lock: checkLock(query.lock), kind, limit: checkLimit(query.limit) });
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

  async close(): Promise<void> {
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
