/**
 * `npm run check`: everything that can be said about the source without running it, in a few seconds.
 * `npm test` starts with the same steps.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

export const ROOT: string = join(import.meta.dirname, '..');
const TIDY_TESTS = 'packages/*/test/tidy/**/*.test.ts';
const STEP_MS_MAX = 120_000;

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const SOURCE_STEPS: readonly Step[] = [
  { name: 'format', command: 'biome', args: ['format', '--colors=off'] },
  { name: 'lint', command: 'oxlint', args: ['--deny-warnings'] },
  { name: 'types, as published', command: 'tsc', args: ['-p', 'packages/leasehold/tsconfig.build.json', '--noEmit'] },
  { name: 'types, with tests', command: 'tsc', args: ['-p', 'packages/leasehold'] },
  { name: 'types of scripts', command: 'tsc', args: ['-p', '.'] },
];

/** The files are named one by one: a pattern that matches nothing would pass. */
function tidyStep(): Step {
  const files = globSync(TIDY_TESTS, { cwd: ROOT });
  if (files.length === 0) throw new Error(`no file matches ${TIDY_TESTS}`);
  return { name: 'tidy', command: 'node', args: ['--test', '--test-reporter=dot', ...files] };
}

/** Node.js, TypeScript and SQLite that everything here runs on. */
export function versions(): string {
  const manifest = readFileSync(join(ROOT, 'node_modules/typescript/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return `Node.js ${process.versions.node}, TypeScript ${version}, SQLite ${process.versions.sqlite ?? 'missing'}`;
}

/** Runs the steps one after another, all of them, and answers the names of those that failed. */
export async function checkSource(options: { tidy: boolean }): Promise<string[]> {
  const failed: string[] = [];
  for (const step of options.tidy ? [...SOURCE_STEPS, tidyStep()] : SOURCE_STEPS) {
    const startedAt = performance.now();
    const { passed, output } = await run(step);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${passed ? 'ok    ' : 'FAILED'}  ${step.name} (${seconds} s)`);
    if (passed) continue;
    console.log(output);
    failed.push(step.name);
  }
  return failed;
}

function run(step: Step): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: STEP_MS_MAX,
      shell: process.platform === 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', (error) => resolve({ passed: false, output: error.message }));
    child.once('close', (code) => resolve({ passed: code === 0, output }));
  });
}

if (import.meta.main) {
  console.log(versions());
  const failed = await checkSource({ tidy: true });
  if (failed.length > 0) {
    console.log(`failed: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}
