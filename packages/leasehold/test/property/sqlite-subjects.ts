import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/ports/store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { CountingIds, FakeClock } from '../../src/testing/index.ts';
import type { Subject, Subjects } from './subject.ts';

/** The embedded store in memory, a new one for each sequence. */
export function sqliteSubjects(): Subjects {
  return {
    name: 'SQLite',
    async open() {
      const clock = new FakeClock();
      const store = await openSqliteStore({ path: ':memory:', clock, ids: new CountingIds() });
      return subjectOf(store, clock, () => store.close());
    },
    another: async ({ store }) => store,
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The same with a file for each sequence, which several connections can open. */
export function sqliteFileSubjects(): Subjects {
  const opened = new Map<Subject, () => Promise<Store>>();
  return {
    name: 'SQLite, file',
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'leasehold-property-'));
      const clock = new FakeClock();
      const ids = new CountingIds();
      const stores: Store[] = [];
      const connect = async (): Promise<Store> => {
        const store = await openSqliteStore({ path: join(folder, 'store.db'), clock, ids });
        stores.push(store);
        return store;
      };
      const subject = subjectOf(await connect(), clock, async () => {
        for (const store of stores) await store.close();
        rmSync(folder, { recursive: true });
      });
      opened.set(subject, connect);
      return subject;
    },
    another: (subject) => opened.get(subject)?.() ?? Promise.resolve(subject.store),
    [Symbol.asyncDispose]: async () => {},
  };
}

function subjectOf(store: Store, clock: FakeClock, close: () => Promise<void>): Subject {
  return {
    store,
    locks: ['a', 'b'],
    startMs: clock.read().wallMs,
    hasBootClock: true,
    pass: (ms) => clock.advance(ms),
    suspend: async (ms) => clock.suspend(ms),
    stepWall: async (ms) => clock.stepWall(ms),
    async restart(ms) {
      clock.stepWall(ms);
      clock.reboot(0);
    },
    close,
  };
}
