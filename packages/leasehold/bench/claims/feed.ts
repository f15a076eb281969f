/**
 * What a worker of any queue does: batches of 50 fetched one ahead, handed out one by one to so many workers. The same for
 * all contestants that fetch by themselves, so that what differs is the queue.
 */
export interface Feed<T> {
  /** The next row; null where there is none left. */
  next(): Promise<T | null> | T;
}

/** `fetch` answers an empty list where nothing is left. */
export function feedOf<T>(fetch: () => Promise<readonly T[]>): Feed<T> {
  let batch: readonly T[] = [];
  let place = 0;
  let ahead = fetch();
  let refill: Promise<void> | null = null;
  const take = (): T | undefined => {
    const row = batch[place];
    place += 1;
    return row;
  };
  const load = async (): Promise<void> => {
    batch = await ahead;
    place = 0;
    ahead = batch.length === 0 ? Promise.resolve([]) : fetch();
    refill = null;
  };
  const wait = async (): Promise<T | null> => {
    for (;;) {
      refill ??= load();
      await refill;
      const row = take();
      if (row !== undefined) return row;
      if (batch.length === 0) return null;
    }
  };
  return { next: () => take() ?? wait() };
}

/** So many workers at once, each doing `work` until it ends; answers the sum of what they worked. */
export async function atOnce(concurrency: number, work: () => Promise<number>): Promise<number> {
  const counts = await Promise.all(Array.from({ length: concurrency }, work));
  return counts.reduce((sum, count) => sum + count, 0);
}
