/**
 * Claims and enqueues that name the same records in other orders at once, many rounds of them: each waits its turn or passes
 * by, and none ends in a deadlock (40P01) or a time-out (55P03).
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { POSTGRES_VERSIONS, type Row, rows, TestStore } from '../database.ts';

const ROUNDS = 20;
const CLAIM = `select id, owned from leasehold.claim($1, 'h', $2, 10000)`;
const FEW = `select id, owned from leasehold.claim($1, 'h', $2, 10)`;
const ENQUEUE = `select (e).added from leasehold.enqueue($1, $2) e`;

function owners(answers: readonly Row[]): string[] {
  return answers.filter((each) => each['owned'] === true).map((each) => String(each['id']));
}

function named(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);
}

for (const version of POSTGRES_VERSIONS) {
  describe(`calls in opposite orders on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let one: pg.Client;
    let other: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      one = await test.client();
      other = await test.client();
      for (const pool of ['versioned', 'both', 'lists']) {
        await one.query(`select leasehold.enqueue($1, array['v'], array['1'])`, [pool]);
      }
    });
    after(async () => await test[Symbol.asyncDispose]());

    async function both(statement: string, pool: string, ids: readonly string[]): Promise<Row[]> {
      const answers = await Promise.all([
        rows(one, statement, [pool, ids]),
        rows(other, statement, [pool, ids.toReversed()]),
      ]);
      return answers.flat();
    }

    for (const pool of ['plain', 'versioned']) {
      it(`claims of new ids forward and backward (${pool}): each id has one owner`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const ids = named(`${round}`, 30);
          const owned = owners(await both(CLAIM, pool, ids));
          assert.deepEqual(owned.toSorted(), ids);
        }
      });

      it(`claims of known ids forward and backward (${pool}): each id has one owner`, async () => {
        for (let round = 0; round < 5; round += 1) {
          const ids = named(`known-${round}`, 450);
          await rows(one, ENQUEUE, [pool, ids]);
          const owned = owners(await both(CLAIM, pool, ids));
          assert.deepEqual(owned.toSorted(), ids);
        }
      });

      it(`enqueues of new ids forward and backward (${pool}): each is counted once as added`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const added = await both(ENQUEUE, pool, named(`e-${round}`, 30));
          assert.equal(
            added.reduce((sum, each) => sum + Number(each['added']), 0),
            30,
          );
        }
      });

      it(`claims whose new ids lie far apart in the offer, with done ones between (${pool})`, async () => {
        const between = named(`d-${pool}`, 199);
        await rows(one, ENQUEUE, [pool, between]);
        await one.query(`update leasehold.records set state = 'done' where pool = $1 and id = any($2)`, [
          pool,
          between,
        ]);
        for (let round = 0; round < 60; round += 1) {
          const owned = owners(await both(FEW, pool, [`z-${round}`, ...between, `a-${round}`]));
          assert.equal(owned.length, 2);
        }
      });
    }

    it('claims and enqueues with versions, and without, at once', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const ids = named(`m-${round}`, 20);
        await Promise.all([
          rows(one, `select id from leasehold.claim('both', 'h', $1, 10, versions => $2)`, [
            ids,
            ids.map(() => `${round % 3}`),
          ]),
          rows(other, `select id from leasehold.claim('both', 'h', $1, 10)`, [ids.toReversed()]),
        ]);
      }
    });
  });
}
