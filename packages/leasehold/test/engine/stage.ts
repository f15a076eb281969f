import type { Leasehold, Lock } from '../../src/engine/api.ts';
import { composeLeasehold } from '../../src/engine/leasehold.ts';
import type { HolderInfo } from '../../src/domain/lock-state.ts';
import type { Logger } from '../../src/ports/logger.ts';
import type { Probe } from '../../src/ports/probe.ts';
import type { Store } from '../../src/ports/store.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { CountingIds } from '../../src/testing/counting-ids.ts';
import { FakeClock } from '../../src/testing/fake-clock.ts';
import { ScriptedStore } from './scripted-store.ts';

/** The engine over a real embedded store, on a clock that only the test moves, behind a line it can cut. */
export interface Stage extends AsyncDisposable {
  readonly clock: FakeClock;
  /** The store as the engine sees it. */
  readonly store: ScriptedStore;
  /** The store itself: for rivals, and for looking at rows. */
  readonly rawStore: Store;
  readonly leasehold: Leasehold;
  /** Lock `job`. */
  readonly lock: Lock;
  readonly log: LogEntry[];
  /** Lets what was called just now get as far as it can, and then `ms` pass. */
  advance(ms: number): Promise<void>;
}

export interface LogEntry {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface StageOptions {
  readonly logger?: Logger;
  /** Who can be asked after holders; default nobody. */
  readonly probes?: readonly Probe[];
  readonly namespace?: string;
  /** What `run` says of its process; default what `acquire` says. */
  readonly workInfo?: HolderInfo;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { workInfo, namespace = '' } = options;
  const clock = new FakeClock();
  const ids = new CountingIds();
  const rawStore = await openSqliteStore({ path: ':memory:', clock, ids });
  const store = new ScriptedStore(rawStore, clock);
  const log: LogEntry[] = [];
  const leasehold = composeLeasehold({
    store,
    clock,
    ids,
    openSchedule: async (spec) => openCronSchedule(spec),
    logger: options.logger ?? recordInto(log),
    self: { holder: 'host:1', holderInfo: { host: 'host', pid: 1 }, ...(workInfo === undefined ? {} : { workInfo }) },
    probes: options.probes ?? [],
    namespace,
  });
  return {
    clock,
    store,
    rawStore,
    leasehold,
    lock: leasehold.lock('job'),
    log,
    advance: async (ms) => {
      await clock.advance(0);
      await clock.advance(ms);
    },
    [Symbol.asyncDispose]: () => leasehold.close(),
  };
}

function recordInto(log: LogEntry[]): Logger {
  const record =
    (level: keyof Logger): Logger['info'] =>
    (message, fields) => {
      log.push({ level, message, fields: fields ?? {} });
    };
  return { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') };
}

/** The start proceeded and holds the lock; says so or fails. */
export function held<S extends { readonly outcome: string }>(
  start: S,
): Extract<S, { outcome: 'acquired' }> | Extract<S, { outcome: 'reclaimed' }> {
  if (start.outcome !== 'acquired' && start.outcome !== 'reclaimed') throw new Error(`not held: ${start.outcome}`);
  return start as Extract<S, { outcome: 'acquired' }>;
}
