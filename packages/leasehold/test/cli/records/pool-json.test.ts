/** What is shown of a pool as JSON. Pure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poolChangeJson } from '../../../src/cli/records/json.ts';
import { POOL_DEFAULTS } from '../../../src/domain/records/pool-settings.ts';

/** As a later release, or a person with SQL, may have left it. */
const STORED = '{"kind":"http","commitDelayMs":5000,"apiKey":"s3cret","keyMs":"s3cret"}';

test('of a stored verifier its kind and its delays are shown, and nothing else of it', () => {
  const settings = { ...POOL_DEFAULTS, verifier: STORED };
  const shown = poolChangeJson({ outcome: 'changed', pool: 'p', settings, paused: false, message: 'm' });
  assert.deepEqual((JSON.parse(shown) as { verifier: unknown }).verifier, { kind: 'http', commitDelayMs: 5_000 });
});
