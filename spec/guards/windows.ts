import type { Guard } from '../guards.ts';

/** Repeats that are harmless for a while: `sendBefore`. */
export const WINDOW_GUARDS: readonly Guard[] = [
  {
    name: 'earlier-sender',
    without: 'NO_EARLIER_SENDER',
    instance: 'deduplicates-twice',
    violates: 'one_effect',
    rule: 'That the present sender has stopped says nothing of one before it that may still send (`sendBefore` is set).',
    title: 'The first of three senders was only paused',
  },
  {
    name: 'send-before-kept',
    without: 'NO_SEND_BEFORE_KEPT',
    instance: 'safe-window',
    violates: 'one_effect',
    rule: 'Every requeue keeps the record’s `sendBefore`.',
    title: 'A failure in between makes the store forget the window',
  },
  {
    name: 'send-before-at-begin',
    without: 'NO_SEND_BEFORE',
    instance: 'safe-window',
    violates: 'one_effect',
    rule: 'A begin after `sendBefore` is refused, though the record was handed out before it.',
    title: 'A claim is extended past the window, and begins then',
  },
  {
    name: 'commit-delay-in-the-window',
    without: 'WITHOUT_COMMIT_IN_WINDOW',
    instance: 'safe-window',
    violates: 'one_effect',
    rule: 'The window that is declared leaves room for a call that takes effect after its time-out.',
    title: 'A call takes effect when the provider no longer knows the key',
  },
  {
    name: 'lease-in-the-window',
    without: 'WITHOUT_LEASE_IN_WINDOW',
    instance: 'safe-window-implied',
    violates: 'one_effect',
    rule: 'Where claimed is begun, the whole lease has to fit before `sendBefore`.',
    title: 'A record is handed out in time and sent at the end of its lease',
  },
  {
    name: 'extension-in-the-window',
    without: 'WITH_EXTENSION_PAST_WINDOW',
    instance: 'safe-window-implied',
    violates: 'one_effect',
    rule: 'Where claimed is begun, no extension leads past `sendBefore`.',
    title: 'A lease is extended past the window',
  },
  {
    name: 'extension-after-expiry',
    without: 'NO_EXPIRY_ON_EXTENSION',
    instance: 'safe-window',
    violates: 'ended_stays_ended',
    rule: 'A claim’s lease that is over can’t be extended, even if nobody took its records.',
    title: 'A claim that was over lives again',
  },
];
