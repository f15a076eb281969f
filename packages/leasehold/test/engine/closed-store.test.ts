/** A release whose store was closed before by its own process. Clock: fake, and nobody moves it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { held, openStage } from './stage.ts';

test('a release after the store was closed fails at once, and says what becomes of the lock', async () => {
  await using stage = await openStage();
  const start = held(await stage.lock.acquire({ leaseMs: 60_000 }));
  await stage.leasehold.close();
  const released = assert.rejects(start.release({ status: 'success' }), {
    code: 'STORE_UNREACHABLE',
    message:
      /^Lock "job" could not be released because its store was closed before; its lease ends by itself\. .*was closed by this process/,
  });
  await stage.advance(0);
  assert.equal(stage.store.callsOf('release').length, 1);
  // Were it to wait for a second try, nobody would wake it.
  await Promise.race([released, stage.advance(0).then(() => assert.fail('it is still under way'))]);
});
