/** A record in the hands of its claim: begin, verdicts, signals. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LeaseholdError } from '../../../src/errors.ts';
import type { Claim, ClaimedRecord, ClaimOptions } from '../../../src/engine/records/claim-api.ts';
import type { Pool } from '../../../src/engine/records/api.ts';
import { answerLost, answerTakes, hangs, refused } from '../scripted-store.ts';
import { openStage, type Stage } from '../stage.ts';

interface Scene extends Stage {
  readonly pool: Pool;
  readonly claim: Claim;
  readonly record: ClaimedRecord;
}

async function openScene(options: ClaimOptions = {}, settings: Parameters<Pool['configure']>[0] = {}): Promise<Scene> {
  const stage = await openStage();
  const pool = stage.leasehold.pool('mails');
  await pool.configure(settings);
  const claim = await pool.claim({ ids: ['a', 'b', 'c'], leaseMs: 60_000, ...options });
  const [record] = claim.owned;
  assert.ok(record !== undefined);
  return Object.assign(stage, { pool, claim, record });
}

describe('begin', () => {
  it('is accepted once, and again, and counts once', async () => {
    await using scene = await openScene();
    const first = await scene.record.begin();
    assert.deepEqual([first.outcome, first.attempt, first.remainingMs], ['accepted', 1, 60_000]);
    assert.equal((await scene.record.begin()).outcome, 'accepted');
    assert.equal((await scene.pool.records({ id: 'a' }))[0]?.attempt, 1);
  });

  it('whose answer was lost is given again, and counts once', async () => {
    await using scene = await openScene();
    scene.store.next('work', answerLost);
    const beginning = scene.record.begin();
    await scene.advance(1_000);
    assert.equal((await beginning).outcome, 'accepted');
    assert.equal((await scene.pool.records({ id: 'a' }))[0]?.attempt, 1);
  });

  it('of a record that another claim has is refused, and fires its signal, not those of its neighbours', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    const { signal } = scene.record;
    await scene.rawStore.returnUnworked({ pool: 'mails', token: scene.claim.token ?? '', ids: ['a'] });
    await scene.pool.claim({ ids: ['a'], holder: 'other' });
    const answer = await scene.record.begin();
    assert.deepEqual([answer.outcome, answer.reason], ['refused', 'not_owner']);
    assert.ok(signal.aborted && signal.reason instanceof LeaseholdError && signal.reason.code === 'LEASE_LOST');
    assert.equal(signal.reason.message, answer.message);
    assert.equal(scene.claim.owned[1]?.signal.aborted, false);
    assert.equal(scene.claim.signal.aborted, false);
    const again = await scene.record.begin();
    assert.deepEqual([again.outcome, again.reason], ['refused', 'not_owner']);
    assert.equal(scene.store.callsOf('work').length, 1, 'what was refused for good is not asked again');
  });

  it('of a record that was given back, or has its verdict, is refused and fires its signal as well', async () => {
    await using scene = await openScene();
    await scene.claim.returnUnworked(['a']);
    assert.equal(scene.record.signal.aborted, false);
    assert.equal((await scene.record.begin()).outcome, 'refused');
    assert.equal(scene.record.signal.aborted, true);
    const [, second] = scene.claim.owned;
    await second?.begin();
    await second?.done('ref');
    assert.equal((await second?.begin())?.reason, 'not_claimed');
    assert.equal(second?.signal.aborted, true);
  });

  it('after the signal of its claim is refused without asking the store', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    await scene.advance(50_000);
    assert.equal(scene.record.signal.aborted, true);
    const answer = await scene.record.begin();
    assert.deepEqual(
      [answer.outcome, answer.reason, answer.message],
      ['refused', 'lease_over', 'Refused to begin record "a" of pool "mails": its signal has fired; send nothing.'],
    );
    assert.equal(scene.store.callsOf('work').length, 0);
  });

  it('that is accepted after the signal has fired is refused all the same', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    await scene.advance(48_000);
    scene.store.next('work', answerTakes(3_000));
    const beginning = scene.record.begin();
    await scene.advance(3_000);
    const { outcome, reason, message } = await beginning;
    assert.deepEqual(
      [outcome, reason, message],
      ['refused', 'lease_over', 'Refused to begin record "a" of pool "mails": its signal has fired; send nothing.'],
    );
  });

  it('whose store hangs ends with the signal, not with the call', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    await scene.advance(48_000);
    scene.store.always(hangs, ['work']);
    let endedAt = 0;
    const beginning = scene.record.begin().finally(() => (endedAt = scene.clock.read().monotonicMs));
    const from = scene.clock.read().monotonicMs;
    await scene.advance(2_000);
    assert.equal(endedAt - from, 2_000);
    const { outcome, reason, message } = await beginning;
    assert.deepEqual(
      [outcome, reason, message],
      ['refused', 'lease_over', 'Refused to begin record "a" of pool "mails": its signal has fired; send nothing.'],
    );
    await scene.advance(60_000);
  });

  it('by token whose store hangs ends when its patience does', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    scene.store.always(refused, ['work']);
    const from = scene.clock.read().monotonicMs;
    let tookMs = 0;
    const beginning = assert
      .rejects(scene.pool.begin({ id: 'a', token: scene.claim.token ?? '' }), /send nothing for it/u)
      .finally(() => (tookMs = scene.clock.read().monotonicMs - from));
    await scene.advance(8_000);
    scene.store.always(hangs, ['work']);
    await scene.advance(12_000);
    await beginning;
    assert.ok(tookMs >= 10_000 && tookMs <= 11_000, `${tookMs} ms`);
  });

  it('with too little of the lease left extends the claim and asks once more', async () => {
    await using scene = await openScene({}, { callTimeoutMs: 60_000 });
    await scene.advance(5_000);
    const answer = await scene.record.begin();
    assert.deepEqual([answer.outcome, answer.remainingMs], ['accepted', 60_000]);
  });

  it('with too little of the lease left is refused where nothing may be renewed', async () => {
    await using scene = await openScene({ renewal: 'touch' }, { callTimeoutMs: 60_000 });
    await scene.advance(5_000);
    assert.equal((await scene.record.begin()).reason, 'lease_over');
    assert.equal(scene.record.signal.aborted, true);
  });

  it('that can not be stored while the lease lasts ends with the signal: nothing is sent late', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    scene.store.always(refused, ['work']);
    const beginning = scene.record.begin();
    await scene.advance(55_000);
    assert.deepEqual([(await beginning).outcome, (await beginning).reason], ['refused', 'lease_over']);
  });
});

describe('verdicts', () => {
  it('each leave the record where it belongs', async () => {
    await using scene = await openScene({ ids: ['a', 'b', 'c', 'd', 'e'] });
    const [a, b, c, d, e] = scene.claim.owned;
    await Promise.all(scene.claim.owned.map((record) => record.begin()));
    await Promise.all([
      a?.done('ref-1'),
      b?.fail(new Error('422')),
      c?.fail('no mailbox', { permanent: true }),
      d?.unknown(new Error('timed out')),
      e?.review('looks odd'),
    ]);
    const rows = await scene.pool.records();
    assert.deepEqual(
      rows.map(({ id, state, providerRef, error }) => [id, state, providerRef, error]),
      [
        ['a', 'done', 'ref-1', null],
        ['b', 'queued', null, '422'],
        ['c', 'failed', null, 'no mailbox'],
        ['d', 'claimed', null, 'timed out'],
        ['e', 'review', null, rows[4]?.error],
      ],
    );
    assert.equal(scene.store.callsOf('work').length, 2);
  });

  it('are accepted again and count once', async () => {
    await using scene = await openScene();
    await scene.record.begin();
    assert.equal((await scene.record.done('ref-1')).outcome, 'accepted');
    assert.equal((await scene.record.done('ref-1')).outcome, 'accepted');
  });

  it('of numbers as references are their text, and a reference that is none is refused alone', async () => {
    await using scene = await openScene();
    await scene.record.begin();
    const bad = await scene.record.done('two\nlines');
    assert.deepEqual(
      [bad.outcome, bad.reason, bad.message],
      [
        'refused',
        'invalid',
        'provider reference "two\\nlines" has control characters (a newline, a NUL, a tab); remove them',
      ],
    );
    assert.equal((await scene.record.done(4_711)).outcome, 'accepted');
    assert.equal((await scene.pool.records({ id: 'a' }))[0]?.providerRef, '4711');
  });

  it('keep their words to one line of 4,096 bytes, whatever was thrown', async () => {
    await using scene = await openScene();
    await scene.record.begin();
    await scene.record.fail(new Error(`bad\0\nthing ${'ü'.repeat(4_000)}`), { permanent: true });
    const [row] = await scene.pool.records({ id: 'a' });
    assert.ok(row?.error?.startsWith('bad  thing üüü'));
    assert.ok(new TextEncoder().encode(row?.error ?? '').length <= 4_096);
  });

  it('need no live lease', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    await scene.record.begin();
    await scene.advance(300_000);
    assert.equal((await scene.record.done('ref-1')).outcome, 'accepted');
  });

  it('are tried again through an outage of ten minutes, and their promise waits', async () => {
    await using scene = await openScene();
    await scene.record.begin();
    scene.store.always(hangs, ['work', 'extendClaim']);
    const storing = scene.record.done('ref-1');
    await scene.advance(600_000);
    scene.store.always(async (pass) => await pass(), ['work', 'extendClaim']);
    await scene.advance(10_000);
    assert.equal((await storing).outcome, 'accepted');
    assert.equal((await scene.pool.records({ id: 'a' }))[0]?.state, 'done');
  });

  it('are given up at their bound, and may be given again', async () => {
    await using scene = await openScene({ retryForMs: 30_000 });
    await scene.record.begin();
    scene.store.always(refused, ['work']);
    const storing = assert.rejects(scene.record.done('ref-1'), { code: 'STORE_UNREACHABLE' });
    await scene.advance(35_000);
    await storing;
    scene.store.always(async (pass) => await pass(), ['work']);
    assert.equal((await scene.record.done('ref-1')).outcome, 'accepted');
  });

  it('of a record that another one owns are refused, and fire its signal; a done is evidence', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    await scene.rawStore.returnUnworked({ pool: 'mails', token: scene.claim.token ?? '', ids: ['a', 'b'] });
    await scene.pool.claim({ ids: ['a', 'b'], holder: 'other' });
    const failed = await scene.record.fail('too late');
    assert.deepEqual([failed.outcome, failed.reason], ['refused', 'not_owner']);
    assert.equal(scene.record.signal.aborted, true);
    const done = await scene.claim.owned[1]?.done('ref-2');
    assert.deepEqual([done?.outcome, done?.state], ['evidence', 'done']);
  });
});

describe('by token, from any process', () => {
  it('a record is begun and gets its verdict, and the claim is extended and given back', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    const token = scene.claim.token ?? '';
    assert.equal((await scene.pool.begin({ id: 'a', token })).outcome, 'accepted');
    assert.equal((await scene.pool.verdict({ id: 'a', token, verdict: 'done', providerRef: 'x' })).state, 'done');
    await scene.advance(30_000);
    assert.equal((await scene.pool.extend({ token })).remainingMs, 60_000);
    const returned = await scene.pool.returnUnworked({ token });
    assert.deepEqual(
      returned.returned.map(({ id }) => id),
      ['b', 'c'],
    );
    assert.equal((await scene.pool.extend({ token })).outcome, 'lost');
  });

  it('what is said shares the claim, and what its own handle says does not', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    const token = scene.claim.token ?? '';
    const isShared = (method: 'work' | 'extendClaim' | 'returnUnworked'): boolean =>
      JSON.stringify(scene.store.callsOf(method).at(-1)?.request).includes('"isByToken":true');
    await scene.record.begin();
    assert.equal(isShared('work'), false);
    await scene.record.done();
    await scene.claim.extend();
    await scene.claim.returnUnworked(['b']);
    assert.deepEqual([isShared('work'), isShared('extendClaim'), isShared('returnUnworked')], [false, false, false]);
    await scene.pool.begin({ id: 'c', token });
    assert.equal(isShared('work'), true);
    await scene.pool.verdict({ id: 'c', token, verdict: 'unknown', error: 'timed out' });
    await scene.pool.extend({ token });
    await scene.pool.returnUnworked({ token });
    assert.deepEqual([isShared('work'), isShared('extendClaim'), isShared('returnUnworked')], [true, true, true]);
  });

  it('what is wrong with one of many is its own answer', async () => {
    await using scene = await openScene();
    const token = scene.claim.token ?? '';
    const answers = await Promise.all([
      scene.pool.begin({ id: 'a', token }),
      scene.pool.begin({ id: 'a\0', token }),
      scene.pool.verdict({ id: 'b', token, verdict: 'done', providerRef: 'x'.repeat(5_000) }),
      scene.pool.verdict({ id: 'c', token: 'to\nken', verdict: 'failed', error: 'x' }),
    ]);
    assert.deepEqual(
      answers.map(({ outcome, reason, message }) => [outcome, reason, outcome === 'refused' ? message : null]),
      [
        ['accepted', null, null],
        ['refused', 'invalid', 'record id "a\\u0000" has control characters (a newline, a NUL, a tab); remove them'],
        ['refused', 'invalid', 'provider reference is 5000 bytes long; the limit is 4096'],
        ['refused', 'invalid', 'token has control characters (a newline, a NUL, a tab); remove them'],
      ],
    );
  });

  it('a verdict through an outage of six seconds gets through', async () => {
    await using scene = await openScene({ renewal: 'touch' });
    scene.store.always(refused, ['work']);
    const token = scene.claim.token ?? '';
    const storing = scene.pool.verdict({ id: 'a', token, verdict: 'done' });
    await scene.advance(6_000);
    scene.store.always(async (pass) => await pass(), ['work']);
    await scene.advance(2_000);
    assert.equal((await storing).outcome, 'accepted');
  });
});
