import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import type { StoredClaim } from './rows.ts';

/**
 * What an answer about a record is held against: which claim, which attempt, begun when, until when. Where a row that was
 * written by hand says less, what stands in for it is as stable as the row.
 */
export interface Seen {
  readonly claimId: string;
  readonly holder: string;
  readonly begunAt: number;
  readonly firstBegunAt: number;
  readonly leaseUntil: number;
}

export function seenOf(
  record: StoredRecord,
  claim: Pick<StoredClaim, 'claimId' | 'holder' | 'leaseUntil'> | null,
): Seen {
  const begunAt = record.begunAt ?? record.claimedAt ?? record.updatedAt;
  return {
    claimId: claim?.claimId ?? '',
    holder: claim?.holder ?? '',
    begunAt,
    firstBegunAt: record.firstBegunAt ?? begunAt,
    leaseUntil: claim?.leaseUntil ?? record.updatedAt,
  };
}
