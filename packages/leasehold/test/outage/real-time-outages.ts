/**
 * Outages of PostgreSQL that take their real time, with leases as people have them. Nothing is scaled and no clock is
 * moved: what `postgres.test.ts` shows in seconds is shown here as it will be seen.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBench, until } from '../cli/command-line.ts';
import { createDatabase } from '../postgres.ts';
import type { Weather } from './bad-line.ts';
import { stubbornFor } from './place.ts';
import { countIn, openScene } from './scene.ts';

export interface RealOutage {
  readonly seconds: number;
  readonly leaseSeconds: number;
  readonly weather: Exclude<Weather, 'clear'>;
  readonly onLost: 'stop' | 'warn';
}

/** How long after an outage a run and its rival may need for their end. */
const REST_SECONDS = 100;

/** All at once: they do nothing but wait. */
export function describeRealOutages(name: string, outages: readonly RealOutage[]): void {
  describe(name, { concurrency: true }, () => {
    for (const outage of outages) {
      const { seconds, leaseSeconds, weather, onLost } = outage;
      const isLost = seconds > leaseSeconds;
      const what = isLost ? (onLost === 'stop' ? 'is stopped in time' : 'goes on, told once') : 'is not disturbed';
      it(`${seconds} s, the line ${weather}, ${onLost}: a run with a lease of ${leaseSeconds} s ${what}`, async () => {
        await sitOut(outage, isLost);
      });
    }
  });
}

async function sitOut({ seconds, leaseSeconds, weather, onLost }: RealOutage, isLost: boolean): Promise<void> {
  await using database = await createDatabase(18);
  await using bench = openBench(database.url);
  await using scene = await openScene(bench, 'a', (seconds + 2 * REST_SECONDS) * 1_000);
  assert.equal((await bench.run(['migrate'])).code, 0);
  const lease = ['--lease', `${leaseSeconds}s`];
  const running = await scene.hold([...lease, '--on-lost', onLost], stubbornFor(seconds + REST_SECONDS));
  // The wrapper lives on for its tries to release. Of one whose command is not known that would be a sign of life.
  await until('the store knows of the command', async () =>
    JSON.stringify(await bench.json(['status', 'a'])).includes('childGroup'),
  );
  const isRivalled = onLost === 'stop' && isLost;
  const rival = isRivalled ? scene.rival([...lease, '--wait', `${seconds}s`]) : null;
  await scene.line.become(weather);
  await sleep(seconds * 1_000);
  const { now, most, entered } = scene.place;
  const seen = `entered ${entered}; ${running.stderr()}; rival: ${rival?.stderr()}`;
  assert.deepEqual({ now, most }, { now: isRivalled ? 0 : 1, most: 1 }, seen);
  await scene.line.become('clear');
  if (!isRivalled) running.kill('SIGUSR1');
  const { code, stderr } = await running.ended;
  assert.equal(code, isRivalled ? 77 : 4, stderr);
  assert.equal(countIn(stderr, /could not be renewed/), 1, stderr);
  assert.equal(countIn(stderr, /not renewed in time/), isLost ? 1 : 0, stderr);
  if (rival !== null) {
    const ended = await rival.ended;
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stderr, /Reclaimed stale lease/);
    assert.deepEqual([scene.place.most, scene.place.entered], [1, 2]);
  } else if (isLost) assert.match(stderr, /after its lease had ended; nobody had taken it/);
  const status = (await bench.json<{ status: string | null }>(['runs', 'a'])).at(-1)?.status;
  // A run that was stopped tries for ten seconds more to say what became of it, then says that on stderr.
  assert.equal(status, isRivalled ? null : 'failure');
  assert.equal(countIn(stderr, /could not release lock "a"/), isRivalled ? 1 : 0, stderr);
}
