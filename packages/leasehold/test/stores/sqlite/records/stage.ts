import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ClaimAnswer } from '../../../../src/domain/records/record.ts';
import type { ClaimRequest, OfferedRecord, VerdictItem } from '../../../../src/ports/record-store.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { Store } from '../../../../src/ports/store.ts';
import { FakeClock } from '../../../../src/testing/index.ts';
import { openStore, temporaryFolder } from '../stage.ts';

export const POOL = 'orders';

/** A store in a file of its own, with a clock that stands still. */
export interface Scene {
  readonly store: Store;
  readonly path: string;
  readonly clock: FakeClock;
}

export async function openScene(t: TestContext): Promise<Scene> {
  const path = join(temporaryFolder(t), 'store.db');
  const clock = new FakeClock();
  return { store: await openStore(t, path, clock satisfies Clock), path, clock };
}

export function record(id: string, patch: Partial<OfferedRecord> = {}): OfferedRecord {
  return { id, version: '', payload: null, notBefore: null, ...patch };
}

let claims = 0;

/** A claim of its own over these ids, whose records begin when its claimer says so. */
export function claimOf(ids: readonly string[], patch: Partial<ClaimRequest> = {}): ClaimRequest {
  claims += 1;
  return {
    pool: POOL,
    holder: `host:${claims}`,
    holderInfo: null,
    claimId: `claim-${claims}`,
    leaseMs: null,
    limit: null,
    lockToken: null,
    explicitBegin: true,
    offers: ids.map((id) => record(id)),
    namespace: '',
    isContinued: false,
    ...patch,
  };
}

/** The token of a claim that owns all of these; fails where it doesn't. */
export async function own(store: Store, ids: readonly string[], patch: Partial<ClaimRequest> = {}): Promise<string> {
  const answer = await store.claim(claimOf(ids, patch));
  assert.deepEqual(idsOf(answer), ids, answer.message);
  return answer.token ?? assert.fail(answer.message);
}

export function idsOf({ owned }: ClaimAnswer): string[] {
  return owned.map(({ id }) => id);
}

export function done(id: string, token: string, providerRef: string | null = null): VerdictItem {
  return { id, token, verdict: 'done', providerRef, error: null, isPermanent: false };
}
