/**
 * How the line of a pool shares its items out to calls, where its store does several at a time.
 *
 * A call has a price of its own, whatever it carries: few items are cheapest in one. Of many, two halves cost hardly more,
 * and while the store works on one of them this process gets the other ready.
 */

/** So many items are worth a call of their own. */
const SHARE_MIN = 30;

/** How many of those that wait the next call may take, beside so many calls; 0: they wait for what is under way. */
export function roomBeside(calls: number, waiting: number, callsAtOnce: number): number {
  if (calls >= callsAtOnce || (calls > 0 && waiting < SHARE_MIN)) return 0;
  const shares = Math.max(1, Math.min(callsAtOnce - calls, Math.floor(waiting / SHARE_MIN)));
  // Even: the verdict of a worker's last record and the begin of its next one stay together. And no more than its share, or
  // what it leaves would be too little for a call of its own.
  return shares === 1 ? Number.POSITIVE_INFINITY : 2 * Math.floor(waiting / shares / 2);
}
