/**
 * One of many processes that increment a number in a file, behind the lock and by nothing else:
 *
 *     counter-child.ts STORE-URL FILE ROUNDS LEASE-MS
 *
 * Reading and writing are apart by a millisecond, so that whoever gets in beside the holder loses an
 * increment. Each round repeats the release of the round before, which must free nobody. Prints how
 * often each outcome was answered.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLeasehold } from '../../src/index.ts';

/** Between two asks: long enough that eight who wait leave the store to the one who works. */
const PAUSE_MS_MIN = 5;
const PAUSE_MS_SPREAD = 40;

const ASKS_MAX = 100_000;

const [url = '', file = '', rounds = '0', leaseMs = '60000'] = process.argv.slice(2);
const outcomes: Record<string, number> = {};
await using leasehold = await openLeasehold(url);
process.stdout.write('begun\n');
const lock = leasehold.lock('counter');

let previousToken: string | null = null;
let done = 0;
for (let asked = 0; done < Number(rounds) && asked < ASKS_MAX; asked += 1) {
  // One start a round, asked again until it gets the lock.
  const start = await lock.acquire({ leaseMs: Number(leaseMs), renewal: 'touch', runId: `${process.pid}-${done}` });
  outcomes[start.outcome] = (outcomes[start.outcome] ?? 0) + 1;
  if (start.outcome !== 'acquired' && start.outcome !== 'reclaimed') {
    await sleep(PAUSE_MS_MIN + Math.random() * PAUSE_MS_SPREAD);
    continue;
  }
  if (previousToken !== null) await lock.release({ token: previousToken });
  const value = Number(readFileSync(file, 'utf8'));
  await sleep(1);
  writeFileSync(file, String(value + 1));
  await start.release({ status: 'success' });
  previousToken = start.token;
  done += 1;
}
process.stdout.write(JSON.stringify({ done, outcomes }));
