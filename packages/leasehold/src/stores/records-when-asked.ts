import type { RecordStore } from '../ports/record-store.ts';

/**
 * The records half of a store, loaded by the first call that needs it: a guard that starts every minute should not read
 * what it does not need. A call that comes while it is loaded waits for it.
 */
export function recordsWhenAsked(load: () => Promise<RecordStore>): RecordStore {
  let loaded: Promise<RecordStore> | null = null;
  const half = (): Promise<RecordStore> => (loaded ??= load());
  return {
    enqueue: async (request, call) => await (await half()).enqueue(request, call),
    claim: async (request, call) => await (await half()).claim(request, call),
    claimNext: async (request, call) => await (await half()).claimNext(request, call),
    work: async (request, call) => await (await half()).work(request, call),
    extendClaim: async (request, call) => await (await half()).extendClaim(request, call),
    returnUnworked: async (request, call) => await (await half()).returnUnworked(request, call),
    settleExpired: async (request, call) => await (await half()).settleExpired(request, call),
    takeToAsk: async (request, call) => await (await half()).takeToAsk(request, call),
    noteHolderEnded: async (request, call) => await (await half()).noteHolderEnded(request, call),
    applyLookup: async (request, call) => await (await half()).applyLookup(request, call),
    review: async (request, call) => await (await half()).review(request, call),
    changePool: async (request, call) => await (await half()).changePool(request, call),
    pools: async (query, call) => await (await half()).pools(query, call),
    records: async (query, call) => await (await half()).records(query, call),
    workTimes: async (pool, call) => await (await half()).workTimes(pool, call),
  };
}
