import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { effectKeyOf, effectKeyText, purposeKeyText } from '../../../src/domain/records/effect-key.ts';

function key(text: string): string {
  return effectKeyOf(createHash('sha256').update(text).digest());
}

test('the key of a record never changes from one release to the next', () => {
  assert.equal(key(effectKeyText('', 'invoices', { id: '42', version: '' })), 'd28f945a-6ed9-86f3-8071-bd6101046a69');
  assert.equal(
    key(effectKeyText('staging', 'invoices', { id: 'Zoë "1"\\', version: '2026-01-05' })),
    '28de8390-c219-8c94-a0f8-3b8a77e60580',
  );
});

test('namespace, pool, id and version each make another key, and none can be shifted into its neighbour', () => {
  const keys = [
    effectKeyText('', 'p', { id: 'a', version: '' }),
    effectKeyText('p', '', { id: 'a', version: '' }),
    effectKeyText('', 'p', { id: '', version: 'a' }),
    effectKeyText('', 'pa', { id: '', version: '' }),
    effectKeyText('', 'p","a', { id: '', version: '' }),
  ].map(key);
  assert.equal(new Set(keys).size, keys.length);
});

test('another purpose of one record has a key of its own, from the key of the record', () => {
  const first = key(effectKeyText('', 'p', { id: 'a', version: '' }));
  assert.notEqual(key(purposeKeyText(first, 'invoice')), key(purposeKeyText(first, 'email')));
  assert.notEqual(key(purposeKeyText(first, '')), first);
});

test('a key has the form of a UUID of version 8', () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  for (let n = 0; n < 100; n += 1) assert.match(key(effectKeyText('', 'p', { id: String(n), version: '' })), form);
});
