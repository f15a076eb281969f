/**
 * `npm run bench -- NAME`: runs `packages/leasehold/bench/NAME.bench.ts` beside PostgreSQL servers that
 * keep their promises to the disk, since a bench without fsync measures something else.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT, versions } from './check.ts';
import { makeScratch } from './scratch.ts';
import { startServers } from './test-servers.ts';

const FOLDER = join(ROOT, 'packages/leasehold/bench');
const BENCH_MS_MAX = 30 * 60_000;

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  const known = globSync('*.bench.ts', { cwd: FOLDER }).map((file) => basename(file, '.bench.ts'));
  if (name === undefined || !known.includes(name)) {
    console.error(`usage: npm run bench -- NAME, one of: ${known.toSorted().join(', ') || '(none yet)'}`);
    return 64;
  }
  using _scratch = makeScratch();
  await using servers = await startServers({ durability: 'durable' });
  console.log(`${versions()}, ${servers.versions.join(', ')}`);
  const child = spawn(process.execPath, ['--conditions=leasehold-source', join(FOLDER, `${name}.bench.ts`), ...args], {
    stdio: 'inherit',
    timeout: BENCH_MS_MAX,
  });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
  return await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main();
