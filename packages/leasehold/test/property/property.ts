/** Runs sequences on a store: the seed and the number of runs are printed, and both can be given. */
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { batches, CALLS_AT_ONCE_MAX } from './batches.ts';
import { type Command, type CommandOptions, sequences } from './commands.ts';
import { ConcurrentPlay } from './concurrent-play.ts';
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
  assertPassed(await playSequences(subjects, options, parameters, { judge: 'both', seen }));
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

/** Plays batches of calls at once. Answers how many sequences were played, and how many ended early. */
export async function checkBatches(
  context: TestContext,
  subjects: Subjects,
  options: PropertyOptions,
): Promise<{ readonly played: number; readonly cut: number }> {
  const parameters = parametersOf(options.runs);
  context.diagnostic(`${subjects.name}: seed ${parameters.seed}, ${parameters.numRuns} sequences of batches`);
  let played = 0;
  let cut = 0;
  const property = fc.asyncProperty(batches(options), async (sequence) => {
    const subject = await subjects.open();
    const clients = await Promise.all(Array.from({ length: CALLS_AT_ONCE_MAX }, () => subjects.another(subject)));
    try {
      const play = new ConcurrentPlay(subject, clients);
      played += 1;
      for (const batch of sequence) {
        if (await play.step(batch)) continue;
        cut += 1;
        break;
      }
    } finally {
      await subject.close();
    }
  });
  assertPassed(await fc.check(property, parameters));
  return { played, cut };
}

/** Fails with fast-check's report and how to have the same again. */
export function assertPassed<Args>(result: fc.RunDetails<Args>): void {
  if (!result.failed) return;
  const report = fc.defaultReportMessage(result) ?? '';
  const again = `LEASEHOLD_PROPERTY_SEED=${result.seed} LEASEHOLD_PROPERTY_PATH=${result.counterexamplePath ?? ''}`;
  throw new Error(`${report}\nAgain: ${again}`, { cause: result.errorInstance });
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
