/** Guards of the duties at a command's end, taken out one at a time. */
import { describeMutants } from '../mutation.ts';

const CLI = 'test/cli/upkeep.test.ts';
const ENGINE = 'test/engine/upkeep.test.ts';
const NEXT_SLOT = 'test/engine/next-slot.test.ts';

describeMutants('watching and retention', [
  {
    broken: 'a file that can’t be read counts as one that says nothing',
    file: 'src/cli/upkeep.ts',
    replace: '  } catch {\n    return null;\n  }',
    by: '  } catch {\n    return RETENTION_DEFAULT;\n  }',
    testFile: CLI,
    fails: 'is not done where the file that says it can’t be read',
  },
  {
    broken: 'a command fails where its duties do',
    file: 'src/cli/upkeep.ts',
    replace: '  } catch {\n    // Done again by the next command.\n  }',
    by: '  } catch (error) {\n    throw error;\n  }',
    testFile: CLI,
    fails: 'a command that can do nothing for its store ends as it would have',
  },
  {
    broken: 'a short lease is let pass',
    file: 'src/domain/advise.ts',
    replace: 'sample === null || leaseMs >= sample.slowestMs ? null',
    by: 'sample === null || leaseMs > 0 ? null',
    testFile: CLI,
    fails: 'a lease that is below the slowest run is said at acquire, and the lock is held all the same (C29)',
  },
  {
    broken: 'a duty goes on after its time',
    file: 'src/engine/upkeep.ts',
    replace: 'if (leftMs < 1 || !(await',
    by: 'if (!(await',
    testFile: ENGINE,
    fails: 'they stop when their time is over, and each call has what is left of it',
  },
  {
    broken: 'rows of today may be taken',
    file: 'src/domain/retention.ts',
    replace: 'value >= RETENTION_MS_MIN && ',
    by: '',
    testFile: ENGINE,
    fails: 'less than a day is refused before any store hears of it, as is what is no number',
  },
  {
    broken: 'the second pass of a repeated hour is a slot of its own',
    file: 'src/engine/next-slots.ts',
    replace: 'const slot = schedule.slotOf(at);',
    by: 'const slot = at;',
    testFile: NEXT_SLOT,
    fails: 'an hour that is repeated is one slot for fixed times: its second pass is no later slot',
  },
  {
    broken: 'the store’s next slot stands although its schedule can’t be read',
    file: 'src/engine/next-slots.ts',
    replace: 'nextSlotAt: known.get(key) ?? null',
    by: 'nextSlotAt: known.get(key) ?? status.nextSlotAt',
    testFile: NEXT_SLOT,
    fails: 'a schedule that was stored and can’t be read gives no next slot',
  },
]);
