import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RECORD_MUTATIONS } from '../../conformance/record-mutations.ts';
import type { RecordJudge } from './record-play.ts';

const CHILD_MS_MAX = 120_000;
const EDIT_SOURCE = `--import=${new URL('../../edit-source.ts', import.meta.url).href}`;
const PLAY = fileURLToPath(new URL('mutated-records.ts', import.meta.url));

/** A guard by its name in the conformance suite's mutations, and who finds that it is gone. */
export interface RecordControl {
  readonly name: string;
  readonly judges: readonly RecordJudge[];
}

const MODEL: readonly RecordJudge[] = ['model'];
const BOTH: readonly RecordJudge[] = ['model', 'invariants'];

/** The guards that everything stands on, in the first tier. */
export const RECORD_CONTROLS: readonly RecordControl[] = [
  { name: 'a verdict after another one is taken', judges: BOTH },
  { name: 'work that was begun is requeued as if it never was', judges: MODEL },
  { name: 'a newer version doesn’t wait for an older one', judges: MODEL },
];

/** What no sequence of these calls can meet: locks, lost answers of deliverers, words, what only a race or three owners show. */
const UNSEEN: ReadonlySet<string> = new Set([
  'a lost lock may claim',
  'each record that needs a person is an alert',
  'the references of two former owners are not compared',
  'the answer of a second effect says nothing of the first',
]);

/** More of them, in the second tier. */
export const MORE_RECORD_CONTROLS: readonly RecordControl[] = RECORD_MUTATIONS.map(({ name }) => name)
  .filter((name) => !RECORD_CONTROLS.some((control) => control.name === name) && !UNSEEN.has(name))
  .map((name) => ({ name, judges: MODEL }));

/** Registers a test for each guard of records in the embedded store: taken out, random sequences find it. */
export function describeRecordControls(controls: readonly RecordControl[]): void {
  describe('a fault in how records are kept is found by random sequences', { concurrency: 2 }, () => {
    for (const { name, judges } of controls) {
      test(name, async () => {
        const edits = RECORD_MUTATIONS.find((mutation) => mutation.name === name)?.edits;
        assert.ok(edits !== undefined, 'the suite has no such fault');
        const { NODE_TEST_CONTEXT: _, ...env } = process.env;
        const { stdout } = await promisify(execFile)(process.execPath, [EDIT_SOURCE, PLAY, ...judges], {
          env: { ...env, LEASEHOLD_EDITS: JSON.stringify(edits) },
          timeout: CHILD_MS_MAX,
        });
        assert.ok(!stdout.includes('# a mutation was not made'), 'every edit was made');
        for (const judge of judges) assert.match(stdout, new RegExp(`^${judge}: .* \\(sequence \\d+\\)$`, 'm'));
      });
    }
  });
}
