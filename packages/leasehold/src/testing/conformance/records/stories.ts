import assert from 'node:assert/strict';
import type { ClaimAnswer } from '../../../domain/records/record.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { DAY, HOUR, MINUTE } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';

/** Somebody's provider, which counts what it sends: never what a claim says of itself. */
class Mailer {
  readonly sent: string[] = [];

  /** Works a claim record by record: sent, then said. `dies` after so many are sent, before it says so of the last. */
  async work(pool: Pool, claim: ClaimAnswer, dies = Number.POSITIVE_INFINITY): Promise<void> {
    const token = { token: claim.token ?? '' };
    for (const { id } of claim.owned) {
      if ((await pool.begin(token, id)).outcome !== 'accepted') continue;
      this.sent.push(id);
      if (this.sent.length >= dies) return;
      await pool.done(token, id, `mail of ${id}`);
    }
  }
}

const people = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `person-${String(index).padStart(2, '0')}`);

export const recordStoryFacts: readonly Fact[] = [
  fact('eight replicas that wake at once send one report (C94)', async (scene) => {
    const pool = scene.pool();
    const mailer = new Mailer();
    const claims = await Promise.all(Array.from({ length: 8 }, () => pool.claim(['report of week 2'])));
    for (const claim of claims) await mailer.work(pool, claim);
    assert.deepEqual(mailer.sent, ['report of week 2']);
    const whys = claims.flatMap((claim) => claim.refused.map(({ why }) => why));
    assert.deepEqual(
      whys,
      Array.from({ length: 7 }, () => 'claimed'),
      'each of the others is told why not',
    );
  }),

  fact('two servers with one crontab, each with retries, send each mail once (C95)', async (scene) => {
    const pool = scene.pool();
    const mailer = new Mailer();
    const ids = people(10);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const claims = await Promise.all([pool.claim(ids), pool.claim(ids.toReversed())]);
      for (const claim of claims) await mailer.work(pool, claim);
      await scene.advance(MINUTE);
    }
    assert.deepEqual(mailer.sent.toSorted(), ids);
  }),

  fact('a worker that dies in the middle of a batch has its mails sent by nobody again (C92)', async (scene) => {
    const pool = scene.pool();
    const mailer = new Mailer();
    await pool.enqueue(people(30));
    await mailer.work(pool, await pool.next(30, { explicitBegin: true }), 12);
    await scene.advance(LEASE);
    await mailer.work(pool, await pool.next(30, { explicitBegin: true }));
    assert.deepEqual(mailer.sent.toSorted(), people(30), 'each once');
    const { done, review } = await pool.status();
    assert.deepEqual([done, review], [29, 1], 'and the one of which nobody knows needs a person');
  }),

  fact(
    'two crons in one second mail a person once a day, and a day without a run is made up for (C93)',
    async (scene) => {
      const pool = scene.pool();
      const mailer = new Mailer();
      const due = (days: readonly number[]): string[] => days.map((day) => `person-1 day ${day}`);
      for (const days of [[1], [1, 2, 3]]) {
        const claims = await Promise.all([pool.claim(due(days)), pool.claim(due(days))]);
        for (const claim of claims) await mailer.work(pool, claim);
        await scene.advance(2 * DAY);
      }
      assert.deepEqual(mailer.sent.toSorted(), due([1, 2, 3]));
    },
  ),

  fact(
    'a contact that meets two conditions goes through a campaign once, and through another as well (C90)',
    async (scene) => {
      const pool = scene.pool();
      const first = await pool.claim(['contact-1 welcome']);
      const second = await pool.claim(['contact-1 welcome', 'contact-1 birthday']);
      assert.deepEqual([idsOf(first), idsOf(second)], [['contact-1 welcome'], ['contact-1 birthday']]);
      assert.deepEqual(refusalsOf(second), ['contact-1 welcome claimed']);
    },
  ),

  fact('a poison row whose failure could never be noted is still there after every clean-up (C98)', async (scene) => {
    const pool = scene.pool();
    await pool.owned(['poison']);
    await scene.advance(LEASE);
    await pool.settle();
    await scene.advance(400 * DAY);
    await scene.store.prune({ runsMs: DAY, eventsMs: DAY, everyMs: 0, limit: 10_000 });
    await pool.settle();
    assert.deepEqual(await pool.states(), ['poison review']);
    assert.deepEqual(refusalsOf(await pool.claim(['poison'])), ['poison review']);
    assert.equal((await pool.status()).review, 1);
  }),

  fact('each row is worked within a bounded number of ticks, however often a tick dies (C63, C97)', async (scene) => {
    const pool = scene.pool();
    const mailer = new Mailer();
    await pool.enqueue(people(20));
    let ticks = 0;
    while ((await pool.status()).done < 20 && ticks < 20) {
      ticks += 1;
      const claim = await pool.next(5, { explicitBegin: true });
      // Every other tick dies before it begins anything.
      if (ticks % 2 === 0) await mailer.work(pool, claim);
      await scene.advance(HOUR);
    }
    assert.deepEqual([mailer.sent.toSorted(), ticks <= 12], [people(20), true], `${ticks} ticks`);
  }),
];
