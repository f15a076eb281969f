import type { Guard } from '../guards.ts';

/** Who may begin, and what is known of a record that was begun. */
export const BEGIN_GUARDS: readonly Guard[] = [
  {
    name: 'begin-token',
    without: 'NO_TOKEN_ON_BEGIN',
    instance: 'ask',
    violates: 'one_effect',
    rule: 'A begin is accepted only for the token that the record carries.',
    title: 'A worker whose claim expired begins the record of the next one',
  },
  {
    name: 'begin-after-unknown',
    without: 'NO_FLAG_ON_BEGIN',
    instance: 'ask',
    violates: 'one_effect',
    rule: 'A record whose owner said “unknown” can’t be begun again under that claim.',
    title: 'A worker that doesn’t know tries again by itself',
  },
  {
    name: 'begin-near-the-end',
    without: 'NO_LEASE_ON_BEGIN',
    instance: 'timely',
    violates: 'keeps_its_record',
    rule: 'A begin is refused where less than the call’s time-out remains of the lease.',
    title: 'A record is taken from a worker that was never late',
  },
  {
    name: 'has-begun',
    without: 'NO_HAS_BEGUN',
    instance: 'ask',
    violates: 'one_effect',
    rule: 'That a record was begun is kept: it is not queued again as if nothing had happened.',
    title: 'A record whose outcome nobody knows is sent again',
  },
  {
    name: 'return-begun',
    without: 'NO_BEGUN_ON_RETURN',
    instance: 'ask',
    violates: 'one_effect',
    rule: 'Only records that were never begun can be given back.',
    title: 'A worker that is told to end gives back what it has already sent',
  },
];
