/** What doctor says of pools, word for word. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgePools } from '../../src/domain/doctor-records.ts';
import { POOL_DEFAULTS } from '../../src/domain/records/pool-settings.ts';
import type { LiveClaim, PoolStatus } from '../../src/domain/records/record.ts';
import { assertSaid, found, type Said } from './said.ts';

const NOW = Date.parse('2026-11-30T09:00:00Z');
const ago = (minutes: number): Date => new Date(NOW - minutes * 60_000);

const EMPTY: PoolStatus = {
  ...POOL_DEFAULTS,
  pool: 'orders',
  paused: false,
  queued: 0,
  deferred: 0,
  claimed: 0,
  toAsk: 0,
  done: 0,
  failed: 0,
  review: 0,
  cancelled: 0,
  oldestClaimAt: null,
  claims: [],
};

const ASKED: Partial<PoolStatus> = { verifier: '{"kind":"function"}' };

/** A claim that ended so many minutes ago. */
const over = (minutes: number, records: number, holder = 'web1:7'): LiveClaim => ({
  claimId: `claim ${holder}`,
  holder,
  holderInfo: null,
  records,
  since: ago(minutes + 10),
  leaseUntil: ago(minutes),
});

function judge(check: string, ...pools: readonly Partial<PoolStatus>[]): string {
  const facts = pools.map((status) => ({ status: { ...EMPTY, ...status }, pausedAt: null }));
  return found(judgePools(facts, NOW), check);
}

function judgePaused(minutes: number): string {
  return found(judgePools([{ status: { ...EMPTY, paused: true }, pausedAt: ago(minutes) }], NOW), 'pools');
}

const SAID: readonly Said[] = [
  [() => judge('claims', {}, {}), 'No claim is over without being settled (2 pools).'],
  [
    () => judge('claims', { claims: [over(1, 3)], oldestClaimAt: ago(11) }),
    'No claim is over without being settled (1 pool, the oldest claim 11m old).',
  ],
  [
    () => judge('claims', { claims: [over(2_880, 3), over(3, 1, 'web2:9'), over(-5, 9)], oldestClaimAt: ago(2_890) }),
    'Pool "orders": 4 records of claims that are over, the oldest since 2d (web1:7, web2:9), and nobody has claimed or swept since. To settle them now: leasehold sweep orders; always: leasehold work',
  ],
  [
    () => judge('asking', { ...ASKED, toAsk: 2, claims: [over(10, 2)] }),
    'No record waits long for the answer of a provider (1 pool).',
  ],
  [
    () => judge('asking', { ...ASKED, toAsk: 1, claims: [over(25, 1)] }),
    'Pool "orders": 1 record whose outcome only the provider knows, the oldest since 25m, and nobody asks it. Sweep the pool with its verifier; after 24h they go to review',
  ],
  [
    () => judge('claims', { ...ASKED, toAsk: 1, claims: [over(25, 1)] }),
    'No claim is over without being settled (1 pool).',
  ],
  [
    () => judge('claims', { toAsk: 1, claims: [over(25, 1)] }),
    'Pool "orders": 1 record of claims that are over, the oldest since 25m (web1:7), and nobody has claimed or swept since. To settle them now: leasehold sweep orders; always: leasehold work',
  ],
  [() => judge('review', {}), 'No record is in review (1 pool).'],
  [
    () => judge('review', { pool: 'my orders', review: 3 }),
    `Pool "my orders": 3 records in review: a person has to decide. See: leasehold review 'my orders'`,
  ],
  [() => judgePaused(60), 'No pool has been paused for more than a day (1 pool).'],
  [
    () => judgePaused(3_000),
    'Pool "orders": it has been paused for 2d 2h. To let claims in: leasehold resume --pool orders',
  ],
];

describe('of pools', () => {
  assertSaid(SAID);

  it('nothing is said where there is none', () => assert.deepEqual(judgePools([], NOW), []));

  it('an active record with a limit of 15 minutes that is two days old is said (C69)', () => {
    const [claims] = judgePools([{ status: { ...EMPTY, claims: [over(2_865, 1)] }, pausedAt: null }], NOW);
    assert.deepEqual([claims?.check, claims?.result], ['claims', 'warning']);
  });
});
