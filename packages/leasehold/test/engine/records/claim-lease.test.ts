/**
 * A claim's lease, kept as a lock's is. Clock: fake, shared with the embedded store. A lease of 60 s has a margin of 10 s
 * and a renewal every 11.25 s.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLeaseholdError } from '../../../src/errors.ts';
import type { Claim, ClaimOptions } from '../../../src/engine/records/claim-api.ts';
import { answerLost, answerTakes, refused, requestTakes } from '../scripted-store.ts';
import { openStage, type Stage } from '../stage.ts';

const claimOf = (stage: Stage, options: ClaimOptions = {}): Promise<Claim> =>
  stage.leasehold.pool('mails').claim({ ids: ['a', 'b', 'c'], leaseMs: 60_000, ...options });
const extensions = (stage: Stage): number[] => stage.store.callsOf('extendClaim').map((call) => call.atMs - 1_000);
const warnings = (stage: Stage): string[] =>
  stage.log.filter(({ level }) => level !== 'debug').map(({ level, message }) => `${level}: ${message}`);

describe('while its records are worked', () => {
  it('one renewal keeps all of them, every quarter of the lease without time-out and margin', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage);
    await stage.advance(600_000);
    assert.deepEqual(extensions(stage).slice(0, 3), [11_250, 22_500, 33_750]);
    assert.equal(claim.signal.aborted, false);
    assert.equal((await stage.leasehold.pool('mails').status())?.claims[0]?.records, 3);
  });

  it('as long as the pool says, where the claim does not: an hour of work under a lease of ten minutes (C70)', async () => {
    await using stage = await openStage();
    const claim = await stage.leasehold.pool('mails').claim({ ids: ['a'] });
    await claim.owned[0]?.begin();
    await stage.advance(3_600_000);
    assert.equal(claim.signal.aborted, false);
    assert.equal((await claim.owned[0]?.done())?.outcome, 'accepted');
    assert.deepEqual(warnings(stage), []);
  });

  it('trust counts from before the request was sent', async () => {
    await using stage = await openStage();
    stage.store.next('claim', requestTakes(4_000));
    const claiming = claimOf(stage, { renewal: 'touch' });
    await stage.advance(4_000);
    assert.equal((await claiming).trustRemainingMs(), 56_000);
  });

  it('with touch renewal only an extension by hand moves the signal away', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage, { renewal: 'touch' });
    await stage.advance(40_000);
    assert.equal((await claim.extend()).outcome, 'extended');
    await stage.advance(49_999);
    assert.equal(claim.signal.aborted, false);
    await stage.advance(1);
    assert.equal(claim.signal.aborted, true);
    assert.equal(extensions(stage).length, 1);
  });
});

describe('when renewals fail', () => {
  it('the signals of the claim and of its records fire a safety margin before the lease ends', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage);
    const [first, second] = claim.owned;
    const early = first?.signal;
    stage.store.always(refused, ['extendClaim']);
    await stage.advance(49_999);
    assert.deepEqual([claim.signal.aborted, early?.aborted], [false, false]);
    await stage.advance(1);
    assert.deepEqual([claim.signal.aborted, early?.aborted, second?.signal.aborted], [true, true, true]);
    assert.ok(isLeaseholdError(claim.signal.reason, 'LEASE_LOST'));
    assert.equal(early?.reason, claim.signal.reason);
    assert.deepEqual(warnings(stage), [
      'warn: Claim of pool "mails" could not be renewed; it is tried again.',
      'error: Claim of pool "mails" was not renewed in time: its lease may end in 10s; stop, its records may go to others after it.',
    ]);
  });

  it('after a suspend longer than the lease the next look fires them', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage);
    stage.clock.suspend(120_000);
    await stage.advance(1_000);
    assert.equal(claim.signal.aborted, true);
    assert.match(
      (claim.signal.reason as Error).message,
      /its lease may have ended; stop, its records may go to others/,
    );
  });

  it('a claim that the store says is lost fires them at once, with its words', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage, { renewal: 'touch' });
    await stage.clock.advance(0);
    stage.clock.suspend(60_000);
    const answer = await claim.extend();
    assert.deepEqual([answer.outcome, answer.reason], ['lost', 'expired']);
    assert.equal(claim.signal.aborted, true);
    assert.deepEqual(await claim.extend(), answer, 'and is not asked for again');
    assert.equal(extensions(stage).length, 1);
  });

  it('a record whose verdict is stored has nothing to fear: its signal stays', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage, { renewal: 'touch' });
    const [first] = claim.owned;
    const signal = first?.signal;
    await first?.begin();
    await first?.done();
    await stage.advance(60_000);
    assert.deepEqual([claim.signal.aborted, signal?.aborted], [true, false]);
  });
});

describe('once every record is settled', () => {
  it('nothing is renewed, no timer is left, and the signal never fires', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage);
    await Promise.all(claim.owned.map((record) => record.begin()));
    const [a, b, c] = claim.owned;
    await Promise.all([a?.done(), b?.fail('x'), c?.unknown('y')]);
    assert.equal(claim.trustRemainingMs(), 0);
    await stage.advance(600_000);
    assert.equal(claim.signal.aborted, false);
    assert.equal(stage.store.callsOf('extendClaim').length, 0);
    assert.equal(stage.clock.pendingCount, 0);
    const answer = await claim.extend();
    assert.deepEqual([answer.outcome, answer.reason], ['lost', 'settled']);
  });

  it('a renewal that meets the last verdict on its way is no loss', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage, { ids: ['a'] });
    const [record] = claim.owned;
    await record?.begin();
    stage.store.next('work', answerTakes(2_000));
    const storing = record?.done();
    await stage.advance(0);
    const answer = await claim.extend();
    assert.deepEqual([answer.outcome, answer.reason], ['lost', 'settled']);
    await stage.advance(2_000);
    assert.equal((await storing)?.outcome, 'accepted');
    assert.deepEqual([claim.signal.aborted, warnings(stage)], [false, []]);
  });

  it('by somebody else, whoever works one is told, and the claim has lost nothing', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage, { ids: ['a'] });
    await stage.rawStore.returnUnworked({ pool: 'mails', token: claim.token ?? '', ids: null });
    await stage.advance(11_250);
    const { signal } = claim.owned[0] ?? claim;
    assert.equal(signal.aborted, true);
    assert.match((signal.reason as Error).message, /each of its records has its verdict or went back/);
    assert.deepEqual([claim.signal.aborted, claim.trustRemainingMs(), warnings(stage)], [false, 0, []]);
  });

  it('by a verdict given by token, the signal of the claim never fires, and leaving it says nothing', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    {
      await using claim = await claimOf(stage, { ids: ['a'] });
      await claim.owned[0]?.begin();
      await pool.verdict({ id: 'a', token: claim.token ?? '', verdict: 'done' });
      await stage.advance(120_000);
      assert.equal(claim.signal.aborted, false);
    }
    assert.deepEqual(warnings(stage), []);
  });
});

describe('leaving a claim', () => {
  it('gives back what was never begun, at once and without counting against it', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    {
      await using claim = await claimOf(stage);
      await claim.owned[0]?.begin();
      await claim.owned[0]?.done();
    }
    assert.deepEqual(
      (await pool.records()).map(({ id, state, attempt }) => [id, state, attempt]),
      [
        ['a', 'done', 1],
        ['b', 'queued', 0],
        ['c', 'queued', 0],
      ],
    );
    assert.equal(stage.clock.pendingCount, 0);
    assert.deepEqual(warnings(stage), []);
  });

  it('waits for verdicts that nobody waited for', async () => {
    await using stage = await openStage();
    {
      await using claim = await claimOf(stage, { ids: ['a'] });
      await claim.owned[0]?.begin();
      void claim.owned[0]?.done('ref');
    }
    assert.equal((await stage.leasehold.pool('mails').records())[0]?.state, 'done');
    assert.deepEqual(warnings(stage), []);
  });

  it('with records that were begun and have no verdict says so, and leaves them to be settled', async () => {
    await using stage = await openStage();
    {
      await using claim = await claimOf(stage);
      await claim.owned[0]?.begin();
    }
    assert.deepEqual(warnings(stage), [
      'warn: Claim of pool "mails" was left with 1 record without a verdict, to be settled once its lease is over.',
    ]);
    assert.equal((await stage.leasehold.pool('mails').records())[0]?.state, 'claimed');
    await stage.advance(60_000);
    await stage.leasehold.pool('mails').sweep();
    assert.equal((await stage.leasehold.pool('mails').records())[0]?.state, 'review');
  });

  it('that can not be given back is logged, and hides no error of the work', async () => {
    await using stage = await openStage();
    stage.store.always(refused, ['returnUnworked']);
    const working = (async () => {
      await using _claim = await claimOf(stage);
      throw new Error('the work failed');
    })();
    await assert.rejects(working, { message: 'the work failed' });
    assert.deepEqual(warnings(stage).slice(0, 2), [
      'warn: No answer to what was given back to pool "mails"; it is asked once more.',
      'warn: Claim of pool "mails" was not given back; its lease ends by itself.',
    ]);
    assert.equal(stage.store.callsOf('returnUnworked').length, 2);
  });

  it('gives back what it can say to have given back, also where the first answer is lost', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    const claim = await claimOf(stage);
    await claim.owned[0]?.begin();
    stage.store.next('returnUnworked', answerLost);
    const some = await claim.returnUnworked(['b']);
    assert.deepEqual([some.returned, some.kept.map(({ id }) => id)], [[{ id: 'b', version: '' }], ['a', 'c']]);
    assert.match(some.message, /^Gave 1 record of claim \S+ back to pool "mails"; it keeps 2 records/u);
    stage.store.next('returnUnworked', answerLost);
    const rest = await claim.returnUnworked();
    assert.deepEqual([rest.returned, rest.kept.map(({ id }) => id)], [[{ id: 'c', version: '' }], ['a']]);
    assert.deepEqual(
      (await pool.records()).map(({ id, state }) => `${id} ${state}`),
      ['a claimed', 'b queued', 'c queued'],
    );
    assert.equal((await pool.records({ id: 'b' }))[0]?.attempt, 0);
  });

  it('asks once more for a return by token', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage, { renewal: 'touch' });
    stage.store.next('returnUnworked', refused);
    const answer = await stage.leasehold.pool('mails').returnUnworked({ token: claim.token ?? '' });
    assert.equal(answer.returned.length, 3);
    stage.store.next('returnUnworked', refused, refused);
    await assert.rejects(stage.leasehold.pool('mails').returnUnworked({ token: claim.token ?? '' }), (error) =>
      isLeaseholdError(error, 'STORE_UNREACHABLE'),
    );
  });

  it('with implied begin gives back only what is named', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    {
      await using claim = await claimOf(stage, { begin: 'implied' });
      const answer = await claim.returnUnworked(['b']);
      assert.deepEqual([answer.returned.length, answer.kept.length], [1, 2]);
    }
    assert.deepEqual(
      (await pool.records()).map(({ state }) => state),
      ['claimed', 'queued', 'claimed'],
    );
  });
});

describe('leaving a claim whose records are no longer its own', () => {
  it('says nothing of those that went back or got their verdict by token', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    {
      await using claim = await claimOf(stage);
      const [a] = claim.owned;
      await a?.begin();
      await pool.verdict({ id: 'a', token: claim.token ?? '', verdict: 'done' });
      await pool.returnUnworked({ token: claim.token ?? '' });
    }
    assert.deepEqual(warnings(stage), []);
  });

  it('says nothing of one whose begin was refused because another has it', async () => {
    await using stage = await openStage();
    stage.store.always(refused, ['returnUnworked']);
    {
      await using claim = await claimOf(stage, { ids: ['a'], renewal: 'touch' });
      await stage.rawStore.returnUnworked({ pool: 'mails', token: claim.token ?? '', ids: null });
      await stage.leasehold.pool('mails').claim({ ids: ['a'], holder: 'other' });
      assert.equal((await claim.owned[0]?.begin())?.reason, 'not_owner');
    }
    assert.deepEqual(warnings(stage), []);
  });
});

describe('after the process was busy or stopped', () => {
  it('whoever asks for a signal has the one that the clock says, in the same turn', async () => {
    await using stage = await openStage();
    const claim = await claimOf(stage, { ids: ['a', 'b'], renewal: 'touch' });
    const [a, b] = claim.owned;
    stage.clock.suspend(55_000);
    assert.equal(a?.signal.aborted, true);
    assert.equal(claim.signal.aborted, true);
    const { outcome, reason } = (await b?.begin()) ?? {};
    assert.deepEqual([outcome, reason], ['refused', 'lease_over']);
    assert.equal(stage.store.callsOf('work').length, 0);
  });
});

describe('closing the store', () => {
  it('waits for verdicts on their way', async () => {
    const stage = await openStage();
    const claim = await claimOf(stage, { ids: ['a'] });
    await claim.owned[0]?.begin();
    stage.store.next('work', refused, refused);
    const storing = claim.owned[0]?.done();
    const closing = stage.leasehold.close();
    await stage.advance(5_000);
    await closing;
    assert.equal((await storing)?.outcome, 'accepted');
  });

  it('gives them a minute at most, and their callers are told', async () => {
    const stage = await openStage();
    const claim = await claimOf(stage, { ids: ['a'] });
    await claim.owned[0]?.begin();
    stage.store.always(refused, ['work']);
    const storing = claim.owned[0]?.done();
    const told = assert.rejects(Promise.resolve(storing), { code: 'STORE_UNREACHABLE', isClosed: true });
    const closing = stage.leasehold.close();
    await stage.advance(60_000);
    await closing;
    await told;
    assert.ok(warnings(stage).some((line) => line.startsWith('error: Could not store the verdict of record "a"')));
  });
});
