import type { RecordKey } from '../../../domain/records/record.ts';
import type { EnqueueAnswer, EnqueueRequest } from '../../../ports/record-store.ts';
import type { Session } from '../session.ts';
import { knownKeys, keyText } from './offers.ts';
import { openPool } from './pools.ts';
import { arrive } from './versions.ts';

/** Makes records known, in the order given; what is known already stays as it is. */
export function enqueue(session: Session, request: EnqueueRequest, now: number): EnqueueAnswer {
  const { pool, records, namespace } = request;
  openPool(session, pool, now);
  const known = knownKeys(session, pool, records satisfies readonly RecordKey[]);
  let [added, superseded] = [0, 0];
  for (const record of records) {
    const key = keyText(record);
    if (known.has(key)) continue;
    known.add(key);
    superseded += arrive(session, pool, record, { namespace, now }).superseded;
    added += 1;
  }
  return { pool, added, known: records.length - added, superseded };
}
