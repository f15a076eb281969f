import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { CountingIds, FakeClock } from '../../src/testing/index.ts';
import type { Subjects } from './subject.ts';

/** The embedded store in memory, a new one for each sequence. */
export function sqliteSubjects(): Subjects {
  return {
    name: 'SQLite',
    async open() {
      const clock = new FakeClock();
      const store = await openSqliteStore({ path: ':memory:', clock, ids: new CountingIds() });
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
        close: () => store.close(),
      };
    },
    end: async () => {},
  };
}
