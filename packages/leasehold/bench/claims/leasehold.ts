/** The library itself, as a contestant and as what is counted. */
import { openLeasehold } from '../../src/open-leasehold.ts';
import type { ClaimedRecord, Leasehold } from '../../src/index.ts';
import { atOnce, type Feed, feedOf } from './feed.ts';
import type { Contestant } from './race.ts';

const BATCH = 50;
const POOL = 'bench';

interface LibraryOptions {
  readonly url: string;
  readonly concurrency: number;
  readonly isBatched: boolean;
}

/**
 * Claims of 50. Each record is begun and confirmed by its worker alone, and no effect comes before its begin was answered:
 * a worker gives the verdict of its last record together with the begin of its next one. Batched: the claim counts as the begin, and
 * the verdicts of its 50 records are given at once.
 */
export async function library({ url, concurrency, isBatched }: LibraryOptions): Promise<Contestant> {
  const leasehold = await openLeasehold(url);
  let filled = 0;
  return {
    name: isBatched ? 'Leasehold, claim 50 and confirm 50' : 'Leasehold, claim 50, begin and confirm each',
    async fill(rows) {
      await fill(leasehold, filled, rows);
      filled += rows;
    },
    work: () => (isBatched ? confirmBatches(leasehold, concurrency) : workEach(leasehold, concurrency)),
    close: () => leasehold.close(),
  };
}

/** Makes records known that were not before: from the number `from` on. */
export async function fill(leasehold: Leasehold, from: number, count: number): Promise<void> {
  await leasehold.pool(POOL).enqueue(newIds(from, count));
}

function* newIds(from: number, count: number): Iterable<string> {
  for (let n = from; n < from + count; n += 1) yield `record-${n}`;
}

export async function workEach(leasehold: Leasehold, concurrency: number): Promise<number> {
  const pool = leasehold.pool(POOL);
  const feed = feedOf(async () => (await pool.claim({ limit: BATCH })).owned);
  return await atOnce(concurrency, () => worker(feed));
}

/** What a worker of a process does. The effect, which would come after each begin, takes no time here. */
async function worker(feed: Feed<ClaimedRecord>): Promise<number> {
  let count = 0;
  let previous: ClaimedRecord | null = null;
  for (;;) {
    const found = feed.next();
    const record: ClaimedRecord | null = found instanceof Promise ? await found : found;
    const [verdict, begin] = await Promise.all([previous?.done(`ref-${previous.id}`), record?.begin()]);
    if (verdict !== undefined && verdict.outcome !== 'accepted') throw new Error(verdict.message);
    if (begin !== undefined && begin.outcome !== 'accepted') throw new Error(begin.message);
    if (record === null) return count;
    count += 1;
    previous = record;
  }
}

async function confirmBatches(leasehold: Leasehold, concurrency: number): Promise<number> {
  const pool = leasehold.pool(POOL);
  return await atOnce(concurrency, async () => {
    let count = 0;
    for (;;) {
      const { owned } = await pool.claim({ limit: BATCH, begin: 'implied' });
      if (owned.length === 0) return count;
      await Promise.all(owned.map((record) => record.done(`ref-${record.id}`)));
      count += owned.length;
    }
  });
}
