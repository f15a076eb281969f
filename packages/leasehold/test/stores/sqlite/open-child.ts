/**
 * A process of its own that opens a store once it is told to, and takes the lock that it is given.
 * Arguments: path, lock, and `stay`, to keep the store open until it is ended. Says `ready`, waits for a line,
 * answers one line of JSON.
 */
import { once } from 'node:events';
import { isLeaseholdError } from '../../../src/errors.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { startOf } from './stage.ts';

const [path = '', lock = '', stay = ''] = process.argv.slice(2);

async function take(): Promise<object> {
  try {
    const store = await openSqliteStore({ path, clock: systemClock, ids: systemIds });
    const { outcome, message } = await store.acquire(startOf(lock, { holder: `child:${process.pid}`, runId: lock }));
    if (stay === '') await store.close();
    return { outcome, message };
  } catch (error) {
    return { code: isLeaseholdError(error) ? error.code : 'OTHER', message: String(error) };
  }
}

process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdout.write(`${JSON.stringify(await take())}\n`);
if (stay === '') process.stdin.destroy();
