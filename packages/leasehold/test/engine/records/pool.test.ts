/** A pool of the library: looking at it, setting it, deciding about its records. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStage } from '../stage.ts';

describe('records of a pool', () => {
  it('are listed in the order of id and version, a page at a time', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    await pool.enqueue(['c', 'a', 'b']);
    const first = await pool.records({ limit: 2 });
    assert.deepEqual(
      first.map(({ id }) => id),
      ['a', 'b'],
    );
    const after = first.at(-1) ?? null;
    assert.deepEqual(
      (await pool.records({ after })).map(({ id }) => id),
      ['c'],
    );
    assert.equal((await pool.records({ state: 'done' })).length, 0);
    assert.equal((await pool.records({ id: 'b' })).length, 1);
  });

  it('all come through every page', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    await pool.enqueue(Array.from({ length: 2_001 }, (_, n) => `r${n}`));
    const seen = new Set<string>();
    for await (const { id } of pool.allRecords()) seen.add(id);
    assert.equal(seen.size, 2_001);
  });
});

describe('a pool', () => {
  it('that nothing has touched has no status, and is made by the first change', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    assert.equal(await pool.status(), null);
    const changed = await pool.configure({ redo: 'safe', limit: 20, reason: 'the importer is idempotent' });
    assert.deepEqual([changed.outcome, changed.settings.redo, changed.settings.limit], ['changed', 'safe', 20]);
    assert.equal((await pool.status())?.redo, 'safe');
    assert.equal((await pool.configure({ redo: 'safe' })).outcome, 'unchanged');
    const [event] = await stage.leasehold.events({ pool: 'mails', kind: 'settings.changed' });
    assert.match(event?.message ?? '', /the importer is idempotent/);
  });

  it('keeps a verifier as JSON, given as an object or as text', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    await pool.configure({ verifier: { kind: 'function' } });
    assert.deepEqual(JSON.parse((await pool.status())?.verifier ?? ''), { kind: 'function' });
    assert.equal((await pool.configure({ verifier: null })).settings.verifier, null);
  });

  it('gets its call time-out with its verifier, unless the same change names one', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    const verifier = { kind: 'function', callTimeoutMs: 20_000 };
    assert.equal((await pool.configure({ verifier })).settings.callTimeoutMs, 20_000);
    assert.equal((await pool.status())?.callTimeoutMs, 20_000);
    await assert.rejects(pool.claim({ ids: ['a'], leaseMs: 10_000 }), {
      code: 'INVALID_ARGUMENT',
      message: 'lease is 10s, shorter than the call time-out of its pool (20s): no record of it could begin',
    });
    assert.equal(
      (await pool.configure({ verifier: JSON.stringify(verifier), callTimeoutMs: 0 })).settings.callTimeoutMs,
      0,
    );
    assert.equal((await pool.configure({ callTimeoutMs: 5_000 })).settings.callTimeoutMs, 5_000);
    assert.equal((await pool.configure({ verifier: { kind: 'function' } })).settings.callTimeoutMs, 5_000);
    await assert.rejects(pool.configure({ verifier: { ...verifier, callTimeoutMs: 700_000 } }), {
      code: 'INVALID_ARGUMENT',
    });
  });

  it('is listed with all others, with who has what', async () => {
    await using stage = await openStage();
    await stage.leasehold.pool('a').claim({ ids: ['1', '2'], holder: 'w1', holderInfo: { workflow: 'nightly' } });
    await stage.leasehold.pool('a').claim({ ids: ['3'], holder: 'w2', holderInfo: { workflow: 'hourly' } });
    await stage.leasehold.pool('b').claim({ ids: ['1'], holder: 'w1', holderInfo: { workflow: 'nightly' } });
    const pools = await stage.leasehold.pools();
    const held = pools.map(({ pool, claims }) => [
      pool,
      ...claims.map(({ holder, records }) => `${holder}: ${records}`),
    ]);
    assert.deepEqual(
      held.map(([pool, ...claims]) => [pool, ...claims.toSorted((a, b) => a.localeCompare(b))]),
      [
        ['a', 'w1: 2', 'w2: 1'],
        ['b', 'w1: 1'],
      ],
    );
  });

  it('is decided about by a person: done, queued again, failed, asked for', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    const claim = await pool.claim({ ids: ['a', 'b', 'c'] });
    for (const record of claim.owned) await record.review('looks odd');
    assert.equal((await pool.review({ id: 'a', action: 'done', providerRef: 7, reason: 'seen it' })).state, 'done');
    assert.equal((await pool.review({ id: 'b', action: 'requeue', reason: 'again' })).state, 'queued');
    assert.equal((await pool.review({ id: 'c', action: 'fail', reason: 'never' })).state, 'failed');
    assert.equal((await pool.review({ id: 'd', action: 'fail', reason: 'never' })).why, 'no_such_record');
    assert.equal((await pool.records({ id: 'a' }))[0]?.providerRef, '7');
  });

  it('advises a claim length and a limit from what its records took', async () => {
    await using stage = await openStage();
    const pool = stage.leasehold.pool('mails');
    assert.deepEqual((await pool.advise()).leaseMs, null);
    const claim = await pool.claim({ ids: ['a', 'b'] });
    for (const record of claim.owned) {
      await record.begin();
      await stage.advance(20_000);
      await record.done();
    }
    const { leaseMs, limit, sample } = await pool.advise();
    assert.deepEqual([leaseMs, limit, sample.records, sample.slowestMs], [80_000, 2, 2, 40_000]);
  });
});
