import { after, describe, test } from 'node:test';
import { acquireFacts } from './acquire.ts';
import { alertFacts } from './alerts.ts';
import { deadAlertFacts } from './dead-alerts.ts';
import { bypassFacts } from './bypass.ts';
import { clientFacts } from './clients.ts';
import { drainFacts } from './drain.ts';
import { evidenceFacts } from './evidence.ts';
import { extensionFacts } from './extension.ts';
import { forceReleaseFacts } from './force-release.ts';
import { givenUpFacts } from './given-up.ts';
import { lateReleaseFacts } from './late-release.ts';
import { inspectFacts } from './inspect.ts';
import { oddStateFacts } from './limits-of-odd-states.ts';
import { markFacts } from './marks.ts';
import { missedFacts } from './missed.ts';
import { nearEndFacts } from './near-end.ts';
import { oddLeaseFacts } from './odd-leases.ts';
import { overdueFacts } from './overdue.ts';
import { pauseFacts } from './pause.ts';
import { planFacts } from './plan.ts';
import { pruneFacts } from './prune.ts';
import { raceFacts } from './races.ts';
import { reclaimFacts } from './reclaim.ts';
import { RECORD_TOPICS } from './records/topics.ts';
import { releaseFacts } from './release.ts';
import { renewFacts } from './renew.ts';
import { replayFacts } from './replay.ts';
import { runAndEventFacts } from './runs-and-events.ts';
import { scheduleFacts } from './schedules.ts';
import { skipFacts } from './skip.ts';
import { skipStreakFacts } from './skip-streaks.ts';
import { slotFacts } from './slots.ts';
import type { Fact } from './stage/fact.ts';
import type { StoreHarness } from './stage/harness.ts';
import { Scene } from './stage/scene.ts';
import { statusFacts } from './status.ts';
import { waitingFacts } from './waiting.ts';

const TOPICS: Readonly<Record<string, readonly Fact[]>> = {
  acquire: acquireFacts,
  skip: skipFacts,
  reclaim: reclaimFacts,
  renew: renewFacts,
  release: releaseFacts,
  'late release': lateReleaseFacts,
  'leases given up': givenUpFacts,
  'force-release that drains': drainFacts,
  'force-release at once': forceReleaseFacts,
  replay: replayFacts,
  waiting: waitingFacts,
  'evidence of a probe': evidenceFacts,
  'extended leases': extensionFacts,
  bypass: bypassFacts,
  slots: slotFacts,
  'missed slots': missedFacts,
  pause: pauseFacts,
  marks: markFacts,
  'planned starts': planFacts,
  'no run in three intervals': overdueFacts,
  'leases near their end': nearEndFacts,
  retention: pruneFacts,
  'odd stored states': oddStateFacts,
  'odd leases': oddLeaseFacts,
  status: statusFacts,
  'runs and events': runAndEventFacts,
  inspect: inspectFacts,
  schedules: scheduleFacts,
  'streaks of skips': skipStreakFacts,
  alerts: alertFacts,
  'dead alerts': deadAlertFacts,
  clients: clientFacts,
  races: raceFacts,
  ...RECORD_TOPICS,
};

/**
 * Registers the conformance suite with `node:test`: what it shows of a store is what a store is.
 *
 * Each test opens a store of its own and closes it. Beside what it is about, every answer and row
 * that passes is held against the contract: exact fields, ranges, words, and no token where none
 * belongs. Tests that the harness can't be put through are skipped, and say why.
 *
 * No test sleeps. Expiry comes by `advance`.
 *
 *     // my-store.test.ts, run by `node --test`
 *     const clock = new FakeClock();
 *     describeStore({
 *       name: 'my store',
 *       time: 'clock',
 *       missing: { hand_written_rows: 'its rows are encrypted' },
 *       open: async () => {
 *         const store = await openMyStore({ clock });
 *         return { store, advance: (ms) => clock.advance(ms), now: async () => clock.read().wallMs, … };
 *       },
 *     });
 */
export function describeStore(harness: StoreHarness): void {
  describe(`store: ${harness.name}`, () => {
    after(() => harness.end?.());
    for (const [topic, facts] of Object.entries(TOPICS)) {
      describe(topic, () => {
        for (const fact of facts) testFact(harness, fact);
      });
    }
  });
}

function testFact(harness: StoreHarness, { name, needs, show }: Fact): void {
  const reasons = needs.map((need) => harness.missing?.[need]).filter((reason) => reason !== undefined);
  test(name, { skip: reasons[0] ?? false }, async () => {
    const scene = await Scene.open(harness);
    try {
      await show(scene);
      await scene.checkWhatIsLeft();
    } finally {
      await scene.close();
    }
  });
}
