import type { Finding } from '../../model/finding.ts';
import { acquiredAlone } from './acquired-alone.ts';
import { droppedItems } from './dropped.ts';
import { droppedEvents } from './drops-events.ts';
import { emptyLockFindings, releasedTooEarly } from './empty-locks.ts';
import { openGuards } from './guard-fails-open.ts';
import { missingGuard } from './guard-missing.ts';
import { heldTooLong } from './held-too-long.ts';
import { highWaterMark } from './high-water.ts';
import type { StaticInput } from './input.ts';
import { lateRelease } from './late-release.ts';
import { noStart } from './no-start.ts';
import { retriesAllRuns, retriesEffects } from './retry.ts';
import { switches } from './switches.ts';
import { unknownUnit } from './unknown-unit.ts';
import { unaskedLocks } from './unasked-lock.ts';
import { unboundedRead } from './unbounded.ts';
import { effectBeforeMark, noStatusWrite, readToWrite } from './window.ts';

type StaticRule = (input: StaticInput) => readonly Finding[];

/** What a definition of n8n alone tells. */
const RULES: readonly StaticRule[] = [
  effectBeforeMark,
  noStatusWrite,
  readToWrite,
  highWaterMark,
  openGuards,
  unaskedLocks,
  emptyLockFindings,
  releasedTooEarly,
  heldTooLong,
  acquiredAlone,
  lateRelease,
  droppedEvents,
  missingGuard,
  retriesAllRuns,
  retriesEffects,
  droppedItems,
  unboundedRead,
  switches,
  noStart,
  unknownUnit,
];

export function staticFindings(input: StaticInput): readonly Finding[] {
  return RULES.flatMap((rule) => rule(input));
}
