import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProviderRef, checkRecordId, checkVersion } from '../../../src/domain/records/record-key.ts';

describe('an id', () => {
  it('of a whole number is its decimal text', () => {
    assert.deepEqual([42, 0, -1, -0, Number.MAX_SAFE_INTEGER].map(checkRecordId), [
      '42',
      '0',
      '-1',
      '0',
      '9007199254740991',
    ]);
  });

  it('of any other number is refused with what to write', () => {
    for (const value of [0.1, 1e21, 2 ** 53, Number.NaN, Infinity, 42n]) {
      assert.throws(() => checkRecordId(value), {
        code: 'INVALID_ARGUMENT',
        message: `record id is the number ${value}, which is not written the same everywhere; give it as text, "${value}"`,
      });
    }
  });

  it('is 1 to 1,024 bytes of text without control characters', () => {
    assert.equal(checkRecordId('ü'.repeat(512)).length, 512);
    for (const value of ['', 'ü'.repeat(513), 'a\nb', 'a\0b', '\ud800', null, undefined, true, {}, ['a']]) {
      assert.throws(() => checkRecordId(value), { code: 'INVALID_ARGUMENT' });
    }
  });
});

describe('a version', () => {
  it('is as an id, or empty', () => {
    assert.deepEqual(['', 'v1', 7].map(checkVersion), ['', 'v1', '7']);
    assert.throws(() => checkVersion('x'.repeat(1_025)), {
      message: 'version is 1025 bytes long; the limit is 1024',
    });
    assert.throws(() => checkVersion(null), { message: 'version must be text, got null' });
  });
});

describe("a provider's reference", () => {
  it('is 1 to 4,096 bytes', () => {
    assert.deepEqual(['mail-7', 4_711].map(checkProviderRef), ['mail-7', '4711']);
    assert.throws(() => checkProviderRef('x'.repeat(4_097)), {
      message: 'provider reference is 4097 bytes long; the limit is 4096',
    });
  });
});
