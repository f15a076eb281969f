import type { AcquireRequest } from '../../../ports/store.ts';
import type { Scene } from './scene.ts';
import { HOUR } from './timeline.ts';

/** What a start of an hourly schedule sends for this slot, on the test's line of time. */
export function hourly(scene: Scene, slot: number): Partial<AcquireRequest> {
  return {
    slotAt: scene.dateAt(slot),
    plan: {
      expression: '0 * * * *',
      timezone: 'Europe/Berlin',
      nextSlotAt: scene.dateAt(slot + HOUR),
      overdueAt: scene.dateAt(slot + 3 * HOUR),
    },
  };
}
