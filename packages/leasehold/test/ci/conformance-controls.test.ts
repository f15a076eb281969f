/**
 * The suite's own proof: each guard of an engine, taken out, makes named tests fail.
 *
 * Each control runs those tests in a process of its own, on an engine with one fault in it
 * (`conformance/mutations.ts`, `conformance/postgres-mutations.ts`). Without a fault the same tests pass: that is what the
 * conformance tests show.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Edit } from '../edit-source.ts';
import { MUTATIONS } from '../conformance/mutations.ts';
import { POSTGRES_MUTATIONS } from '../conformance/postgres-mutations.ts';

const CHILD_MS_MAX = 60_000;

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

const EDIT_SOURCE = `--import=${new URL('../edit-source.ts', import.meta.url).href}`;

describe('a fault in the embedded store is seen by the conformance suite', { concurrency: 2 }, () => {
  for (const { name, caught } of MUTATIONS) {
    test(name, async () => {
      const outcome = await runTests({
        mutation: name,
        file: 'sqlite-file.test.ts',
        names: caught,
        args: [EDIT_SOURCE],
      });
      assertCaught(outcome, caught);
    });
  }
});

describe('a fault in the SQL functions is seen by the conformance suite', () => {
  for (const { name, caught } of POSTGRES_MUTATIONS) {
    test(name, async () => {
      assertCaught(await runTests({ mutation: name, file: 'mutated-postgres.ts', names: caught, args: [] }), caught);
    });
  }
});

test('a test that a store can’t be put through is skipped, and says why', async () => {
  const names = ['closing twice is closing once, and harms no other client'];
  const { code, output } = await runTests({ mutation: '', file: 'sqlite-memory.test.ts', names, args: [] });
  assert.equal(code, 0, output);
  assert.match(output, /# SKIP an in-memory store has one client and ends with it/);
});

function assertCaught(outcome: Outcome, caught: readonly string[]): void {
  assertFailed(outcome, caught);
  // A test that could not even begin has failed for another reason than the fault.
  const faults = [...outcome.output.matchAll(/^\s*name: '(\w+)'$/gm)].map((match) => match[1]);
  assert.deepEqual([...new Set(faults)], ['AssertionError'], outcome.output);
}

function assertFailed({ code, output }: Outcome, names: readonly string[]): void {
  assert.equal(code, 1, output);
  assert.ok(!output.includes('# a mutation was not made'), 'every edit was made');
  const failed = new Set([...output.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map((match) => unescapeTap(match[1] ?? '')));
  for (const name of names) assert.ok(failed.has(name), `"${name}" did not fail:\n${output}`);
}

interface Selection {
  readonly mutation: string;
  readonly file: string;
  readonly names: readonly string[];
  readonly args: readonly string[];
}

/** Runs the named tests, and only them, on the mutated engine. */
function runTests({ mutation, file, names, args }: Selection): Promise<Outcome> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [
      ...args,
      '--test-reporter=tap',
      ...names.map((fact) => `--test-name-pattern=${pattern(fact)}`),
      fileURLToPath(new URL(`../conformance/${file}`, import.meta.url)),
    ],
    {
      env: {
        ...env,
        LEASEHOLD_MUTATION: mutation,
        LEASEHOLD_EDITS: JSON.stringify(editsOf(mutation)),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: CHILD_MS_MAX,
    },
  );
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
}

function editsOf(mutation: string): readonly Edit[] {
  return MUTATIONS.find((candidate) => candidate.name === mutation)?.edits ?? [];
}

function pattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** TAP writes a backslash before a hash or a backslash. */
function unescapeTap(name: string): string {
  return name.replaceAll(/\\([\\#])/g, '$1');
}
