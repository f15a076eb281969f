/** Claims as the library asks for them. Clock: fake, shared with the embedded store; the line to it can be cut. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Claim, ClaimOptions } from '../../../src/engine/records/claim-api.ts';
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

describe('a claim by id', () => {
  it('owns what nobody has, in the order in which it was offered, and says of the rest who has it', async () => {
    await using stage = await openStage();
    await pool(stage).claim({ ids: ['b'], holder: 'other' });
    const claim = await pool(stage).claim({ ids: ['c', 'b', 'a'] });
    assert.deepEqual(ownedIds(claim), ['c', 'a']);
    assert.deepEqual(
      claim.refused.map(({ id, why, by }) => [id, why, by]),
      [['b', 'claimed', 'other']],
    );
    assert.equal(claim.outcome, 'claimed');
    assert.equal(claim.isOfferRead, true);
  });

  it('gives id, version, effectKey, attempt and payload of each', async () => {
    await using stage = await openStage();
    const claim = await pool(stage).claim({ ids: [{ id: 7, version: 2, payload: { to: 'x@example.com' } }, 'b'] });
    const [first, second] = claim.owned;
    assert.deepEqual(
      [first?.id, first?.version, first?.attempt, first?.payload],
      ['7', '2', 1, { to: 'x@example.com' }],
    );
    assert.match(first?.effectKey ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual([second?.version, second?.payload], ['', null]);
    assert.notEqual(first?.effectKeyFor('invoice'), first?.effectKey);
    assert.equal(first?.effectKeyFor('invoice'), first?.effectKeyFor('invoice'));
  });

  it('takes a record that is offered twice once, also as number and text', async () => {
    await using stage = await openStage();
    const claim = await pool(stage).claim({ ids: ['42', 42, { id: '42' }, { id: 42, version: 'v2' }] });
    assert.deepEqual(
      offersOf(stage).map((offers) => offers.length),
      [2],
    );
    assert.deepEqual(
      claim.owned.map(({ id, version }) => [id, version]),
      [['42', 'v2']],
      'the newer version cancels the one that was never begun',
    );
  });

  it('reads a set, a generator and a stream of rows alike', async () => {
    function* generated(): Generator<string> {
      yield* ids(3);
    }
    async function* streamed(): AsyncGenerator<string> {
      yield* ids(3);
    }
    for (const source of [new Set(ids(3)), generated(), streamed(), ids(3)]) {
      await using stage = await openStage();
      assert.deepEqual(ownedIds(await pool(stage).claim({ ids: source })), ['r0', 'r1', 'r2']);
    }
  });

  it('of nothing claims nothing, and the store is not asked', async () => {
    await using stage = await openStage();
    const claim = await pool(stage).claim({ ids: [] });
    assert.deepEqual([claim.outcome, claim.token, claim.owned, claim.refused], ['claimed', null, [], []]);
    assert.equal(claim.message, 'Nothing was offered to pool "mails".');
    assert.equal(stage.store.callsOf('claim').length, 0);
  });

  it('never owns more than its limit: the rest is over_limit, and the pool says how much where it does not', async () => {
    await using stage = await openStage();
    const claim = await pool(stage).claim({ ids: ids(8), limit: 3 });
    assert.deepEqual(ownedIds(claim), ['r0', 'r1', 'r2']);
    assert.deepEqual([...new Set(claim.refused.map(({ why }) => why))], ['over_limit']);
    await pool(stage).configure({ limit: 2 });
    assert.equal((await pool(stage).claim({ ids: ids(8, 100) })).owned.length, 2);
  });

  it('with what is wrong with one record claims the nine others, and says what is wrong', async () => {
    await using stage = await openStage();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const bad = [
      { id: 'nul', payload: { text: 'a\0b' } },
      { id: 'cycle', payload: cycle },
      { id: 'large', payload: 'x'.repeat(1_048_576) },
      { id: 'x'.repeat(2_048) },
      { id: 0.1 },
      { id: 'late', notBefore: 'tomorrow' as unknown as Date },
    ];
    const claim = await pool(stage).claim({ ids: [...ids(4), ...bad, ...ids(5, 4)], limit: 20 });
    assert.deepEqual(ownedIds(claim), ids(9));
    assert.deepEqual(
      claim.refused.map((each) => [each.why, each.id.slice(0, 8), 'message' in each ? each.message : null]),
      [
        ['invalid', 'nul', 'payload has a NUL or is not valid Unicode text'],
        ['invalid', 'cycle', 'payload has something that JSON cannot hold (a cycle, a BigInt, too many levels)'],
        ['invalid', 'large', 'payload is 1048578 bytes long as JSON; the limit is 1048576'],
        ['invalid', 'xxxxxxxx', 'record id is 2048 bytes long; the limit is 1024'],
        [
          'invalid',
          '0.1',
          'record id is the number 0.1, which is not written the same everywhere; give it as text, "0.1"',
        ],
        ['invalid', 'late', 'notBefore must be a Date between the years 1970 and 9999'],
      ],
    );
  });

  it('names the versions of one id that unicode writes alike as what they are: different ids', async () => {
    await using stage = await openStage();
    assert.equal((await pool(stage).claim({ ids: ['\u00e9', 'e\u0301'] })).owned.length, 2);
  });
});

describe('a claim of the next ones', () => {
  it('takes them in the order of their arrival', async () => {
    await using stage = await openStage();
    await pool(stage).enqueue(ids(5));
    assert.deepEqual(ownedIds(await pool(stage).claim({ limit: 2 })), ['r0', 'r1']);
    const next = await pool(stage).claim();
    assert.deepEqual(ownedIds(next), ['r2', 'r3', 'r4']);
    assert.deepEqual([next.refused, next.isOfferRead], [[], true]);
  });

  it('that finds none owns nothing, and its handle answers all the same', async () => {
    await using stage = await openStage();
    await using claim = await pool(stage).claim();
    assert.deepEqual([claim.token, claim.owned, claim.trustRemainingMs(), claim.signal.aborted], [null, [], 0, false]);
    const extended = await claim.extend();
    assert.deepEqual(
      [extended.outcome, extended.message],
      ['lost', 'Not extended: this claim holds nothing of pool "mails".'],
    );
    const returned = await claim.returnUnworked(['a']);
    assert.deepEqual(
      [returned.outcome, returned.message],
      ['returned', 'Nothing to return: this claim holds nothing of pool "mails".'],
    );
    await assert.rejects(claim.returnUnworked(['']), { code: 'INVALID_ARGUMENT' });
  });

  it('of a pool that is paused says so', async () => {
    await using stage = await openStage();
    await pool(stage).enqueue(ids(2));
    await pool(stage).pause({ reason: 'provider down' });
    const claim = await pool(stage).claim();
    assert.deepEqual([claim.outcome, claim.owned.length], ['paused', 0]);
    await pool(stage).resume();
    assert.equal((await pool(stage).claim()).owned.length, 2);
  });
});

describe('a lost answer', () => {
  it('is asked for again by the same claim, which gets the records that the first ask took', async () => {
    await using stage = await openStage();
    stage.store.next('claim', answerLost);
    const claim = await pool(stage).claim({ ids: ids(3) });
    assert.deepEqual(ownedIds(claim), ids(3));
    const calls = stage.store.callsOf('claim');
    assert.deepEqual(calls[0]?.request, calls[1]?.request);
    assert.equal(stage.log[0]?.message, 'No answer to a claim of pool "mails"; it is asked once more.');
  });

  it('twice ends in STORE_UNREACHABLE, and nothing starts', async () => {
    await using stage = await openStage();
    stage.store.next('claim', refused, refused);
    await assert.rejects(pool(stage).claim({ ids: ids(3) }), { code: 'STORE_UNREACHABLE' });
  });

  it('of a chunk that continues a claim continues it again', async () => {
    await using stage = await openStage();
    stage.store.next('claim', async (pass) => await pass(), answerLost);
    const payload = 'x'.repeat(1_000_000);
    const claim = await pool(stage).claim({ ids: ids(6).map((id) => ({ id, payload })) });
    assert.equal(claim.owned.length, 6);
  });
});

describe('a claim that its caller named', () => {
  it('is the same claim when it is asked for again, and takes no more', async () => {
    await using stage = await openStage();
    const named: ClaimOptions = { claimId: 'run-7', ids: ids(3), renewal: 'touch' };
    const first = await pool(stage).claim(named);
    await first.owned[0]?.done('x');
    const again = await pool(stage).claim({ ...named, ids: ids(5) });
    assert.equal(again.token, first.token);
    assert.deepEqual(ownedIds(again), ['r1', 'r2']);
  });

  it('and that was found late is renewed for as long as it was, before it is handed out', async () => {
    await using stage = await openStage();
    await pool(stage).claim({ claimId: 'run-7', ids: ids(3), renewal: 'touch' });
    await stage.advance(595_000);
    const again = await pool(stage).claim({ claimId: 'run-7', ids: ids(3) });
    assert.equal(again.trustRemainingMs(), 600_000);
    assert.equal(again.signal.aborted, false);
  });

  it('owns nothing once its lease is over', async () => {
    await using stage = await openStage();
    await pool(stage).claim({ claimId: 'run-7', ids: ids(3), renewal: 'touch' });
    await stage.advance(600_000);
    const again = await pool(stage).claim({ claimId: 'run-7', ids: ids(3) });
    assert.deepEqual([again.outcome, again.owned.length], ['claim_ended', 0]);
  });
});

describe("the run's lock", () => {
  it('is named by its start or its token, and a run that lost it claims nothing', async () => {
    await using stage = await openStage();
    const start = await stage.lock.acquire({ leaseMs: 60_000 });
    assert.ok(start.proceed && start.outcome === 'acquired');
    assert.equal((await pool(stage).claim({ ids: ['a'], lock: start })).owned.length, 1);
    assert.equal((await pool(stage).claim({ ids: ['b'], lockToken: start.token })).owned.length, 1);
    await stage.lock.forceRelease({ reason: 'stuck', atOnce: true });
    const late = await pool(stage).claim({ ids: ['c'], lock: start });
    assert.deepEqual([late.outcome, late.owned.length], ['lock_lost', 0]);
  });

  it('that was passed by is none, and a start that did not proceed is refused', async () => {
    await using stage = await openStage();
    await stage.lock.acquire({ leaseMs: 60_000 });
    const skipped = await stage.lock.acquire({ leaseMs: 60_000, holder: 'host:2' });
    await assert.rejects(pool(stage).claim({ ids: ['a'], lock: skipped }), {
      code: 'INVALID_ARGUMENT',
      message: 'lock is a start that did not proceed (skipped); test proceed before claiming',
    });
    const bypassed = await stage.lock.acquire({ leaseMs: 60_000, bypass: { reason: 'by hand' } });
    assert.equal((await pool(stage).claim({ ids: ['a'], lock: bypassed })).owned.length, 1);
  });
});

describe('who claims', () => {
  it('is this process, in a way that a probe can ask after it', async () => {
    const workInfo = { host: 'host', pid: 1, probe: 'process' };
    await using stage = await openStage({ workInfo });
    await pool(stage).claim({ ids: ['a'] });
    const [call] = stage.store.callsOf('claim');
    assert.deepEqual([call?.request['holder'], call?.request['holderInfo']], ['host:1', workInfo]);
  });

  it('begins each record explicitly, unless it says otherwise', async () => {
    await using stage = await openStage();
    await pool(stage).claim({ ids: ['a'] });
    await pool(stage).claim({ ids: ['b'], begin: 'implied' });
    assert.deepEqual(
      stage.store.callsOf('claim').map(({ request }) => request['explicitBegin']),
      [true, false],
    );
  });
});
