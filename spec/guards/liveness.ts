import type { Guard } from '../guards.ts';

/** What keeps a record from going round for ever. */
export const LIVENESS_GUARDS: readonly Guard[] = [
  {
    name: 'claim-expiry',
    without: 'NO_EXPIRY',
    instance: 'live-nobody',
    violates: 'accounted_for',
    rule: 'A claim’s lease ends by itself.',
    title: 'The record of a dead worker is never anybody’s again',
  },
  {
    name: 'settled-by-claims',
    without: 'NO_SETTLING',
    instance: 'live-nobody',
    violates: 'accounted_for',
    rule: 'A claim call settles what expired claims left; no second scheduler is needed.',
    title: 'Claims pass by what an expired claim left',
  },
  {
    name: 'attempts-limit',
    without: 'NO_ATTEMPTS',
    instance: 'live-nobody',
    violates: 'accounted_for',
    rule: 'A record whose attempts are used up goes to review.',
    title: 'A record fails for ever',
  },
  {
    name: 'idle-limit',
    without: 'NO_IDLES',
    instance: 'live-nobody',
    violates: 'accounted_for',
    rule: 'A record whose claims expire again and again before it is begun goes to review.',
    title: 'A record kills every worker before it begins',
  },
  {
    name: 'asked-for-a-day',
    without: 'NO_DAY',
    instance: 'live-unswept',
    violates: 'accounted_for',
    rule: 'A record that nobody could say anything about within 24 hours goes to review, by any claim.',
    title: 'Nobody ever sweeps',
  },
  {
    name: 'pending-for-a-day',
    without: 'NO_PENDING_BOUND',
    instance: 'live-ask',
    violates: 'accounted_for',
    rule: 'A provider may answer “pending” for 24 hours at most.',
    title: 'The provider never decides',
  },
  {
    name: 'flag-is-no-word',
    without: 'WITH_FLAG_AS_WORD',
    instance: 'live-window',
    violates: 'accounted_for',
    rule: 'That `sendBefore` has passed is not its sender’s “unknown”: absent then means review, not the queue.',
    title: 'A record goes round between the queue and the sweep',
  },
];
