/**
 * A PostgreSQL server crashes and is away for 5 s while commands run, and others end, and others want to start.
 *
 * Clock: the real one; a lease of 3 s is lost in it, one of a minute isn't. Verdict: the place that the commands enter.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Running, until } from '../cli/command-line.ts';
import type { PostgresServer } from '../postgres-server.ts';
import { openPlace, type Place, STUBBORN, UNTIL_TOLD } from './place.ts';

export function start(bench: Bench, place: Place, lock: string, options: readonly string[], script: string): Running {
  return bench.start(['run', lock, ...options, '--', ...place.command(script)]);
}

export async function ready(...running: Running[]): Promise<void> {
  for (const each of running) await until('it runs', () => each.stdout().includes('ready '));
}

/** Each run and each start goes as its options say, and nothing runs twice. `bench` has a store of that server, migrated. */
export async function sitOutCrash(server: PostgresServer, bench: Bench): Promise<void> {
  await using places = new AsyncDisposableStack();
  const place = async (): Promise<Place> => places.use(await openPlace());
  const [stop, warn, long, ends, early] = [await place(), await place(), await place(), await place(), await place()];

  const stopped = start(bench, stop, 'stop', ['--lease', '3s'], STUBBORN);
  const warned = start(bench, warn, 'warn', ['--lease', '3s', '--on-lost', 'warn'], STUBBORN);
  const undisturbed = start(bench, long, 'long', ['--lease', '1m'], STUBBORN);
  const ended = start(bench, ends, 'ends', ['--lease', '1m', '--slot', '2026-01-01T00:00:00Z'], UNTIL_TOLD);
  await ready(stopped, warned, undisturbed, ended);
  await server.kill();
  ended.kill('SIGUSR1');

  const refused = await bench.run(['run', 'early', '--', ...early.command('exit 0')]);
  assert.deepEqual([refused.code, early.entered], [69, 0], 'fail closed');
  assert.match(refused.stderr, /nothing was started/);
  const patient = start(bench, early, 'early', ['--store-wait', '30s'], 'exit 0');
  // Whose wrapper still tries to release what it has given up.
  const patience = ['--store-wait', '30s', '--on-busy', 'wait', '--wait', '20s'];
  const again = start(bench, stop, 'stop', ['--lease', '3s', ...patience], 'exit 0');
  await sleep(5_000 - 500);
  assert.deepEqual([stop.now, warn.now, long.now, early.entered], [0, 1, 1, 0]);
  await server.start();

  assert.equal((await stopped.ended).code, 77, stopped.stderr());
  assert.equal((await patient.ended).code, 0, patient.stderr());
  assert.equal((await again.ended).code, 0, again.stderr());
  assert.match(again.stderr(), /waiting for it for at most 30s/);
  assert.deepEqual([stop.most, stop.entered, early.entered], [1, 2, 1]);
  for (const each of [warned, undisturbed]) each.kill('SIGUSR1');
  assert.equal((await warned.ended).code, 4, warned.stderr());
  assert.match(warned.stderr(), /after its lease had ended; nobody had taken it/);
  assert.deepEqual([(await undisturbed.ended).code, undisturbed.stderr().match(/stopping/)], [4, null]);
  assert.deepEqual([(await ended.ended).code, ended.stderr()], [0, ''], 'its release was tried again');
  const repeat = await bench.run(['run', 'ends', '--slot', '2026-01-01T00:00:00Z', '--', ...ends.command('exit 0')]);
  assert.deepEqual([repeat.code, ends.entered], [76, 1], 'its success counts: not run as "never started"');
}
