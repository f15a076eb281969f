/**
 * `npm test`, `npm run ci`, `npm run long`: runs one tier of tests, or the files named.
 *
 *     run-tests.ts TIER [FILE or FOLDER …] [--test-name-pattern TEXT]
 *
 * 1. Checks the source (whole `test` tier) or brings Debian's packages (whole `ci` tier).
 * 2. Starts the oldest and the newest supported PostgreSQL, once for all files.
 * 3. Runs the files with node:test, each in a process of its own, all bounded in time.
 * 4. Says what ran, how long it took against the tier's budget, and what the tests left behind.
 *
 * The servers end with this process however it ends (`postgres-keeper.ts`); temporary files of the
 * tests live in one folder that is deleted on every way out but SIGKILL.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { checkSource, ROOT, versions } from './check.ts';
import { makeScratch, type Scratch } from './scratch.ts';
import { runFiles } from './test-files.ts';
import { startServers } from './test-servers.ts';
import { filesOf, TIERS, type Tier, type TierName, tierOf } from './tiers.ts';

const PUT_AWAY_MS_MAX = 15_000;

interface Selection {
  readonly tier: Tier;
  readonly files: readonly string[];
  /** False where files or names were asked for: then nothing else is checked. */
  readonly isWhole: boolean;
  readonly namePatterns: readonly string[];
}

function selection(): Selection {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'test-name-pattern': { type: 'string', multiple: true } },
  });
  const [tierName = '', ...paths] = positionals;
  if (!Object.hasOwn(TIERS, tierName))
    throw new Error(`unknown tier "${tierName}"; one of ${Object.keys(TIERS).join(', ')}`);
  const tier = TIERS[tierName as TierName];
  const namePatterns = values['test-name-pattern'] ?? [];
  const files = paths.length === 0 ? filesOf(tier.name, ROOT) : paths.flatMap(filesAt);
  return { tier, files, namePatterns, isWhole: paths.length === 0 && namePatterns.length === 0 };
}

/** The test files that a path means, relative to the repository: itself, or those in a folder, of its own tier. */
function filesAt(path: string): string[] {
  const bases = [ROOT, process.env['INIT_CWD'] ?? ROOT, join(ROOT, 'packages/leasehold')];
  const found = bases.map((base) => resolve(base, path)).find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`no such test file: ${path}`);
  if (!statSync(found).isDirectory()) return [relative(ROOT, found)];
  const inside = globSync('**/*.test.ts', { cwd: found }).map((file) => relative(ROOT, join(found, file)));
  const tier = tierOf(`${relative(ROOT, found)}/`);
  const files = inside.filter((file) => tierOf(file) === tier).toSorted();
  if (files.length === 0) throw new Error(`no test file in ${path}`);
  return files;
}

/** What a whole tier needs before its tests; answers what is wrong, or null. */
async function prepare(tier: Tier): Promise<string | null> {
  if (tier.name === 'test') {
    const failed = await checkSource({ tidy: false });
    return failed.length === 0 ? null : `failed: ${failed.join(', ')}; no test was run`;
  }
  if (tier.name !== 'ci') return null;
  const script = join(ROOT, 'scripts/install-ci-packages.sh');
  const installed = spawnSync('sh', [script], { stdio: ['ignore', 'inherit', 'inherit'], timeout: 10 * 60_000 });
  return installed.status === 0 ? null : `${script} failed; no test was run`;
}

/**
 * The signal that ends the run: the tier's limit, or SIGINT, SIGTERM, SIGHUP. Everything is put away
 * then, which must be quick; a second signal, or a test that won't end, ends the process all the same.
 */
function stopSignal(tier: Tier): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort(new Error(`stopped by ${signal}`));
    });
  }
  const limit = setTimeout(() => controller.abort(new Error('the tier took too long')), tier.totalMsMax);
  limit.unref();
  controller.signal.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), PUT_AWAY_MS_MAX).unref();
  });
  return controller.signal;
}

async function runTier(chosen: Selection, scratch: Scratch, stop: AbortSignal): Promise<boolean> {
  await using servers = await startServers();
  stop.throwIfAborted();
  console.log(`${versions()}, ${servers.versions.join(', ')}\n`);
  const result = await runFiles(chosen.files, { tier: chosen.tier, namePatterns: chosen.namePatterns, stop });
  for (const entry of scratch.leftBehind()) console.log(`left behind in the temporary folder: ${entry}`);
  for (const { file, seconds } of result.slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  for (const complaint of result.complaints) console.log(complaint);
  console.log(`\n${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`);
  return result.ok;
}

async function main(): Promise<boolean> {
  const startedAt = performance.now();
  const chosen = selection();
  const stop = stopSignal(chosen.tier);
  if (chosen.isWhole) {
    console.log(versions());
    const wrong = await prepare(chosen.tier);
    if (wrong !== null) {
      console.log(wrong);
      return false;
    }
  }
  using scratch = makeScratch();
  const ok = await runTier(chosen, scratch, stop);
  const tookMs = performance.now() - startedAt;
  console.log(`${chosen.isWhole ? `tier "${chosen.tier.name}"` : 'the files named'}: ${spent(tookMs, chosen)}`);
  return ok;
}

function spent(tookMs: number, { tier, isWhole }: Selection): string {
  const took = `${(tookMs / 60_000).toFixed(1)} min`;
  if (!isWhole || tier.name === 'long') return took;
  const budget = `${tier.budgetMs / 60_000} min`;
  return tookMs > tier.budgetMs ? `${took}, OVER its budget of ${budget}` : `${took} of ${budget}`;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
