import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAYLOAD_BYTES_MAX, payloadText } from '../../../src/domain/records/payload.ts';

describe('a payload', () => {
  it('is the JSON text of what was given', () => {
    assert.equal(payloadText({ to: 'x', at: new Date(0) }), '{"to":"x","at":"1970-01-01T00:00:00.000Z"}');
    assert.deepEqual([null, 0, '', [], 'ü😀', '\\u0000'].map(payloadText), [
      'null',
      '0',
      '""',
      '[]',
      '"ü😀"',
      '"\\\\u0000"',
    ]);
  });

  it('is at most 1 MiB', () => {
    assert.equal(payloadText('x'.repeat(PAYLOAD_BYTES_MAX - 2)).length, PAYLOAD_BYTES_MAX);
    assert.throws(() => payloadText('x'.repeat(PAYLOAD_BYTES_MAX - 1)), {
      code: 'INVALID_ARGUMENT',
      message: 'payload is 1048577 bytes long as JSON; the limit is 1048576',
    });
    assert.throws(() => payloadText('ü'.repeat(PAYLOAD_BYTES_MAX / 2)), /1048578 bytes/);
  });

  it('that JSON cannot hold is refused', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    for (const value of [cycle, { big: 1n }, deep]) {
      assert.throws(() => payloadText(value), {
        code: 'INVALID_ARGUMENT',
        message: 'payload has something that JSON cannot hold (a cycle, a BigInt, too many levels)',
      });
    }
    for (const value of [undefined, () => 1, Symbol('x')]) {
      assert.throws(() => payloadText(value), {
        code: 'INVALID_ARGUMENT',
        message: 'payload is something that JSON cannot hold (a function, a symbol)',
      });
    }
  });

  it('with a NUL or half a character is refused, in keys and values', () => {
    for (const value of ['a\0b', { 'k\0': 1 }, ['\ud800'], { deep: [{ '\udfff': 1 }] }, '\\\0']) {
      assert.throws(() => payloadText(value), {
        code: 'INVALID_ARGUMENT',
        message: 'payload has a NUL or is not valid Unicode text',
      });
    }
  });
});
