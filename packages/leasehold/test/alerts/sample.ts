import type { ChannelMessage } from '../../src/ports/channel.ts';

/** An alert as a channel gets it. */
export function sampleMessage(patch: Partial<ChannelMessage> = {}): ChannelMessage {
  return {
    alertId: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
    eventId: 7,
    at: new Date('2026-01-05T03:00:00.000Z'),
    kind: 'run.skip_streak',
    severity: 'critical',
    lock: 'nächtlich',
    pool: null,
    recordId: null,
    runId: 'run-4',
    holder: 'web1:4711',
    message: 'Lock "nächtlich" is stuck.',
    data: { skipsInRow: 3, currentRunId: 'run-1' },
    dedupKey: 'run.skip_streak "nächtlich" "run-1"',
    store: 'sqlite:/jobs/leasehold.db',
    text: 'Lock "nächtlich" is stuck; look at it.',
    attempt: 2,
    ...patch,
  };
}
