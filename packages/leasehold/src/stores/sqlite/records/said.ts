import { recordName, verdictAcceptedMessage } from '../../../domain/records/messages.ts';
import type { VerdictAnswer } from '../../../domain/records/record.ts';
import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import type { VerdictItem } from '../../../ports/record-store.ts';
import type { AboutClaim } from './record-events.ts';
import type { NamedRecord } from './records.ts';
import type { Pool } from './rows.ts';

/** One item, whose word it is, and the record that it is about. */
export interface Said {
  readonly pool: Pool;
  readonly item: VerdictItem;
  readonly record: StoredRecord;
  readonly speaker: NamedRecord['speaker'];
  /** The claim of the token, as far as it is known. */
  readonly by: AboutClaim;
}

/** The answer to a word that counts: where its record stands then. */
export function accepted({ item, pool }: Said, record: StoredRecord): VerdictAnswer {
  const { state, providerRef, notBefore } = record;
  const why = state === 'review' ? record.error : null;
  return {
    outcome: 'accepted',
    pool: pool.pool,
    id: item.id,
    version: record.version,
    state,
    notBefore: notBefore === null ? null : new Date(notBefore),
    reason: null,
    message: verdictAcceptedMessage(recordName(pool.pool, record), { state, providerRef, notBefore, why }),
  };
}
