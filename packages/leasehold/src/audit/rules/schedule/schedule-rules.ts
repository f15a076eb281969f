import type { Finding } from '../../model/finding.ts';
import type { PlannedStarts } from '../../schedule/planned-starts.ts';
import { clockChanges } from './dst.ts';
import { neverFires } from './never-fires.ts';
import { uneven } from './uneven.ts';
import { unknownZone } from './unknown-zone.ts';

/** What a schedule alone tells, without any history: it never starts, its gaps are uneven, a clock change moves it. */
export function scheduleRules({ planned }: { readonly planned: PlannedStarts | null }): readonly Finding[] {
  return planned === null
    ? []
    : [...neverFires(planned), ...unknownZone(planned), ...uneven(planned), ...clockChanges(planned)];
}
