import { formatDuration } from '../../domain/duration.ts';
import type { LiveClaim, PoolStatus } from '../../domain/records/record.ts';
import type { PoolChange } from '../../engine/records/api.ts';
import type { ChangePoolAnswer } from '../../ports/record-store.ts';
import { verifierKind } from '../../domain/records/pool-messages.ts';
import { oneLine } from '../failure.ts';
import { formatInstant, formatTable } from '../output/table.ts';
import { saidBy, sharedWork } from './workflows.ts';

/** Pools for people: what they are set to, what they hold, who works them. */

const SETTINGS = ['POOL', 'STATE', 'REDO', 'VERIFIER', 'ATTEMPTS', 'LEASE', 'LIMIT', 'CALL TIMEOUT'];
const COUNTS = ['POOL', 'QUEUED', 'CLAIMED', 'TO ASK', 'REVIEW', 'FAILED', 'DONE', 'CANCELLED', 'OLDEST CLAIM'];
const CLAIMS = ['POOL', 'WORKFLOW', 'HOST', 'HOLDER', 'RECORDS', 'SINCE', 'UNTIL'];

/** Tables and sentences, to be set apart by empty lines. */
export function poolTables(pools: readonly PoolStatus[]): string[] {
  const claims = pools.flatMap((status) => status.claims.map((claim) => claimCells(status.pool, claim)));
  const shared = sharedWork(pools);
  return [
    formatTable(COUNTS, pools.map(countCells)),
    formatTable(SETTINGS, pools.map(settingCells)),
    ...(claims.length === 0 ? [] : [formatTable(CLAIMS, claims)]),
    ...(shared.length === 0 ? [] : [shared.map(oneLine).join('\n')]),
  ];
}

/** What a change came to: also that it made the pool, and what of it changes nothing as the pool is set. */
export function changedText(
  { outcome, pool, settings, message }: Pick<ChangePoolAnswer, 'outcome' | 'pool' | 'settings' | 'message'>,
  { isNew, change }: { readonly isNew: boolean; readonly change: PoolChange },
): string {
  const isMade = isNew && outcome === 'unchanged';
  const what = isMade ? `Made pool "${pool}", set as every pool is until it is changed.` : message;
  const isIdle = settings.redo === 'ask' && typeof change.redoWindowMs === 'number';
  return isIdle ? `${what.replace(/\.$/, '')}; a redo window counts only with --redo safe.` : what;
}

function countCells(status: PoolStatus): string[] {
  const { pool, queued, deferred, claimed, toAsk, review, failed, done, cancelled, oldestClaimAt } = status;
  return [
    pool,
    deferred === 0 ? String(queued) : `${queued} (${deferred} not due)`,
    ...[claimed, toAsk, review, failed, done, cancelled].map(String),
    formatInstant(oldestClaimAt),
  ];
}

function settingCells(status: PoolStatus): string[] {
  const { pool, paused, redo, redoWindowMs, verifier, attempts, leaseMs, limit, callTimeoutMs } = status;
  const isWithin = redo === 'safe' && redoWindowMs !== null;
  return [
    pool,
    paused ? 'paused' : 'open',
    isWithin ? `safe for ${formatDuration(redoWindowMs)}` : redo,
    verifierKind(verifier),
    String(attempts),
    formatDuration(leaseMs),
    String(limit),
    callTimeoutMs === 0 ? '-' : formatDuration(callTimeoutMs),
  ];
}

function claimCells(pool: string, { holder, holderInfo, records, since, leaseUntil }: LiveClaim): string[] {
  const [workflow, host] = [saidBy(holderInfo, 'workflow'), saidBy(holderInfo, 'host')];
  return [pool, workflow ?? '-', host ?? '-', holder, String(records), formatInstant(since), formatInstant(leaseUntil)];
}
