/** A story's ticks as time. */
import type { LookupScene, ProviderDelays } from '../../src/domain/records/decide-lookup.ts';
import type { AskedRecord } from '../../src/ports/record-store.ts';
import type { Play } from './story.ts';

/** Longer than any time to wait after a failure, short enough that a day is a few dozen. */
export const TICK_MS: number = 40 * 60_000;

export function callTimeoutMsOf({ callTicks }: Play): number {
  return callTicks * TICK_MS - (TICK_MS * 3) / 4;
}

/** So long that `sendBefore` is half a tick after the last tick at which the model begins. */
export function windowMsOf(play: Play): number {
  const { windowTicks, callTicks, commitTicks } = play;
  const lastTick = windowTicks - callTicks - commitTicks;
  return lastTick * TICK_MS + TICK_MS / 2 + callTimeoutMsOf(play);
}

export function delaysOf(play: Play): ProviderDelays {
  const { commitTicks, visibleTicks, retentionTicks, windowTicks, redo } = play;
  return {
    callTimeoutMs: callTimeoutMsOf(play),
    commitDelayMs: commitTicks * TICK_MS - (commitTicks * TICK_MS) / 8,
    visibilityDelayMs: visibleTicks * TICK_MS - TICK_MS / 8,
    retentionMs: retentionTicks === 0 ? null : retentionTicks * TICK_MS + TICK_MS / 2,
    idempotencyWindowMs: windowTicks === 0 || redo === 'safe' ? null : windowMsOf(play),
  };
}

/** What the engine knows when it decides. */
export function sceneOf(asked: AskedRecord, answeredAt: number): LookupScene {
  const msOf = (date: Date | null): number | null => date?.getTime() ?? null;
  return {
    begunAt: asked.begunAt.getTime(),
    firstBegunAt: asked.firstBegunAt.getTime(),
    leaseUntil: asked.leaseUntil.getTime(),
    unknownAt: msOf(asked.unknownAt),
    holderEndedAt: msOf(asked.holderEndedAt),
    sendBefore: msOf(asked.sendBefore),
    askedAt: asked.askedAt.getTime(),
    answeredAfterMs: Math.max(0, answeredAt - asked.askedAt.getTime()),
    askSince: asked.askSince.getTime(),
  };
}

/** The same, a tick earlier. */
export function earlier(asked: AskedRecord): AskedRecord {
  const moved = Object.entries(asked).map(([key, value]) => [
    key,
    value instanceof Date ? new Date(value.getTime() - TICK_MS) : (value as unknown),
  ]);
  return Object.fromEntries(moved) as AskedRecord;
}
