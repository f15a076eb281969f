import type { Judge } from './play.ts';
import { playSequences } from './property.ts';
import type { Subjects } from './subject.ts';

/** A fixed seed: a control is to find the same each time. */
const SEED = 1;
const SEQUENCES_MAX = 2_500;

/** The first line of what a judge found, null for nothing. Throws where something else than a judge failed. */
export async function findFault(subjects: Subjects, judge: Judge, oddClocks: boolean): Promise<string | null> {
  const options = { oddClocks, lengthMax: 40 };
  const parameters = { seed: SEED, numRuns: SEQUENCES_MAX, endOnFailure: true };
  const result = await playSequences(subjects, options, parameters, { judge, seen: new Set() });
  if (!result.failed) return null;
  const error = result.errorInstance;
  if (!(error instanceof Error) || error.name !== 'AssertionError') throw error;
  return `${error.message.split('\n')[0]} (sequence ${result.numRuns})`;
}
