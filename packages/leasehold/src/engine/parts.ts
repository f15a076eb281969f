import type { HolderInfo } from '../domain/lock-state.ts';
import type { Channel } from '../ports/channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Logger } from '../ports/logger.ts';
import type { Probe } from '../ports/probe.ts';
import type { OpenSchedule } from '../ports/schedule.ts';
import type { Store } from '../ports/store.ts';

/** What the engine works with; put together in one place (`openLeasehold`, or a test). */
export interface EngineParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly openSchedule: OpenSchedule;
  /** Where alerts go; none unless given. */
  readonly channels?: readonly Channel[];
  /** Goes into the effectKeys of records that are new; default empty. */
  readonly namespace?: string;
  /** Who this process is, for starts that don't say. */
  readonly self: {
    readonly holder: string;
    readonly holderInfo: HolderInfo;
    /** The same for work that this process does itself, so that its process can be asked after. Default: as `holderInfo`. */
    readonly workInfo?: HolderInfo;
  };
  /** Who can be asked whether a holder is alive; default nobody, and then only the clock decides. */
  readonly probes?: readonly Probe[];
}
