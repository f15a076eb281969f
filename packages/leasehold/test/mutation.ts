/**
 * Negative controls. A test that has never failed proves little: here a guard is taken out of a copy
 * of the source, and the test that stands for it must be seen failing.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const PACKAGE = join(import.meta.dirname, '..');
const NODE_MODULES = join(PACKAGE, '../../node_modules');
const RUN_MS_MAX = 60_000;
const TEST_MS_MAX = 10_000;

/** One guard taken out. Paths are relative to the package. */
export interface Mutant {
  /** What is broken, as a fact: `trust counts from the answer, not from the request`. */
  readonly broken: string;
  readonly file: string;
  /** Text that stands in the file exactly once … */
  readonly replace: string;
  /** … and what takes its place. */
  readonly by: string;
  readonly testFile: string;
  /** The name of the test that must fail. */
  readonly fails: string;
}

/**
 * Registers a test for each mutant, and one for each test file that shows that the named tests pass
 * in an unbroken copy: otherwise a copy that can't run at all would count as caught.
 */
export function describeMutants(about: string, mutants: readonly Mutant[]): void {
  describeCopies(about, mutants, 1);
}

/** The same two at once: for tests that start no processes and wait for no clock, which another one would hold up. */
export function describeMutantsInPairs(about: string, mutants: readonly Mutant[]): void {
  describeCopies(about, mutants, 2);
}

function describeCopies(about: string, mutants: readonly Mutant[], concurrency: number): void {
  describe(`negative controls: ${about}`, { concurrency }, () => {
    for (const [testFile, own] of Map.groupBy(mutants, (mutant) => mutant.testFile)) {
      const names = [...new Set(own.map((mutant) => mutant.fails))];
      test(`the tests meant pass in a copy that is not broken (${testFile})`, async () => {
        await using copy = await copyPackage();
        const { passed, output } = await runTests(copy.folder, testFile, names);
        for (const name of names) assert.ok(passed.includes(name), `"${name}" did not pass\n${output}`);
      });
    }
    for (const mutant of mutants) {
      test(`"${mutant.fails}" is seen failing when ${mutant.broken}`, async () => {
        await using copy = await copyPackage();
        await breakGuard(join(copy.folder, mutant.file), mutant);
        const { failed, output } = await runTests(copy.folder, mutant.testFile, [mutant.fails]);
        assert.ok(failed.includes(mutant.fails), `"${mutant.fails}" did not fail\n${output}`);
      });
    }
  });
}

async function copyPackage(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'leasehold-mutant-'));
  for (const part of ['src', 'test', 'package.json']) {
    await cp(join(PACKAGE, part), join(folder, part), { recursive: true });
  }
  await symlink(NODE_MODULES, join(folder, 'node_modules'), 'junction');
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function breakGuard(path: string, { replace, by }: Mutant): Promise<void> {
  const parts = (await readFile(path, 'utf8')).split(replace);
  assert.equal(parts.length, 2, `the text to replace stands ${parts.length - 1} times in the file: ${replace}`);
  await writeFile(path, parts.join(by));
}

interface TestRun {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly output: string;
}

/** Runs only the named tests of a file, in a process of their own. */
async function runTests(folder: string, testFile: string, names: readonly string[]): Promise<TestRun> {
  const patterns = names.map((name) => `--test-name-pattern=^${escapePattern(name)}$`);
  const args = ['--test-reporter=tap', `--test-timeout=${TEST_MS_MAX}`, ...patterns, join(folder, testFile)];
  // Without this the child would think that it is a file of the run that we are in.
  const { NODE_TEST_CONTEXT: _unset, ...env } = process.env;
  const output = await outputOf(spawn(process.execPath, args, { cwd: folder, env, timeout: RUN_MS_MAX }));
  const results = [...output.matchAll(/^\s*(not ok|ok) \d+ - (.*?)(?: # .*)?$/gm)];
  const namesOf = (word: string): string[] =>
    results.filter(([, result]) => result === word).map(([, , name = '']) => name.replaceAll(/\\([\\#])/g, '$1'));
  return { passed: namesOf('ok'), failed: namesOf('not ok'), output };
}

function escapePattern(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

async function outputOf(child: ReturnType<typeof spawn>): Promise<string> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  return output;
}
