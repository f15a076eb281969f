import type { Guard } from '../guards.ts';

/** What the lock rests on. */
export const LOCK_GUARDS: readonly Guard[] = [
  {
    name: 'lock-token-on-release',
    without: 'NO_TOKEN_ON_RELEASE',
    instance: 'lock',
    violates: 'one_live_holder',
    rule: 'A release frees the lock only for the token that the lock carries.',
    title: 'A late release frees the lock of the next holder',
  },
  {
    name: 'lock-token-on-renewal',
    without: 'NO_TOKEN_ON_RENEWAL',
    instance: 'lock',
    violates: 'one_live_holder',
    rule: 'A renewal extends only the lease of the token that it presents.',
    title: 'A late renewal is taken for the next holder’s',
  },
  {
    name: 'lock-renewal-after-expiry',
    without: 'NO_EXPIRY_ON_RENEWAL',
    instance: 'lock',
    violates: 'ended_stays_ended',
    rule: 'A lease that is over can’t be renewed, even if nobody took the lock.',
    title: 'A lease that was over lives again',
  },
  {
    name: 'lock-fence',
    without: 'NO_FENCE',
    instance: 'lock',
    violates: 'fenced_writes',
    rule: 'A guarded resource refuses a fence below the highest that it has seen.',
    title: 'A paused holder writes over what the next one wrote',
  },
  {
    name: 'lock-evidence-compared',
    without: 'NO_COMPARE_OF_EVIDENCE',
    instance: 'lock',
    violates: 'one_live_holder',
    rule: 'The proof that a holder has ended applies only to the acquisition that was looked at.',
    title: 'A proof that comes late frees somebody else’s lock',
  },
  {
    name: 'lock-expiry',
    without: 'NO_EXPIRY',
    instance: 'lock-live',
    violates: 'taken_again',
    rule: 'A lease ends by itself.',
    title: 'A dead holder keeps the lock for ever',
  },
];
