import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EVIDENCE_MUTATIONS } from '../conformance/evidence-mutations.ts';
import { MUTATIONS } from '../conformance/mutations.ts';
import type { Control } from './mutations.ts';

const CHILD_MS_MAX = 120_000;
const EDIT_SOURCE = `--import=${new URL('../edit-source.ts', import.meta.url).href}`;
const PLAY = fileURLToPath(new URL('mutated-sqlite.ts', import.meta.url));

/** Registers a test for each guard of the embedded store: taken out, it is found, by each judge that is named. */
export function describeControls(controls: readonly Control[]): void {
  describe('a fault in the embedded store is found by random sequences', { concurrency: 2 }, () => {
    for (const { name, judges, oddClocks } of controls) {
      test(name, async () => {
        const edits = [...MUTATIONS, ...EVIDENCE_MUTATIONS].find((mutation) => mutation.name === name)?.edits;
        assert.ok(edits !== undefined, 'the suite has no such fault');
        const { NODE_TEST_CONTEXT: _, ...env } = process.env;
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [EDIT_SOURCE, PLAY, oddClocks === true ? 'odd' : 'steady', ...judges],
          { env: { ...env, LEASEHOLD_EDITS: JSON.stringify(edits) }, timeout: CHILD_MS_MAX },
        );
        assert.ok(!stdout.includes('# a mutation was not made'), 'every edit was made');
        for (const judge of judges) assert.match(stdout, new RegExp(`^${judge}: .* \\(sequence \\d+\\)$`, 'm'));
      });
    }
  });
}
