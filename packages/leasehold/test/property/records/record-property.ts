/** Runs sequences about records on a store: see property.ts for seeds and how to have the same again. */
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { assertPassed, parametersOf, type SeededParameters } from '../property.ts';
import type { Subjects } from '../subject.ts';
import { type RecordCommand, recordSequences } from './commands.ts';
import { type RecordJudge, RecordPlay } from './record-play.ts';

const LENGTH_MAX = 40;

/** Fails with the shortest sequence that it found. Answers what came up. */
export async function checkRecordSequences(
  context: TestContext,
  subjects: Subjects,
  { runs }: { readonly runs: number },
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const parameters = parametersOf(runs);
  context.diagnostic(`${subjects.name}: seed ${parameters.seed}, ${parameters.numRuns} sequences about records`);
  assertPassed(await playRecordSequences(subjects, parameters, { judge: 'both', seen }));
  return seen;
}

export function playRecordSequences(
  subjects: Subjects,
  parameters: SeededParameters,
  { judge, seen }: { readonly judge: RecordJudge; readonly seen: Set<string> },
): Promise<fc.RunDetails<[RecordCommand[]]>> {
  const property = fc.asyncProperty(recordSequences(LENGTH_MAX), async (sequence) => {
    const subject = await subjects.open();
    try {
      const play = new RecordPlay(subject, judge, seen);
      for (const command of sequence) await play.step(command);
      await play.end();
    } finally {
      await subject.close();
    }
  });
  return fc.check(property, parameters);
}
