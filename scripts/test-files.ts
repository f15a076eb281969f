/** Runs test files with node:test, bounds each in time, and counts what they did. */
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ROOT } from './check.ts';
import { phasesOf, type Phase, type Tier } from './tiers.ts';

export interface RunOptions {
  readonly tier: Tier;
  readonly namePatterns: readonly string[];
  readonly stop: AbortSignal;
}

export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What is wrong besides failed tests, a sentence each. */
  readonly complaints: readonly string[];
  readonly slowest: readonly { file: string; seconds: number }[];
  readonly ok: boolean;
}

/** What node:test says of a test, as far as it is used here. A file is a test too: one named like its file. */
interface TestEvent {
  readonly name: string;
  readonly file?: string | undefined;
  readonly skip?: string | boolean | undefined;
  readonly details?: { readonly duration_ms?: number; readonly type?: string | undefined };
}

/** node:test's account of one file, or of all where `file` is missing; it also knows of suites that failed by themselves. */
interface Summary {
  readonly file?: string | undefined;
  readonly success: boolean;
  readonly counts: { readonly tests: number };
}

/** A test over the limit is node:test's to fail; only a file that can't even do that ends the run. */
const FILE_MARGIN_MS = 20_000;
const SLOW_SECONDS = 5;
const SLOWEST_SHOWN = 5;

/**
 * Runs the files, a process each, and prints node:test's own report. A run in which no test ran has
 * failed, and so has a file without one (unless only some names were asked for): an emptied file must
 * not pass for a green one. A file that hangs ends the run, since node:test would wait for ever.
 */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<TestResult> {
  const { tier, namePatterns } = options;
  const hung = new AbortController();
  const stop = AbortSignal.any([options.stop, hung.signal]);
  const count = new Count();
  const limitMs = Math.min(tier.fileMsMax + FILE_MARGIN_MS, tier.totalMsMax);
  const limits = new Limits(limitMs, (file) =>
    hung.abort(new Error(`${relative(ROOT, file)} took more than ${limitMs / 1_000} s`)),
  );
  for (const phase of phasesOf(tier, files)) {
    if (stop.aborted) break;
    await runPhase(phase, { ...options, stop }, count, limits);
  }
  limits.clear();
  return resultOf(count, stop, namePatterns.length === 0 ? files : []);
}

async function runPhase(phase: Phase, options: RunOptions, count: Count, limits: Limits): Promise<void> {
  const { tier, namePatterns, stop } = options;
  const stream = run({
    files: phase.files.map((file) => join(ROOT, file)),
    concurrency: phase.concurrency,
    timeout: tier.fileMsMax,
    signal: stop,
    execArgv: ['--conditions=leasehold-source'],
    ...(namePatterns.length === 0 ? {} : { testNamePatterns: [...namePatterns] }),
  });
  stream.on('test:dequeue', (test: TestEvent) => {
    if (isFile(test)) limits.begin(test.name);
  });
  stream.on('test:complete', (test: TestEvent) => {
    if (!isFile(test)) return;
    limits.end(test.name);
    count.fileEnded(test);
  });
  stream.on('test:pass', (test: TestEvent) => count.passed(test));
  stream.on('test:fail', (test: TestEvent) => count.failed(test));
  stream.on('test:summary', (summary: Summary) => count.summed(summary));
  for await (const text of stream.compose(spec)) process.stdout.write(text);
}

/** Tells of each file that has not ended in time. */
class Limits {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #limitMs: number;
  readonly #tell: (file: string) => void;

  constructor(limitMs: number, tell: (file: string) => void) {
    this.#limitMs = limitMs;
    this.#tell = tell;
  }

  begin(file: string): void {
    this.#timers.set(
      file,
      setTimeout(() => this.#tell(file), this.#limitMs),
    );
  }

  end(file: string): void {
    clearTimeout(this.#timers.get(file));
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}

function isFile(test: TestEvent): boolean {
  return test.file !== undefined && test.name === test.file;
}

class Count {
  readonly tests = { passed: 0, failed: 0, skipped: 0 };
  readonly filesWithTests = new Set<string>();
  readonly secondsByFile = new Map<string, number>();
  /** Of each phase that has told how it went. */
  readonly #successes: boolean[] = [];

  get isSuccess(): boolean {
    return this.#successes.length > 0 && this.#successes.every(Boolean);
  }

  passed(test: TestEvent): void {
    if (isFile(test) || test.details?.type === 'suite') return;
    this.tests[test.skip === undefined || test.skip === false ? 'passed' : 'skipped'] += 1;
  }

  /** A file that fails as a whole, at its import, counts: nothing else would tell of it. */
  failed(test: TestEvent): void {
    if (test.details?.type === 'suite') return;
    this.tests.failed += 1;
    if (isFile(test)) this.filesWithTests.add(relative(ROOT, test.name));
  }

  fileEnded(test: TestEvent): void {
    this.secondsByFile.set(relative(ROOT, test.name), (test.details?.duration_ms ?? 0) / 1_000);
  }

  /** A file's own summary, since its tests may be declared in another file; then the one of the whole phase. */
  summed(summary: Summary): void {
    if (summary.file === undefined) this.#successes.push(summary.success);
    else if (summary.counts.tests > 0) this.filesWithTests.add(relative(ROOT, summary.file));
  }
}

/** `expected` are the files of which each must have run a test. */
function resultOf(count: Count, stop: AbortSignal, expected: readonly string[]): TestResult {
  const complaints: string[] = [];
  const { passed, failed, skipped } = count.tests;
  if (stop.aborted) complaints.push(`not finished: ${stop.reason instanceof Error ? stop.reason.message : 'stopped'}`);
  if (!count.isSuccess && failed === 0) complaints.push('a suite failed outside its tests; its report is above');
  if (passed + failed === 0) complaints.push('no test ran');
  const empty = expected.filter((file) => !count.filesWithTests.has(file));
  if (!stop.aborted) complaints.push(...empty.map((file) => `no test ran in ${file}`));
  const slowest = [...count.secondsByFile]
    .map(([file, seconds]) => ({ file, seconds }))
    .filter(({ seconds }) => seconds >= SLOW_SECONDS)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_SHOWN);
  return { passed, failed, skipped, complaints, slowest, ok: failed === 0 && complaints.length === 0 };
}
