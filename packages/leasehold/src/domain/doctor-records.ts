import { type Finding, ok, warning } from './doctor.ts';
import { formatDuration } from './duration.ts';
import { shellWord } from './messages.ts';
import type { PoolStatus } from './records/record.ts';

/**
 * What the record says of pools: work that nobody settles, asks for or looks at. Every claim settles what expired ones left,
 * so what stays behind is in a pool that nobody calls any more. Clock: the store's, given as `nowMs`.
 */

/** One pool, and when it was paused, by the newest event that says so; null where it is not, or none does. */
export interface PoolFacts {
  readonly status: PoolStatus;
  readonly pausedAt: Date | null;
}

/** A sweep a minute finds what is over; twice that is no accident. */
const UNSETTLED_MS_MAX = 2 * 60_000;
/** Look-ups are made once a minute and may have to wait for a provider's index. */
const UNASKED_MS_MAX = 15 * 60_000;
const DAY_MS = 86_400_000;

type Judge = (pool: PoolFacts, nowMs: number) => string[];

/** Each check with what it says where no pool has it. */
const CHECKS: readonly [check: string, none: string, judge: Judge][] = [
  ['claims', 'No claim is over without being settled', judgeClaims],
  ['asking', 'No record waits long for the answer of a provider', judgeAsking],
  ['review', 'No record is in review', judgeReview],
  ['pools', 'No pool has been paused for more than a day', judgePaused],
];

/** Nothing where there is no pool. */
export function judgePools(pools: readonly PoolFacts[], nowMs: number): Finding[] {
  if (pools.length === 0) return [];
  return CHECKS.flatMap(([check, none, judge]) => {
    const found = pools.flatMap((pool) =>
      judge(pool, nowMs).map((message) => warning(check, `Pool "${pool.status.pool}": ${message}`)),
    );
    return found.length > 0 ? found : [ok(check, `${none} (${ofPools(check, pools, nowMs)}).`)];
  });
}

function ofPools(check: string, pools: readonly PoolFacts[], nowMs: number): string {
  const of = pools.length === 1 ? '1 pool' : `${pools.length} pools`;
  const oldest = pools
    .map(({ status }) => status.oldestClaimAt?.getTime() ?? nowMs)
    .reduce((a, b) => Math.min(a, b), nowMs);
  return check === 'claims' && oldest < nowMs ? `${of}, the oldest claim ${formatDuration(nowMs - oldest)} old` : of;
}

/** How long ago the claim that has been over longest ended, of those with records that wait; null where none is over. */
function overFor({ claims }: PoolStatus, nowMs: number): number | null {
  const ends = claims.map(({ leaseUntil }) => leaseUntil.getTime()).filter((end) => end <= nowMs);
  return ends.length === 0 ? null : nowMs - Math.min(...ends);
}

/** Records that no claim settles, but only a provider's answer. Where nobody can ask, a claim sends them to review. */
function waiting({ toAsk, verifier }: PoolStatus): number {
  return verifier === null ? 0 : toAsk;
}

/** Those that only a provider's answer can settle are another check's. */
function judgeClaims({ status }: PoolFacts, nowMs: number): string[] {
  const overMs = overFor(status, nowMs);
  const over = status.claims.filter(({ leaseUntil }) => leaseUntil.getTime() <= nowMs);
  const unsettled = over.reduce((sum, { records }) => sum + records, 0) - waiting(status);
  if (overMs === null || overMs <= UNSETTLED_MS_MAX || unsettled <= 0) return [];
  const holders = [...new Set(over.map(({ holder }) => holder))].join(', ');
  return [
    `${counted(unsettled)} of claims that are over, the oldest since ${formatDuration(overMs)} (${holders}), and nobody has claimed or swept since. To settle them now: leasehold sweep ${shellWord(status.pool)}; always: leasehold work`,
  ];
}

function judgeAsking({ status }: PoolFacts, nowMs: number): string[] {
  const overMs = overFor(status, nowMs);
  if (waiting(status) === 0 || overMs === null || overMs <= UNASKED_MS_MAX) return [];
  return [
    `${counted(waiting(status))} whose outcome only the provider knows, the oldest since ${formatDuration(overMs)}, and nobody asks it. Sweep the pool with its verifier; after 24h they go to review`,
  ];
}

function judgeReview({ status: { pool, review } }: PoolFacts): string[] {
  return review === 0
    ? []
    : [`${counted(review)} in review: a person has to decide. See: leasehold review ${shellWord(pool)}`];
}

function judgePaused({ status, pausedAt }: PoolFacts, nowMs: number): string[] {
  if (!status.paused || pausedAt === null || nowMs - pausedAt.getTime() <= DAY_MS) return [];
  const age = formatDuration(nowMs - pausedAt.getTime());
  return [`it has been paused for ${age}. To let claims in: leasehold resume --pool ${shellWord(status.pool)}`];
}

function counted(records: number): string {
  return records === 1 ? '1 record' : `${records} records`;
}
