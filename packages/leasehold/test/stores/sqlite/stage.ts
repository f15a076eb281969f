import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { isLeaseholdError, type LeaseholdErrorCode } from '../../../src/errors.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { AcquireRequest, Store } from '../../../src/ports/store.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A folder of this test's own; gone when the test ends. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-sqlite-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that the end of the test closes. Without a clock: the system's. */
export async function openStore(t: TestContext, path: string, clock: Clock = systemClock): Promise<Store> {
  const store = await openSqliteStore({ path, clock, ids: systemIds });
  t.after(() => store.close());
  return store;
}

let starts = 0;

/** A start of its own, of one hour, but for what `patch` says. */
export function startOf(lock: string, patch: Partial<AcquireRequest> = {}): AcquireRequest {
  starts += 1;
  return {
    lock,
    leaseMs: HOUR,
    holder: `host:${starts}`,
    holderInfo: null,
    runId: `run-${starts}`,
    slotAt: null,
    onStale: 'reclaim',
    again: false,
    trigger: null,
    graceMs: 0,
    waiting: false,
    bypassReason: null,
    plan: null,
    ...patch,
  };
}

/** What stands in the file, read by another connection. */
export function rowsIn(path: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

/** Changes the file as another program would. */
export function changeFile(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** The promise must be refused with this code, in words that match, and with the path in them. */
export async function assertRefused(
  refused: Promise<unknown>,
  code: LeaseholdErrorCode,
  words: RegExp,
  path: string,
): Promise<void> {
  await assert.rejects(refused, (error: unknown) => {
    assert.ok(isLeaseholdError(error, code), `expected ${code}: ${String(error)}`);
    assert.match(error.message, words);
    assert.ok(error.message.includes(path), `the store is not named: ${error.message}`);
    return true;
  });
}
