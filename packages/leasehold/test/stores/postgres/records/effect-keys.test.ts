/** Both engines derive the same effectKey, byte for byte, from whatever an id may hold. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { effectKeyOf, effectKeyText } from '../../../../src/domain/records/effect-key.ts';
import { POSTGRES_VERSIONS, row, TestStore } from '../database.ts';

const ODD = [
  ['', 'p', 'a', ''],
  ['staging', 'p', 'a', 'v1'],
  ['n "q" \\', 'p/ä', `i'd "x" \\ / <>&`, ' '],
  ['', 'p', 'é', 'e\u0301'],
  ['', 'p', '€😀\u2028\u2029', '\u00a0'],
  ['', 'p', '0', '1e3'],
  ['ns', 'p', 'a,b]', '["x"]'],
] as const;

for (const version of POSTGRES_VERSIONS) {
  it(`PostgreSQL ${version} makes the effectKey that the library makes`, async () => {
    await using test = await TestStore.open(version);
    const client = await test.client();
    for (const [namespace, pool, id, version_] of ODD) {
      const { key } = await row(client, 'select leasehold._effect_key($1, $2, $3, $4) as key', [
        namespace,
        pool,
        id,
        version_,
      ]);
      const text = effectKeyText(namespace, pool, { id, version: version_ });
      assert.equal(key, effectKeyOf(createHash('sha256').update(text, 'utf8').digest()), text);
    }
  });
}
