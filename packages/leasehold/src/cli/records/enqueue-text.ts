import type { EnqueueReport } from '../../engine/records/api.ts';
import type { InvalidRecord } from '../../engine/records/claim-api.ts';

/** What `enqueue` says to people. */
export function enqueuedText({ pool, added, known, superseded }: EnqueueReport): string {
  const older =
    superseded === 0 ? '' : `; ${superseded} older ${superseded === 1 ? 'version was' : 'versions were'} cancelled`;
  const before = known === 0 ? '' : `, ${known} known before`;
  return `Enqueued ${added} ${added === 1 ? 'record' : 'records'} in pool "${pool}"${before}${older}.`;
}

export function notEnqueuedText({ id, message }: InvalidRecord): string {
  return `Not enqueued: record "${id}": ${message}`;
}
