/** A program that renews while its connections are cut, and has no handler for what it doesn't expect: `cut-connection-child.ts URL`. */
import { isLeaseholdError } from '../../../src/errors.ts';
import { openStore, start } from './database.ts';

const [url = ''] = process.argv.slice(2);
const store = await openStore(url);
const held = await store.acquire(start('cut'));
process.stdout.write('held\n');
const { token } = held as { token: string };
for (let asked = 0; asked < 40; asked += 1) {
  try {
    await store.renew({ lock: 'cut', token, leaseMs: null, progress: null, holderInfo: null }, { timeoutMs: 2_000 });
  } catch (error) {
    if (!isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;
  }
}
await store.close();
