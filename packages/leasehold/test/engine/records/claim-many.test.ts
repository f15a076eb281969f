/** Claims of more records than one call can offer, and sources that hang or fail. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Claim } from '../../../src/engine/records/claim-api.ts';
import type { ClaimRequest } from '../../../src/ports/record-store.ts';
import { answerLost, refused } from '../scripted-store.ts';
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
  it('is one claim, offered two thousand at a time until it is full; the rest is over_limit without being sent', async () => {
    await using stage = await openStage();
    const claim = await pool(stage).claim({ ids: ids(100_000), limit: 10_000 });
    assert.equal(claim.owned.length, 10_000);
    assert.equal(claim.refused.length, 90_000);
    assert.equal(claim.isOfferRead, true);
    assert.deepEqual(
      offersOf(stage).map((offers) => offers.length),
      [2_000, 2_000, 2_000, 2_000, 2_000],
    );
  });

  it('goes on with the same claim while it is not full', async () => {
    await using stage = await openStage();
    await pool(stage).claim({ ids: ids(2_000), limit: 2_000, holder: 'other' });
    const claim = await pool(stage).claim({ ids: ids(2_005), limit: 3 });
    assert.deepEqual(ownedIds(claim), ['r2000', 'r2001', 'r2002']);
    assert.equal(claim.refused.length, 2_002);
    assert.match(claim.message, /^Claimed 3 of 2005 records offered to pool "mails", until /);
    const calls = stage.store.callsOf('claim').slice(1);
    assert.deepEqual(
      calls.map(({ request }) => request['isContinued']),
      [false, true],
    );
    assert.equal(new Set(calls.map(({ request }) => request['claimId'])).size, 1);
  });

  it('is counted whole in what is said, also where the first call was full, or nothing could be had', async () => {
    await using stage = await openStage();
    const full = await pool(stage).claim({ ids: ids(5_000), limit: 50 });
    assert.match(full.message, /^Claimed 50 of 5000 records offered to pool "mails", until /);
    await pool(stage).claim({ ids: ids(5_000), limit: 5_000, holder: 'other' });
    const none = await pool(stage).claim({ ids: [...ids(5_000), ''], limit: 50 });
    assert.equal(none.message, 'Claimed none of 5001 records offered to pool "mails"; each has its reason.');
    await pool(stage).pause();
    assert.match(
      (await pool(stage).claim({ ids: ids(5_000) })).message,
      /^Claimed nothing of pool "mails": it is paused/,
    );
  });

  it('asked again by its name has what it still has, and is offered no more', async () => {
    await using stage = await openStage();
    const named = { ids: ids(4_500), limit: 2_100, claimId: 'c1', holder: 'h' };
    const first = await pool(stage).claim(named);
    assert.equal(first.owned.length, 2_100);
    for (const record of first.owned.slice(0, 200)) {
      await record.begin();
      await record.done();
    }
    const again = await pool(stage).claim(named);
    assert.deepEqual(ownedIds(again), ids(1_900, 200));
    assert.match(again.message, /the same claim asked again/);
    assert.equal(stage.store.callsOf('claim').length, 3);
  });

  it('whose records are all among the first offers is the same claim when it is asked for again', async () => {
    await using stage = await openStage();
    const named = { limit: 2_100, claimId: 'c1', holder: 'h' };
    await pool(stage).claim({ ...named, ids: ids(2_000) });
    const again = await pool(stage).claim({ ...named, ids: ids(4_000) });
    assert.deepEqual(ownedIds(again), ids(2_000), 'what has its live token, and no others');
    assert.equal(again.isOfferRead, false);
    assert.match(again.message, /the same claim asked again/);
    assert.equal(stage.store.callsOf('claim').length, 2);
  });

  it('goes on where its own first answer was lost', async () => {
    await using stage = await openStage();
    stage.store.next('claim', answerLost);
    const claim = await pool(stage).claim({ limit: 2_100, claimId: 'c1', holder: 'h', ids: ids(4_000) });
    assert.equal(claim.owned.length, 2_100);
  });

  it('of a large limit is waited for longer, within half of its lease', async () => {
    await using stage = await openStage();
    const timeouts = async (options: object): Promise<unknown> => {
      await pool(stage).claim(options);
      return stage.store.callsOf('claim').at(-1)?.timeoutMs;
    };
    assert.equal(await timeouts({ limit: 10_000 }), 15_000);
    assert.equal(await timeouts({ limit: 10_000, leaseMs: 20_000 }), 10_000);
    assert.equal(await timeouts({ limit: 2_000, leaseMs: 20_000 }), 4_000);
    assert.equal(await timeouts({}), 5_000);
    stage.store.next('claim', refused);
    assert.equal(await timeouts({}), 15_000, 'its pool may be set to as much');
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
    const claim = await pool(stage).claim({ ids: ids(2_005), limit: 10_000 });
    assert.deepEqual([claim.owned.length, claim.isOfferRead], [1_999, false]);
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
