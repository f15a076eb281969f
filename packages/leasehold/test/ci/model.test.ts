/** The model of the protocol (`spec/`), checked by Spin: about two minutes on two cores. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';

const CHECK = join(import.meta.dirname, '../../../../spec/check.ts');
const CHECK_MS_MAX = 15 * 60_000;

it('the model holds, each of its guards is needed, and what happens without one is the story that is kept', async (context) => {
  const child = spawn(process.execPath, [CHECK], { timeout: CHECK_MS_MAX });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  context.diagnostic(output.trimEnd().split('\n').at(-1) ?? '');
  assert.equal(code, 0, output);
});
