/** Runs sequences on a store: the seed and the number of runs are printed, and both can be given. */
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { type CommandOptions, sequences } from './commands.ts';
import { type Judge, Play } from './play.ts';
import type { Subjects } from './subject.ts';

export interface PropertyOptions extends CommandOptions {
  /** How many sequences, where LEASEHOLD_PROPERTY_RUNS doesn't say so. */
  readonly runs: number;
}

const JUDGES: readonly Judge[] = ['model', 'invariants', 'both'];

/** Fails with fast-check's report: the seed, the path and the shortest sequence that it found. Answers what came up. */
export async function checkSequences(
  context: TestContext,
  subjects: Subjects,
  options: PropertyOptions,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const judge = JUDGES.find((each) => each === process.env['LEASEHOLD_PROPERTY_JUDGE']) ?? 'both';
  const parameters = parametersOf(options.runs);
  context.diagnostic(`${subjects.name}: seed ${parameters.seed}, ${parameters.numRuns} sequences`);
  const property = fc.asyncProperty(sequences(options), async (sequence) => {
    const subject = await subjects.open();
    try {
      const play = new Play(subject, judge, seen);
      for (const command of sequence) await play.step(command);
      await play.end();
    } finally {
      await subject.close();
    }
  });
  const result = await fc.check(property, parameters);
  if (result.failed) {
    const report = fc.defaultReportMessage(result) ?? '';
    throw new Error(`${report}\n${howToReplay(result.seed, result.counterexamplePath)}`, {
      cause: result.errorInstance,
    });
  }
  return seen;
}

export interface SeededParameters {
  readonly seed: number;
  readonly numRuns: number;
  readonly path?: string;
  readonly endOnFailure: boolean;
}

/** LEASEHOLD_PROPERTY_SEED, _PATH and _RUNS; without a seed another one each time. */
export function parametersOf(runs: number): SeededParameters {
  const given = Number(process.env['LEASEHOLD_PROPERTY_SEED']);
  const seed = Number.isSafeInteger(given) && given !== 0 ? given : Math.floor(Math.random() * 2 ** 31) + 1;
  const asked = Number(process.env['LEASEHOLD_PROPERTY_RUNS']);
  const numRuns = Number.isSafeInteger(asked) && asked > 0 ? asked : runs;
  const path = process.env['LEASEHOLD_PROPERTY_PATH'];
  // A negative control wants to know whether it fails, and not the shortest way to it.
  const endOnFailure = process.env['LEASEHOLD_PROPERTY_SHRINK'] === '0';
  return { seed, numRuns, endOnFailure, ...(path === undefined ? {} : { path }) };
}

export function howToReplay(seed: number, path: string | null): string {
  return `Again: LEASEHOLD_PROPERTY_SEED=${seed} LEASEHOLD_PROPERTY_PATH=${path ?? ''}`;
}
