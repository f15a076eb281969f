import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, grouped, instantText } from '../../src/audit/words.ts';

test('counts have their thousands apart, and nouns their plural', () => {
  assert.deepEqual([0, 999, 1_000, 1_234_567].map(grouped), ['0', '999', '1,000', '1,234,567']);
  assert.deepEqual(
    [counted(1, 'run'), counted(0, 'run'), counted(2_000, 'entry', 'entries')],
    ['1 run', '0 runs', '2,000 entries'],
  );
});

test('an instant is said with its milliseconds only where it has some, and one that is none as unknown', () => {
  const at = Date.parse('2026-03-29T01:00:00Z');
  assert.deepEqual([at, at + 5].map(instantText), ['2026-03-29T01:00:00Z', '2026-03-29T01:00:00.005Z']);
  assert.deepEqual([Number.NaN, 8.64e15 + 1].map(instantText), ['unknown', 'unknown']);
});
