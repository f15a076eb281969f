import type { Ids } from '../../../ports/ids.ts';
import type { RecordStore } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { SqliteConnection, Work } from '../connection.ts';
import { applyLookup } from './apply-lookup.ts';
import { claim, claimNext } from './claim.ts';
import { noteHolderEnded } from './claims.ts';
import { enqueue } from './enqueue.ts';
import { extendClaim } from './extend.ts';
import { returnUnworked } from './give-back.ts';
import { listRecords } from './look.ts';
import { changePool, listPools } from './pools.ts';
import { review } from './review.ts';
import { settle } from './settle.ts';
import { takeToAsk } from './sweep.ts';
import { workTimes } from './work-times.ts';
import { work } from './work.ts';

/** The part of the store that keeps records. Each method is one transaction, whose decisions are the domain's. */
export function recordStore(connection: SqliteConnection, ids: Ids, timeoutMs: number): RecordStore {
  const write = <T>(call: CallOptions | undefined, does: Work<T>): Promise<T> =>
    connection.write(does, call?.timeoutMs ?? timeoutMs);
  const read = <T>(call: CallOptions | undefined, does: Work<T>): Promise<T> =>
    connection.read(does, call?.timeoutMs ?? timeoutMs);
  return {
    enqueue: (request, call) => write(call, (session, now) => enqueue(session, request, now)),
    claim: (request, call) => write(call, (session, now) => claim(session, request, ids, now)),
    claimNext: (request, call) => write(call, (session, now) => claimNext(session, request, ids, now)),
    work: (request, call) => write(call, (session, now) => work(session, request, now)),
    extendClaim: (request, call) => write(call, (session, now) => extendClaim(session, request, now)),
    returnUnworked: (request, call) => write(call, (session, now) => returnUnworked(session, request, now)),
    settleExpired: (request, call) => write(call, (session, now) => settle(session, request, now)),
    takeToAsk: (request, call) => write(call, (session, now) => takeToAsk(session, request, now)),
    noteHolderEnded: (request, call) => write(call, (session, now) => noteHolderEnded(session, request, now)),
    applyLookup: (request, call) => write(call, (session, now) => applyLookup(session, request, now)),
    review: (request, call) => write(call, (session, now) => review(session, request, now)),
    changePool: (request, call) => write(call, (session, now) => changePool(session, request, now)),
    pools: (query, call) => read(call, (session, now) => listPools(session, query, now)),
    records: (query, call) => read(call, (session) => listRecords(session, query)),
    workTimes: (pool, call) => read(call, (session) => workTimes(session, pool)),
  };
}
