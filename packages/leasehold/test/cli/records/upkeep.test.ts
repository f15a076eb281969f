/** What expired claims left is settled by whoever comes next, and what nobody settles is said (C69). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linesOf } from '../command-line.ts';
import { endClaimsNow, openRows } from '../store-rows.ts';
import { type Answer, type Asked, ask, claim, idsOf, tokenOf } from './answers.ts';
import { openInProcess } from './in-process.ts';

/** A claim of three that is over: two were never begun, one was. */
async function openLeft(): Promise<Asked & Disposable> {
  const bench = openInProcess();
  const token = tokenOf(await claim(bench, ['p', '--ids', 'a,b,c', '--explicit-begin', '--holder', 'gone:1']));
  await ask(bench, ['begin', 'p', 'c', '--token', token], 0);
  endClaimsNow(bench, 'p');
  return bench;
}

/** As the rows say it: any command of records would settle them first. */
function states(bench: Asked): string[] {
  using database = openRows(bench);
  const rows = database.prepare('select id, state from records order by id').all();
  return rows.map((row) => `${String(row['id'])} ${String(row['state'])}`);
}

const SETTLED = ['a queued', 'b queued', 'c review'];

describe('what an expired claim left', () => {
  it('is settled by a claim before it takes its own, and told', async () => {
    using bench = await openLeft();
    const next = await claim(bench, ['p']);
    assert.deepEqual(next.settled, { requeued: 2, review: 1, cancelled: 0 });
    assert.deepEqual(idsOf(next.owned), ['a', 'b']);
    const events = await bench.json<Answer>(['events', '--pool', 'p', '--kind', 'record.requeued']);
    assert.deepEqual(
      events.map((event) => String(event['recordId'])).toSorted((a, b) => a.localeCompare(b)),
      ['a', 'b'],
    );
  });

  it('is said by a claim to people', async () => {
    using bench = await openLeft();
    const { stderr } = await bench.run(['claim', 'p']);
    assert.match(stderr, /^leasehold: Of expired claims: 2 queued again, 1 in review, 0 cancelled\./m);
  });

  for (const args of [
    ['records', 'p'],
    ['pool', 'p'],
    ['enqueue', 'p', '--ids', 'd'],
    ['extend', 'p', '--token', 'stranger', '--lease', '10m'],
    ['return', 'p', '--token', 'stranger'],
    ['review', 'p'],
  ]) {
    it(`is settled at the end of ${args[0]}`, async () => {
      using bench = await openLeft();
      await bench.run(args);
      assert.deepEqual(states(bench).slice(0, 3), SETTLED);
    });
  }

  it('is settled by sweep, in one pool or in all, which says so', async () => {
    for (const args of [['sweep'], ['sweep', 'p']]) {
      using bench = await openLeft();
      const { code, stdout } = await bench.run(args);
      assert.equal(code, 0);
      assert.match(stdout, /^Settled pool "p": 2 queued again, 1 in review, 0 cancelled\. \[/);
      assert.deepEqual(states(bench), SETTLED);
      const [again] = await bench.json<Answer>([...args]);
      assert.deepEqual(
        Object.keys(again ?? {}).join(' '),
        'pool requeued review cancelled done waiting asked overtaken toAsk isComplete',
      );
      assert.deepEqual([again?.['requeued'], again?.['review'], again?.['toAsk']], [0, 0, 0]);
    }
  });

  it('is settled by work, once for all, which says so', async () => {
    using bench = await openLeft();
    const { code, stdout } = await bench.run(['work', '--once', '--json']);
    assert.equal(code, 0);
    const [told] = linesOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    const pools = [{ pool: 'p', requeued: 2, review: 1, cancelled: 0, toAsk: 0 }];
    assert.deepEqual(told, { duty: 'sweep', pools });
    assert.deepEqual(states(bench), SETTLED);
  });

  it('is not touched by commands of locks', async () => {
    using bench = await openLeft();
    await bench.run(['run', 'job', '--', 'true']);
    assert.deepEqual(states(bench), ['a claimed', 'b claimed', 'c claimed']);
  });
});

describe('what nobody settles', () => {
  it('is said by doctor, with the oldest claim', async () => {
    using bench = await openLeft();
    {
      using database = openRows(bench);
      database.exec('update claims set lease_until = lease_until - 172800000, claimed_at = claimed_at - 172800000');
    }
    const { stdout } = await bench.run(['doctor']);
    assert.match(
      stdout,
      /^warning +claims +Pool "p": 3 records of claims that are over, the oldest since 2d \(gone:1\), and nobody has claimed or swept since\./m,
    );
    assert.deepEqual(states(bench), ['a claimed', 'b claimed', 'c claimed'], 'doctor writes nothing');
    await bench.run(['sweep']);
    const swept = await bench.run(['doctor']);
    assert.match(swept.stdout, /^ok +claims +No claim is over without being settled \(1 pool\)\./m);
    assert.match(swept.stdout, /^warning +review +Pool "p": 1 record in review: a person has to decide\./m);
  });

  it('a sweep of no pool, and of one that is not known, is exit 0 and said', async () => {
    using bench = openInProcess();
    await bench.run(['migrate']);
    const none = await bench.run(['sweep']);
    assert.deepEqual([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, /^leasehold: No pool yet\. \[/);
    const unknown = await bench.run(['sweep', 'p']);
    assert.match(unknown.stderr, /^leasehold: Pool "p" is not known: nothing has been enqueued or claimed\. \[/);
  });
});

describe('what was written by hand', () => {
  it('a payload that is no JSON is handed out as text, since the claim stands', async () => {
    using bench = openInProcess();
    await ask(bench, ['enqueue', 'p', '--ids-file', '-'], 0, '{"id":"a","payload":{"x":1}}');
    {
      using database = openRows(bench);
      database.exec(`update payloads set payload = '{oh'`);
    }
    const claimed = await claim(bench, ['p']);
    assert.deepEqual(
      claimed.owned.map(({ id, payload }) => [id, payload]),
      [['a', '{oh']],
    );
  });
});
