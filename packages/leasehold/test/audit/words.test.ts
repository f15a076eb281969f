import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, durationOver, grouped, instantText } from '../../src/audit/words.ts';

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

test('what is said to be over a bound looks over it', () => {
  assert.deepEqual(
    [
      durationOver(300_001, 300_000),
      durationOver(300_000.5, 300_000),
      durationOver(301_000, 300_000),
      durationOver(3_620_000, 3_600_000),
      durationOver(150_001, 150_000),
      durationOver(90_000_000, 86_400_000),
      durationOver(86_401_000, 86_400_000),
    ],
    ['5m 1ms', '5m 1ms', '5m 1s', '1h 20s', '2m 30s 1ms', '1d 1h', '1d 1s'],
  );
});
