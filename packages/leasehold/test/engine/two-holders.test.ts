/**
 * No two processes ever believe at the same moment that they hold one lock.
 *
 * Three engines, each behind a line of its own, share one embedded store and one fake clock. Drawn at
 * random: starts, repeated starts, renewals, releases, lost and late requests and answers, calls that hang, suspends, and wall
 * clocks stepped by an hour. After every second of it, whoever trusts in his lease must hold it by
 * the store. A failing run prints its seed and the shortest history that fails.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Lock, Start } from '../../src/engine/api.ts';
import { composeLeasehold } from '../../src/engine/leasehold.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { Store } from '../../src/ports/store.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { CountingIds } from '../../src/testing/counting-ids.ts';
import { FakeClock } from '../../src/testing/fake-clock.ts';
import {
  answerLost,
  answerTakes,
  hangs,
  type Line,
  type Method,
  refused,
  requestTakes,
  ScriptedStore,
} from './scripted-store.ts';

const LEASE_MS = 20_000;
const PROCESSES = 3;

interface World {
  readonly clock: FakeClock;
  readonly rawStore: Store;
  readonly processes: readonly Process[];
}

interface Process {
  readonly line: ScriptedStore;
  readonly lock: Lock;
  readonly starts: Start[];
  /** Grows with each release: a run that is being released is not started again by its own process. */
  generation: number;
}

/** One thing that happens; its name is what a failure prints. */
interface Happening {
  readonly name: string;
  happen(world: World): Promise<void> | void;
}

const processNumber = fc.nat(PROCESSES - 1);
const line: fc.Arbitrary<[string, Line]> = fc.oneof(
  fc.constantFrom<[string, Line]>(['refused', refused], ['answer lost', answerLost], ['hangs', hangs]),
  fc.nat(4_000).map((ms): [string, Line] => [`answer takes ${ms} ms`, answerTakes(ms)]),
  fc.nat(4_000).map((ms): [string, Line] => [`request takes ${ms} ms`, requestTakes(ms)]),
);

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(processNumber, fc.constantFrom('heartbeat', 'touch'), fc.nat(5)).map(([who, renewal, run]) => ({
      name: `start of run ${run} by ${who} (${renewal})`,
      happen({ processes }: World) {
        const own = processes[who] as Process;
        const { generation } = own;
        const keep = (start: Start): void => {
          if (generation === own.generation) own.starts.push(start);
          else void start.release().catch(() => {});
        };
        const runId = `run-${who}-${generation}-${run}`;
        void own.lock.acquire({ leaseMs: LEASE_MS, runId, renewal }).then(keep, () => {});
      },
    })),
  },
  {
    weight: 3,
    arbitrary: processNumber.map((who) => ({
      name: `${who} renews by hand`,
      happen({ processes }: World) {
        for (const start of (processes[who] as Process).starts) void start.renew().catch(() => {});
      },
    })),
  },
  {
    weight: 2,
    arbitrary: processNumber.map((who) => ({
      name: `release ${who}`,
      happen({ processes }: World) {
        const own = processes[who] as Process;
        own.generation += 1;
        for (const start of own.starts) void start.release().catch(() => {});
      },
    })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(processNumber, fc.constantFrom<Method>('acquire', 'renew', 'release'), line)
      .map(([who, method, [what, how]]) => ({
        name: `next ${method} of ${who}: ${what}`,
        happen: ({ processes }: World) => (processes[who] as Process).line.next(method, how),
      })),
  },
  {
    weight: 6,
    arbitrary: fc.integer({ min: 1, max: 25 }).map((seconds) => ({
      name: `${seconds} s pass`,
      happen: (world: World) => pass(world, seconds),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.nat(30_000).map((ms) => ({
      name: `suspend of ${ms} ms`,
      happen: ({ clock }: World) => clock.suspend(ms),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-3_600_000, 3_600_000).map((ms) => ({
      name: `wall clock steps by ${ms} ms`,
      happen: ({ clock }: World) => clock.stepWall(ms),
    })),
  },
);

async function pass(world: World, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await world.clock.advance(1_000);
    await assertOneHolder(world);
  }
}

async function assertOneHolder({ processes, rawStore }: World): Promise<void> {
  const trusting = processes.flatMap(({ starts }) => starts).filter((start) => start.trustRemainingMs() > 0);
  const tokens = new Set(trusting.map((start) => ('token' in start ? start.token : 'none')));
  assert.ok(tokens.size <= 1, `${tokens.size} trust in their lease`);
  for (const token of tokens) assert.ok(await rawStore.isHolder('job', token), 'trusted, and not held');
}

async function openWorld(): Promise<World> {
  const clock = new FakeClock();
  const ids = new CountingIds();
  const rawStore = await openSqliteStore({ path: ':memory:', clock, ids });
  const processes = Array.from({ length: PROCESSES }, (_, who) => {
    const self = { holder: `host:${who}`, holderInfo: {} };
    const ownLine = new ScriptedStore(rawStore, clock);
    const leasehold = composeLeasehold({
      store: ownLine,
      clock,
      ids,
      openSchedule: async (spec) => openCronSchedule(spec),
      logger: silentLogger,
      self,
    });
    return { line: ownLine, lock: leasehold.lock('job'), starts: [], generation: 0 };
  });
  return { clock, rawStore, processes };
}

test('no two processes ever trust in a lease of one lock at the same moment', async () => {
  let grants = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 10, maxLength: 40 }), async (history) => {
      const world = await openWorld();
      for (const step of history) {
        await step.happen(world);
        await world.clock.advance(0);
        await assertOneHolder(world);
      }
      grants += world.processes.flatMap(({ starts }) => starts).filter((start) => start.proceed).length;
      await world.rawStore.close();
    }),
    { numRuns: 150 },
  );
  assert.ok(grants > 150, `only ${grants} grants: too little happened`);
});
