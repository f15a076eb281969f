import type { Subjects } from '../subject.ts';
import { playRecordSequences } from './record-property.ts';
import type { RecordJudge } from './record-play.ts';

/** A fixed seed: a control is to find the same each time. */
const SEED = 1;
const SEQUENCES_MAX = 800;

/** The first line of what a judge found, null for nothing. Throws where something else than a judge failed. */
export async function findRecordFault(
  subjects: Subjects,
  judge: RecordJudge,
  sequencesMax = SEQUENCES_MAX,
): Promise<string | null> {
  const parameters = { seed: SEED, numRuns: sequencesMax, endOnFailure: true };
  const result = await playRecordSequences(subjects, parameters, { judge, seen: new Set() });
  if (!result.failed) return null;
  const error = result.errorInstance;
  if (!(error instanceof Error) || error.name !== 'AssertionError') throw error;
  return `${error.message.split('\n')[0]} (sequence ${result.numRuns})`;
}
