/** Claims of more records than one call can offer, and sources that hang or fail. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Claim } from '../../../src/engine/records/claim-api.ts';
import type { ClaimRequest } from '../../../src/ports/record-store.ts';
import { refused } from '../scripted-store.ts';
import { openStage, type Stage } from '../stage.ts';

const ids = (count: number, from = 0): string[] => Array.from({ length: count }, (_, n) => `r${from + n}`);
const ownedIds = (claim: Claim): string[] => claim.owned.map(({ id }) => id);
const pool = (stage: Stage): ReturnType<Stage['leasehold']['pool']> => stage.leasehold.pool('mails');

function offersOf(stage: Stage): (readonly string[])[] {
  return stage.store
    .callsOf('claim')
    .map(({ request }) => (request as unknown as ClaimRequest).offers.map(({ id }) => id));
}

describe('more than one call can offer', () => {
  it('is one claim, offered ten thousand at a time until it is full; the rest is over_limit without being sent', async () => {
    await using stage = await openStage();
    const claim = await pool(stage).claim({ ids: ids(100_000), limit: 10_000 });
    assert.equal(claim.owned.length, 10_000);
    assert.equal(claim.refused.length, 90_000);
    assert.equal(claim.isOfferRead, true);
    assert.deepEqual(
      offersOf(stage).map((offers) => offers.length),
      [10_000],
    );
  });

  it('goes on with the same claim while it is not full', async () => {
    await using stage = await openStage();
    await pool(stage).claim({ ids: ids(10_000), limit: 10_000, holder: 'other' });
    const claim = await pool(stage).claim({ ids: ids(10_005), limit: 3 });
    assert.deepEqual(ownedIds(claim), ['r10000', 'r10001', 'r10002']);
    assert.equal(claim.refused.length, 10_002);
    assert.match(claim.message, /^Claimed 3 of 10005 records offered to pool "mails", until /);
    const calls = stage.store.callsOf('claim').slice(1);
    assert.deepEqual(
      calls.map(({ request }) => request['isContinued']),
      [false, true],
    );
    assert.equal(new Set(calls.map(({ request }) => request['claimId'])).size, 1);
  });

  it('is cut where its payloads come to 4 MiB', async () => {
    await using stage = await openStage();
    const payload = 'x'.repeat(1_000_000);
    const claim = await pool(stage).claim({ ids: ids(10).map((id) => ({ id, payload })), limit: 20 });
    assert.equal(claim.owned.length, 10);
    assert.deepEqual(
      offersOf(stage).map((offers) => offers.length),
      [4, 4, 2],
    );
  });

  it('from an async source is read no further once the claim is full, and the source is told', async () => {
    await using stage = await openStage();
    let read = 0;
    let isClosed = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield `r${read++}`;
      } finally {
        isClosed = true;
      }
    }
    const claim = await pool(stage).claim({ ids: endless(), limit: 5 });
    assert.equal(claim.owned.length, 5);
    assert.deepEqual([read, isClosed, claim.isOfferRead], [100, true, false]);
  });

  it('from a list without an end is read up to a million', async () => {
    await using stage = await openStage();
    let read = 0;
    function* endless(): Generator<string> {
      for (;;) yield `r${read++}`;
    }
    const claim = await pool(stage).claim({ ids: endless(), limit: 1 });
    assert.deepEqual([read, claim.refused.length, claim.isOfferRead], [1_000_000, 999_999, false]);
  });

  it('is kept alive while its source is slow', async () => {
    await using stage = await openStage();
    async function* slow(): AsyncGenerator<string> {
      yield* ids(300);
      await stage.clock.sleep(120_000);
      yield 'late';
    }
    await pool(stage).claim({ ids: ids(200), limit: 200, holder: 'other' });
    const claiming = pool(stage).claim({ ids: slow(), leaseMs: 30_000, limit: 110 });
    await stage.advance(119_000);
    assert.ok(stage.store.callsOf('extendClaim').length > 10);
    await stage.advance(1_000);
    const claim = await claiming;
    assert.equal(claim.owned.length, 101);
    assert.deepEqual(claim.owned.at(-1)?.id, 'late');
    assert.equal(claim.signal.aborted, false);
  });

  it('of which the rest can not be offered hands out what it owns', async () => {
    await using stage = await openStage();
    await pool(stage).claim({ ids: ids(1), holder: 'other' });
    stage.store.next('claim', async (pass) => await pass());
    stage.store.always(refused, ['claim']);
    const claim = await pool(stage).claim({ ids: ids(10_005), limit: 10_000 });
    assert.deepEqual([claim.owned.length, claim.isOfferRead], [9_999, false]);
    assert.equal(stage.log.at(-1)?.message, 'The rest of the records could not be offered to pool "mails".');
  });
});

describe('a source that fails', () => {
  async function* failing(good: number): AsyncGenerator<string> {
    yield* ids(good);
    throw new Error('cursor closed');
  }

  it('fails the claim with its own error', async () => {
    await using stage = await openStage();
    await assert.rejects(pool(stage).claim({ ids: failing(3) }), { message: 'cursor closed' });
  });

  it('gives back what was claimed before it failed', async () => {
    await using stage = await openStage();
    await assert.rejects(
      pool(stage)
        .claim({ ids: failing(400), limit: 100 })
        .then((claim) => claim.outcome)
        .then((outcome) => {
          throw new Error(outcome);
        }),
      { message: 'claimed' },
      'a full claim reads no further',
    );
    await assert.rejects(pool(stage).claim({ ids: failing(450), limit: 1_000, holder: 'b' }), {
      message: 'cursor closed',
    });
    const status = await pool(stage).status();
    assert.deepEqual([status?.claimed, status?.queued], [100, 0]);
  });

  it('is left at once when the signal fires, with its reason', async () => {
    await using stage = await openStage();
    const stop = new AbortController();
    async function* hanging(): AsyncGenerator<string> {
      yield 'r0';
      await new Promise(() => {});
    }
    const claiming = pool(stage).claim({ ids: hanging(), signal: stop.signal });
    await stage.advance(1_000);
    stop.abort(new Error('shut down'));
    await assert.rejects(claiming, { message: 'shut down' });
    await assert.rejects(pool(stage).claim({ signal: stop.signal }), { message: 'shut down' });
  });
});
