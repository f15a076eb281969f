/**
 * Negative controls. A test that has never failed proves little: here a guard is taken out of a copy
 * of the source, and the test that stands for it must be seen failing.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

const PACKAGE = join(import.meta.dirname, '..');
const NODE_MODULES = join(PACKAGE, '../../node_modules');
const RUN_MS_MAX = 60_000;
const TEST_MS_MAX = 10_000;
/** A process of the command line that a guard would have ended hangs without it: waiting 30 s for that shows no more than this does. */
const END_MS_MAX = 6_000;

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
        const { passed, output } = await COPIES.use((folder) => runTests(folder, testFile, names));
        for (const name of names) assert.ok(passed.includes(name), `"${name}" did not pass\n${output}`);
      });
    }
    for (const mutant of mutants) {
      test(`"${mutant.fails}" is seen failing when ${mutant.broken}`, async () => {
        const { failed, output } = await COPIES.use((folder) => runBroken(folder, mutant));
        assert.ok(failed.includes(mutant.fails), `"${mutant.fails}" did not fail\n${output}`);
      });
    }
  });
}

/**
 * Copies of the package, as many as are in use at once. One is used again once it is whole again: what Node.js has compiled
 * it keeps by the path of a file, so that only the broken file is compiled anew.
 */
class Copies {
  readonly #all: string[] = [];
  readonly #free: string[] = [];

  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = this.#free.pop() ?? (await this.#make());
    const result = await work(folder);
    // Not where it failed: that copy may still be broken.
    this.#free.push(folder);
    return result;
  }

  async #make(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'leasehold-mutant-'));
    this.#all.push(folder);
    for (const part of ['src', 'test', 'package.json']) {
      await cp(join(PACKAGE, part), join(folder, part), { recursive: true });
    }
    await symlink(NODE_MODULES, join(folder, 'node_modules'), 'junction');
    return folder;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#all.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
  }
}

const COPIES = new Copies();
after(() => COPIES.remove());

async function runBroken(folder: string, mutant: Mutant): Promise<TestRun> {
  const path = join(folder, mutant.file);
  const whole = await breakGuard(path, mutant);
  const run = await runTests(folder, mutant.testFile, [mutant.fails]);
  await writeFile(path, whole);
  return run;
}

/** Answers what stood there. */
async function breakGuard(path: string, { replace, by }: Mutant): Promise<string> {
  const whole = await readFile(path, 'utf8');
  const parts = whole.split(replace);
  assert.equal(parts.length, 2, `the text to replace stands ${parts.length - 1} times in the file: ${replace}`);
  await writeFile(path, parts.join(by));
  return whole;
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
  const { NODE_TEST_CONTEXT: _unset, ...own } = process.env;
  const env = { ...own, LEASEHOLD_TEST_END_MS_MAX: String(END_MS_MAX) };
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
