import assert from 'node:assert/strict';
import type { RecordKey, RecordState } from '../../../domain/records/record.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { DAY, MINUTE, SECOND } from '../stage/timeline.ts';
import { nameOf } from './stage/names.ts';

export const recordListFacts: readonly Fact[] = [
  fact('records are listed by id and version, by every byte, whatever the order in which they came', async (scene) => {
    const pool = scene.pool();
    const ids = ['b', 'ｚ', 'a', '🦉', 'B', 'ä', 'a b', 'ab'];
    await pool.enqueue(ids);
    assert.deepEqual((await pool.records()).map(nameOf), ['B', 'a', 'a b', 'ab', 'b', 'ä', 'ｚ', '🦉']);
  }),

  fact('records are found by state and by id, and page after page, each once', async (scene) => {
    const pool = scene.pool();
    for (const version of ['', '2', '10']) await pool.enqueue(['a', 'b'].map((id) => [id, version] as const));
    await pool.enqueue(['c', 'd']);
    await pool.done(await pool.owned(['c']), 'c');
    const found = async (
      state: RecordState | null,
      id: string | null,
      after: RecordKey | null,
      limit: number,
    ): Promise<string[]> => (await scene.store.records({ pool: 'orders', state, id, after, limit })).map(nameOf);
    assert.deepEqual(await found(null, null, null, 100), ['a', 'a/10', 'a/2', 'b', 'b/10', 'b/2', 'c', 'd']);
    assert.deepEqual(await found('queued', null, null, 100), ['a/10', 'b/10', 'd']);
    assert.deepEqual(await found('done', null, null, 100), ['c']);
    assert.deepEqual(await found('review', null, null, 100), []);
    assert.deepEqual(await found(null, 'b', null, 100), ['b', 'b/10', 'b/2']);
    assert.deepEqual(await found('queued', 'b', null, 100), ['b/10']);
    assert.deepEqual(await found(null, 'nowhere', null, 100), []);
    assert.deepEqual(await found(null, null, { id: 'a', version: '10' }, 3), ['a/2', 'b', 'b/10']);
    assert.deepEqual(await found('queued', null, { id: 'a', version: '10' }, 1), ['b/10']);
    const pages: string[] = [];
    let after: RecordKey | null = null;
    for (let page = 0; page < 5; page += 1) {
      const rows: RecordKey[] = await scene.store.records({ pool: 'orders', state: null, id: null, after, limit: 3 });
      pages.push(...rows.map(nameOf));
      after = rows.at(-1) ?? after;
    }
    assert.deepEqual(pages, ['a', 'a/10', 'a/2', 'b', 'b/10', 'b/2', 'c', 'd']);
  }),

  fact('events are found by pool, and those of locks are none of them', async (scene) => {
    const [one, other] = [scene.pool('one'), scene.pool('other')];
    await scene.acquired('one');
    await scene.skipped('one', 'held');
    for (const pool of [one, other]) await pool.toReview(await pool.owned(['a', 'b']), 'a');
    await one.set({ attempts: 3 });
    const found = async (pool: string | null, kind: string | null, limit = 100): Promise<string[]> =>
      (await scene.store.events({ lock: null, pool, kind, limit })).map((event) => `${event.pool} ${event.kind}`);
    assert.deepEqual(await found('one', null), ['one settings.changed', 'one record.review']);
    assert.deepEqual(await found('other', null), ['other record.review']);
    assert.deepEqual(await found('one', 'record.review'), ['one record.review']);
    assert.deepEqual(await found('one', null, 1), ['one settings.changed']);
    assert.deepEqual(await found(null, 'record.review'), ['other record.review', 'one record.review']);
    assert.equal((await found(null, null)).length, 4);
    assert.equal((await scene.store.events({ lock: 'one', kind: null, limit: 10 })).length, 1);
  }),

  fact('the times of a pool are those from claim to verdict', async (scene) => {
    const pool = scene.pool();
    assert.deepEqual(await scene.store.workTimes('orders'), {
      pool: 'orders',
      records: 0,
      slowestMs: null,
      p50Ms: null,
      p95Ms: null,
      eachP95Ms: null,
    });
    const claim = await pool.owned(['a', 'b', 'c', 'd']);
    for (const id of ['a', 'b', 'c']) {
      await scene.advance(MINUTE);
      await pool.done(claim, id);
    }
    await scene.advance(7 * MINUTE);
    await pool.failedForGood(claim, 'd');
    await pool.enqueue(['queued']);
    await pool.owned(['claimed']);
    await scene.advance(10 * SECOND);
    const times = await scene.store.workTimes('orders');
    assert.equal(times.records, 4);
    scene.assertElapsed(times.slowestMs, 10 * MINUTE, 'slowestMs');
    assert.ok(Number(times.p50Ms) >= 2 * MINUTE && Number(times.p50Ms) <= 3 * MINUTE + scene.driftMs, `${times.p50Ms}`);
    assert.ok(Number(times.p95Ms) > 3 * MINUTE && Number(times.p95Ms) <= 10 * MINUTE + scene.driftMs, `${times.p95Ms}`);
    assert.ok(Number(times.eachP95Ms) <= Number(times.p95Ms), 'a share of its claim’s time');
  }),

  fact('what retention takes, it takes no record and no claim that is under way', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b'], { leaseMs: 31 * DAY });
    await pool.done(claim, 'a', 'ref');
    await pool.owned(['over']).then((over) => pool.done(over, 'over'));
    await scene.advance(30 * DAY);
    await scene.store.prune({ runsMs: DAY, eventsMs: DAY, everyMs: 0, limit: 1_000 });
    assert.deepEqual(await pool.states(), ['a done', 'b claimed', 'over done']);
    assert.equal((await pool.extend(claim)).outcome, 'extended');
    assert.equal((await pool.done(claim, 'a', 'ref')).outcome, 'accepted');
  }),
];
