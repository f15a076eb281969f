import { playSequences } from './property.ts';
import type { Judge } from './play.ts';
import type { Subjects } from './subject.ts';

/** A fixed seed: a control is to find the same each time. */
const SEED = 1;

/** The first line of what a judge found, null for nothing. Throws where something else than a judge failed. */
export async function findFault(
  subjects: Subjects,
  judge: Judge,
  runs: number,
  oddClocks = false,
): Promise<string | null> {
  const options = { evidence: false, oddClocks, lengthMax: 40 };
  const parameters = { seed: SEED, numRuns: runs, endOnFailure: true };
  const result = await playSequences(subjects, options, parameters, { judge, seen: new Set() });
  if (!result.failed) return null;
  const error = result.errorInstance;
  if (!(error instanceof Error) || error.name !== 'AssertionError') throw error;
  return `${error.message.split('\n')[0]} (sequence ${result.numRuns})`;
}
