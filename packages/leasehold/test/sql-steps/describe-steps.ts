/** What the printed statements do, on every engine alike. Leases end by back-dating rows. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../src/platform/system-clock.ts';
import { type Bench, OwnTable } from './bench.ts';

export function describeSteps(engine: string, open: () => Promise<Bench>): void {
  describe(`the statements for one's own table, on ${engine}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await open();
    });
    after(async () => await bench[Symbol.asyncDispose]());
    const make = async (count: number, ...options: string[]): Promise<OwnTable> =>
      await OwnTable.withRows(bench, count, options);

    describeClaims(make);
    describeBegins(make);
    describeVerdicts(make);
    describeSweeps(make);
  });
}

type Make = (count: number, ...options: string[]) => Promise<OwnTable>;

function describeClaims(make: Make): void {
  it('a claim takes the next rows in order, never more than its limit, under one token', async () => {
    const table = await make(5, '--limit', '2');
    const first = await table.claim('one');
    const second = await table.claim('two');
    assert.deepEqual(
      [first.ids, second.ids],
      [
        [1, 2],
        [3, 4],
      ],
    );
    assert.notEqual(first.token, second.token);
    assert.ok(first.token.length >= 32);
    assert.deepEqual([(await table.claim()).ids, (await table.claim()).ids], [[5], []]);
    const row = await table.row(1);
    assert.deepEqual([row['status'], row['claimed_by'], row['attempts']], ['claimed', 'one', 1]);
    assert.equal(String(row['begun_at']), String(row['claimed_at']), 'it counts as begun');
  });

  it('rows come in the order that is asked for', async () => {
    const table = await make(3, '--order-column', 'payload', '--limit', '1');
    await table.bench.query(`update ${table.name} set payload = 'a' where id = 3`);
    assert.deepEqual((await table.claim()).ids, [3]);
  });

  it('a row without a status, or of a word that nobody named, is left alone', async () => {
    const table = await make(3);
    await table.bench.query(`update ${table.name} set status = null where id = 1`);
    await table.bench.query(`update ${table.name} set status = 'archived' where id = 2`);
    assert.deepEqual((await table.claim()).ids, [3]);
  });

  it('with --free-null and several free words all of them are claimed, and come back with the first', async () => {
    const table = await make(4, '--free-null', '--free-status', 'new,again');
    await table.bench.query(`update ${table.name} set status = null where id = 1`);
    await table.bench.query(`update ${table.name} set status = 'new' where id = 2`);
    await table.bench.query(`update ${table.name} set status = 'again' where id = 3`);
    const { ids, token } = await table.claim();
    assert.deepEqual(ids, [1, 2, 3], 'queued is no free word here');
    await table.run('failed', { id: 3, token });
    assert.equal((await table.row(3))['status'], 'new');
  });

  it('by id it takes those that are free, once each, and leaves the rest to "why"', async () => {
    const table = await make(6, '--limit', '3');
    const { token } = await table.claim('other');
    await table.run('done', { id: 2, token });
    const rows = await table.run('ids', { holder: 'me', ids: '[6, 3, 2, 6, "5", 99, null, 4]' });
    assert.deepEqual(
      rows.map((row) => Number(row['id'])).toSorted((a, b) => a - b),
      [4, 5, 6],
    );
    const why = await table.run('why', { ids: '[1, 2, 4]' });
    assert.deepEqual(
      why.map((row) => [Number(row['id']), row['status'], row['claimed_by']]),
      [
        [1, 'claimed', 'other'],
        [2, 'done', 'other'],
        [4, 'claimed', 'me'],
      ],
    );
  });

  it('two activations for one row, 20 ms apart, have one winner (C74)', async () => {
    const table = await make(1);
    const activate = async (holder: string, afterMs: number): Promise<number> => {
      const query = await table.bench.connect();
      await systemClock.sleep(afterMs);
      return (await table.run('ids', { holder, ids: '[1]' }, query)).length;
    };
    assert.deepEqual(
      (await Promise.all([activate('first', 0), activate('second', 20)])).toSorted((a, b) => a - b),
      [0, 1],
    );
  });

  it('by id it keeps the limit and the order of the list, and an empty list claims nothing', async () => {
    const table = await make(4, '--limit', '2');
    assert.deepEqual(await table.run('ids', { holder: 'me', ids: '[]' }), []);
    const rows = await table.run('ids', { holder: 'me', ids: '[4, 2, 1, 3]' });
    assert.deepEqual(
      rows.map((row) => Number(row['id'])).toSorted((a, b) => a - b),
      [2, 4],
    );
  });
}

function describeBegins(make: Make): void {
  it('a row under a live claim is handed out to nobody else, begun or not, by order or by id', async () => {
    const table = await make(2, '--explicit-begin');
    const { token } = await table.claim('one');
    await table.run('begin', { id: 2, token });
    assert.deepEqual((await table.claim('two')).ids, []);
    assert.deepEqual(await table.run('ids', { holder: 'two', ids: '[1, 2]' }), []);
    assert.equal((await table.row(1))['claimed_by'], 'one');
  });

  it('a claim that ended before its begin is handed out again, and its old token can do nothing', async () => {
    const table = await make(1, '--explicit-begin');
    const old = await table.claim('old');
    assert.equal((await table.row(1))['attempts'], 0);
    await table.endLeases();
    const next = await table.claim('next');
    assert.deepEqual(next.ids, [1]);
    const stored = await table.row(1);
    for (const step of ['begin', 'done', 'failed', 'failed-permanent', 'unknown', 'review']) {
      assert.deepEqual(await table.run(step, { id: 1, token: old.token }), [], step);
    }
    for (const step of ['extend', 'return']) assert.deepEqual(await table.run(step, { token: old.token }), [], step);
    assert.deepEqual(await table.row(1), stored);
  });

  it('a begin is accepted while the lease lives, is repeated, and counts once', async () => {
    const table = await make(1, '--explicit-begin');
    const { token } = await table.claim();
    for (let time = 0; time < 2; time += 1) assert.equal((await table.run('begin', { id: 1, token })).length, 1);
    assert.equal((await table.row(1))['attempts'], 1);
    await table.endLeases();
    assert.deepEqual(await table.run('begin', { id: 1, token }), [], 'not after the lease, not even repeated');
  });

  it('a begin needs what a call takes to remain of the lease', async () => {
    const table = await make(1, '--explicit-begin', '--lease', '20s', '--call-timeout', '15s');
    const { token } = await table.claim();
    assert.equal((await table.run('begin', { id: 1, token })).length, 1);
    const sooner =
      table.bench.dialect === 'postgres'
        ? "claimed_until - interval '10 s'"
        : "strftime('%Y-%m-%dT%H:%M:%fZ', claimed_until, '-10 seconds')";
    await table.bench.query(`update ${table.name} set claimed_until = ${sooner}`);
    assert.deepEqual(await table.run('begin', { id: 1, token }), []);
  });

  it('an extension moves the end of a live claim, and of none that is over, taken or not', async () => {
    const table = await make(2);
    const { token } = await table.claim();
    await table.run('done', { id: 2, token });
    const sooner =
      table.bench.dialect === 'postgres'
        ? "claimed_until - interval '5 minutes'"
        : "strftime('%Y-%m-%dT%H:%M:%fZ', claimed_until, '-300 seconds')";
    await table.bench.query(`update ${table.name} set claimed_until = ${sooner} where id = 1`);
    const end = String((await table.row(1))['claimed_until']);
    assert.deepEqual(
      (await table.run('extend', { token })).map((row) => Number(row['id'])),
      [1],
    );
    assert.notEqual(String((await table.row(1))['claimed_until']), end);
    await table.endLeases();
    assert.deepEqual(await table.run('extend', { token }), []);
  });

  it('what was never begun is given back whole, a row that counts as begun only by its id', async () => {
    const explicit = await make(3, '--explicit-begin');
    const { token } = await explicit.claim();
    await explicit.run('begin', { id: 2, token });
    const returned = await explicit.run('return', { token });
    assert.deepEqual(
      returned.map((row) => Number(row['id'])).toSorted((a, b) => a - b),
      [1, 3],
    );
    const implied = await make(2);
    const claim = await implied.claim();
    assert.equal((await implied.run('return', { id: 1, token: claim.token })).length, 1);
    const row = await implied.row(1);
    assert.deepEqual([row['status'], row['attempts'], row['begun_at']], ['queued', 0, null]);
  });
}

function describeVerdicts(make: Make): void {
  it('done needs no live lease, is accepted twice, and the row is never handed out again', async () => {
    const table = await make(1);
    const { token } = await table.claim();
    await table.endLeases();
    for (let time = 0; time < 2; time += 1) assert.equal((await table.run('done', { id: 1, token })).length, 1);
    await table.endLeases();
    await table.run('sweep');
    assert.deepEqual((await table.claim()).ids, []);
    assert.deepEqual(await table.run('ids', { holder: 'h', ids: '[1]' }), []);
    for (const step of ['failed', 'failed-permanent', 'unknown', 'review']) {
      assert.deepEqual(await table.run(step, { id: 1, token }), [], step);
    }
    assert.equal((await table.row(1))['status'], 'done');
  });

  it('a failure that may pass queues the row again, at its last attempt it goes to review', async () => {
    const table = await make(1, '--attempts', '2');
    const first = await table.claim();
    for (let time = 0; time < 2; time += 1) {
      const [row] = await table.run('failed', { id: 1, token: first.token });
      assert.deepEqual([row?.['status'], row?.['attempts']], ['queued', 1], 'said twice, it counts once');
    }
    const second = await table.claim();
    assert.deepEqual(
      await table.run('failed', { id: 1, token: first.token }),
      [],
      'of an older claim it counts no more',
    );
    assert.equal((await table.run('failed', { id: 1, token: second.token }))[0]?.['status'], 'review');
    assert.deepEqual((await table.claim()).ids, []);
  });

  it('failed for good, unknown and review are never handed out again by themselves', async () => {
    const table = await make(3);
    const { token } = await table.claim();
    await table.run('failed-permanent', { id: 1, token });
    await table.run('unknown', { id: 2, token });
    await table.run('review', { id: 3, token });
    await table.endLeases();
    await table.run('sweep');
    assert.deepEqual((await table.claim()).ids, []);
    assert.deepEqual(await table.counts(), { failed: 1, review: 2 });
  });

  it('a late done counts as long as nobody has claimed the row since: in review, failed and queued again', async () => {
    const table = await make(3);
    const { token } = await table.claim();
    await table.run('unknown', { id: 1, token });
    await table.run('failed-permanent', { id: 2, token });
    await table.run('failed', { id: 3, token });
    for (const id of [1, 2, 3]) assert.equal((await table.run('done', { id, token })).length, 1, String(id));
    assert.deepEqual(await table.counts(), { done: 3 });
  });

  it('a token does nothing for a row that it never had', async () => {
    const table = await make(2, '--limit', '1');
    const { token } = await table.claim();
    await table.claim();
    assert.deepEqual(await table.run('done', { id: 2, token }), []);
    assert.deepEqual(await table.run('done', { id: 99, token }), []);
  });
}

function describeSweeps(make: Make): void {
  it('a sweep frees what never began and gives a person what began, and touches no live claim', async () => {
    const table = await make(3, '--explicit-begin', '--limit', '2');
    const { token } = await table.claim('dead');
    await table.run('begin', { id: 2, token });
    await table.claim('alive');
    const live = await table.row(3);
    await table.endLeases('dead');
    const swept = await table.run('sweep');
    assert.deepEqual(Object.fromEntries(swept.map((row) => [Number(row['id']), row['status']])), {
      1: 'queued',
      2: 'review',
    });
    assert.deepEqual(await table.row(3), live);
  });

  it('a row that somebody marked as claimed by hand goes to review: nobody knows whether it began', async () => {
    const table = await make(1);
    await table.bench.query(`update ${table.name} set status = 'claimed'`);
    assert.deepEqual((await table.claim()).ids, []);
    await table.run('sweep');
    assert.equal((await table.row(1))['status'], 'review');
  });

  it('where its work may be repeated, what began is queued again until its attempts are used up', async () => {
    const table = await make(1, '--redo', 'safe', '--attempts', '2');
    for (const status of ['queued', 'review']) {
      assert.deepEqual((await table.claim()).ids, [1]);
      await table.endLeases();
      await table.run('sweep');
      assert.equal((await table.row(1))['status'], status);
    }
  });

  it('a person sees what waits in review, and finishes it or queues it again', async () => {
    const table = await make(2);
    await table.claim('dead');
    await table.endLeases();
    await table.run('sweep');
    const waiting = await table.run('reviews');
    assert.deepEqual(
      waiting.map((row) => [Number(row['id']), row['claimed_by']]),
      [
        [1, 'dead'],
        [2, 'dead'],
      ],
    );
    assert.equal((await table.run('finish', { id: 1 })).length, 1);
    assert.equal((await table.run('requeue', { id: 2 })).length, 1);
    assert.deepEqual(await table.run('requeue', { id: 1 }), [], 'what is done stays done');
    assert.deepEqual((await table.claim()).ids, [2]);
    assert.equal((await table.row(2))['attempts'], 1);
  });

  it('a composite id tells rows apart, in claims and in verdicts', async () => {
    const { bench } = await make(1);
    const name = `parts_${bench.dialect}`;
    await bench.query(
      `create table ${name} (shop text, no integer, status text default 'queued', primary key (shop, no))`,
    );
    await bench.query(`insert into ${name} (shop, no) values ('a', 1), ('a', 2), ('b', 1)`);
    const table = await OwnTable.of(bench, name, ['--id-column', 'shop,no', '--limit', '2']);
    const rows = await table.run('ids', { holder: 'h', ids: '[["b", 1], ["a", 2], ["c", 1]]' });
    assert.deepEqual(rows.map((row) => `${String(row['shop'])}${String(row['no'])}`).toSorted(), ['a2', 'b1']);
    const token = rows[0]?.['claim_token'];
    assert.equal((await table.run('done', { id1: 'b', id2: 1, token })).length, 1);
    assert.deepEqual(await table.run('done', { id1: 'a', id2: 1, token }), []);
    assert.deepEqual(
      (await table.run('next', { holder: 'h' })).map((row) => [row['shop'], row['no']]),
      [['a', 1]],
    );
    assert.deepEqual(await table.counts(), { claimed: 2, done: 1 });
  });
}
