import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressOn } from '../../src/cli/audit/progress.ts';

function play(isTerminal: boolean): string[] {
  const written: string[] = [];
  let nowMs = 0;
  const host = {
    isTerminal: () => isTerminal,
    writeError: async (text: string) => {
      written.push(text);
      return null;
    },
  };
  const tell = progressOn(host, { read: () => ({ monotonicMs: nowMs, bootMs: nowMs, wallMs: nowMs }) });
  for (nowMs = 500; nowMs <= 6_000; nowMs += 500) tell(`${nowMs / 500} pages`);
  return written;
}

test('a long reading says on a terminal how far it is, and not more often than people read', () => {
  assert.deepEqual(play(true), ['leasehold: 4 pages\n', 'leasehold: 8 pages\n', 'leasehold: 12 pages\n']);
});

test('where stderr is no terminal, nothing is said of how far it is', () => assert.deepEqual(play(false), []));
