/** Runs sequences on a store: the seed and the number of runs are printed, and both can be given. */
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { type Command, type CommandOptions, sequences } from './commands.ts';
import { type Judge, Play } from './play.ts';
import type { Subjects } from './subject.ts';

export interface PropertyOptions extends CommandOptions {
  /** How many sequences, where LEASEHOLD_PROPERTY_RUNS doesn't say so. */
  readonly runs: number;
}

/** Fails with fast-check's report: the seed, the path and the shortest sequence that it found. Answers what came up. */
export async function checkSequences(
  context: TestContext,
  subjects: Subjects,
  options: PropertyOptions,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const parameters = parametersOf(options.runs);
  context.diagnostic(`${subjects.name}: seed ${parameters.seed}, ${parameters.numRuns} sequences`);
  const result = await playSequences(subjects, options, parameters, { judge: 'both', seen });
  if (result.failed) {
    const report = fc.defaultReportMessage(result) ?? '';
    throw new Error(`${report}\n${howToReplay(result.seed, result.counterexamplePath)}`, {
      cause: result.errorInstance,
    });
  }
  return seen;
}

/** Plays sequences until one fails or all are through. */
export function playSequences(
  subjects: Subjects,
  options: CommandOptions,
  parameters: SeededParameters,
  { judge, seen }: { readonly judge: Judge; readonly seen: Set<string> },
): Promise<fc.RunDetails<[Command[]]>> {
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
  return fc.check(property, parameters);
}

export interface SeededParameters {
  readonly seed: number;
  readonly numRuns: number;
  readonly path?: string;
  /** True where it matters whether it fails, and not the shortest way to it. */
  readonly endOnFailure?: boolean;
}

/** LEASEHOLD_PROPERTY_SEED, _PATH and _RUNS; without a seed another one each time. */
export function parametersOf(runs: number): SeededParameters {
  const given = Number(process.env['LEASEHOLD_PROPERTY_SEED']);
  const seed = Number.isSafeInteger(given) && given !== 0 ? given : Math.floor(Math.random() * 2 ** 31) + 1;
  const asked = Number(process.env['LEASEHOLD_PROPERTY_RUNS']);
  const numRuns = Number.isSafeInteger(asked) && asked > 0 ? asked : runs;
  const path = process.env['LEASEHOLD_PROPERTY_PATH'];
  return { seed, numRuns, ...(path === undefined ? {} : { path }) };
}

export function howToReplay(seed: number, path: string | null): string {
  return `Again: LEASEHOLD_PROPERTY_SEED=${seed} LEASEHOLD_PROPERTY_PATH=${path ?? ''}`;
}
