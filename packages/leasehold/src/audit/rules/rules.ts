import { historyClock } from './history/history-clock.ts';
import { historyIncomplete } from './history/history-incomplete.ts';
import { leaseOutrun } from './history/lease-outrun.ts';
import { neverStarted } from './history/never-started.ts';
import { overlapObserved } from './history/overlap-observed.ts';
import { overlapPredicted } from './history/overlap-predicted.ts';
import { runStuck } from './history/run-stuck.ts';
import { slotMissed } from './history/slot-missed.ts';
import { triggerDuplicate } from './history/trigger-duplicate.ts';
import { unknownWaits } from './history/unknown-waits.ts';
import { utcDrift } from './history/utc-drift.ts';
import { poolShared } from './pools/pool-shared.ts';
import { scheduleRules } from './schedule/schedule-rules.ts';
import type { AuditRule, SharedRule } from './rule.ts';

/** What is judged of each workflow. What its definition alone tells comes with it. */
export const AUDIT_RULES: readonly AuditRule[] = [
  overlapObserved,
  overlapPredicted,
  unknownWaits,
  leaseOutrun,
  triggerDuplicate,
  runStuck,
  slotMissed,
  utcDrift,
  historyIncomplete,
  historyClock,
  scheduleRules,
];

/** What is judged of all of them together. */
export const SHARED_RULES: readonly SharedRule[] = [poolShared, neverStarted];
