import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorText } from '../../../src/domain/records/error-text.ts';

describe('what went wrong', () => {
  it('is the words of whatever was thrown', () => {
    const words = [new Error('timed out'), new TypeError(''), 'HTTP 503', { code: 7 }, 42].map(errorText);
    assert.deepEqual(words, ['timed out', 'TypeError', 'HTTP 503', '{"code":7}', '42']);
  });

  it('comes with what caused it: its message, or else its code, bounded, and nothing twice', () => {
    const of = (message: string, cause: unknown): Error => new Error(message, { cause });
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const words = [
      of('fetch failed', of('socket hang up', { code: 'ECONNRESET' })),
      of('fetch failed', refused),
      of('could not send: no route', of('no route', 'no route')),
      of('outer', 7),
    ].map(errorText);
    assert.deepEqual(words, [
      'fetch failed: socket hang up: ECONNRESET',
      'fetch failed: ECONNREFUSED',
      'could not send: no route',
      'outer',
    ]);
    const circle = new Error('round');
    circle.cause = of('and round', circle);
    assert.equal(errorText(circle), 'round: and round');
    assert.equal(errorText(of('long', 'x'.repeat(4_000)))?.length, 'long: '.length + 512);
    const broken = Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('no words');
      },
    });
    assert.equal(errorText(broken), 'object');
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
