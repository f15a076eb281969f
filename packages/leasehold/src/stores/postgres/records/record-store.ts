import type { RecordStore } from '../../../ports/record-store.ts';
import type { Connection } from '../connection.ts';
import { claim, claimNext } from './claim.ts';
import { enqueue } from './enqueue.ts';
import { extendClaim, returnUnworked } from './give-back.ts';
import { records, workTimes } from './look.ts';
import { changePool, pools } from './pools.ts';
import { review } from './review.ts';
import { applyLookup, noteHolderEnded, settleExpired, takeToAsk } from './sweep.ts';
import { work } from './work.ts';

/** The part of the store that keeps records: each method one call of one SQL function of `functions`. */
export function recordStore(connection: Connection): RecordStore {
  return {
    enqueue: async (request, call) => await enqueue(connection, request, call),
    claim: async (request, call) => await claim(connection, request, call),
    claimNext: async (request, call) => await claimNext(connection, request, call),
    work: async (request, call) => await work(connection, request, call),
    extendClaim: async (request, call) => await extendClaim(connection, request, call),
    returnUnworked: async (request, call) => await returnUnworked(connection, request, call),
    settleExpired: async (request, call) => await settleExpired(connection, request, call),
    takeToAsk: async (request, call) => await takeToAsk(connection, request, call),
    noteHolderEnded: async (request, call) => await noteHolderEnded(connection, request, call),
    applyLookup: async (request, call) => await applyLookup(connection, request, call),
    review: async (request, call) => await review(connection, request, call),
    changePool: async (request, call) => await changePool(connection, request, call),
    pools: async (query, call) => await pools(connection, query, call),
    records: async (query, call) => await records(connection, query, call),
    workTimes: async (pool, call) => await workTimes(connection, pool, call),
  };
}
