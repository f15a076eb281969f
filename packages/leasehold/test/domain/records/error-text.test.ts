import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorText } from '../../../src/domain/records/error-text.ts';

describe('what went wrong', () => {
  it('is the words of whatever was thrown', () => {
    const words = [new Error('timed out'), new TypeError(''), 'HTTP 503', { code: 7 }, 42].map(errorText);
    assert.deepEqual(words, ['timed out', 'TypeError', 'HTTP 503', '{"code":7}', '42']);
  });

  it('is null where there are no words', () => {
    assert.deepEqual([undefined, null, '', ' \n '].map(errorText), [null, null, null, null]);
  });

  it('is one line of at most 4,096 bytes and never half a character, and never refused', () => {
    assert.equal(errorText('a\r\nb\0c\ud800'), 'a  b c\ufffd');
    const long = errorText('€'.repeat(2_000)) ?? '';
    assert.equal(new TextEncoder().encode(long).length, 4_095);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    assert.deepEqual([cycle, () => 1, Symbol('x'), 1n].map(errorText), ['object', 'function', 'symbol', 'bigint']);
  });
});
