/** What SQL alone may send: the same limits as the library's, as SQLSTATE LH002. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, TestStore } from './database.ts';

const ACQUIRE = 'select * from leasehold.acquire($1, $2::interval, $3)';

for (const version of POSTGRES_VERSIONS) {
  describe(`arguments of the SQL functions on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    for (const [what, values] of [
      ['an empty lock name', ['', '1 minute', 'h']],
      ['a missing lock name', [null, '1 minute', 'h']],
      ['a lock name of 300 bytes', ['x'.repeat(300), '1 minute', 'h']],
      ['a lock name of 128 characters in 256 bytes', ['é'.repeat(128), '1 minute', 'h']],
      ['a newline in a lock name', ['a\nb', '1 minute', 'h']],
      ['a C1 control character in a lock name', ['a\u0085b', '1 minute', 'h']],
      ['an empty holder', ['a', '1 minute', '']],
      ['a lease of 0', ['a', '0', 'h']],
      ['a negative lease', ['a', '-1 minute', 'h']],
      ['a lease of 50 ms', ['a', '50 ms', 'h']],
      ['a lease of 400 days', ['a', '400 days', 'h']],
      ['a lease of 1 month', ['a', '1 month', 'h']],
      ['a lease of 1 month less 30 days', ['a', '1 month -30 days', 'h']],
      ['a missing lease', ['a', null, 'h']],
    ] as const) {
      it(`${what} is refused with LH002`, async () => {
        assert.equal((await failure(client, ACQUIRE, [...values])).code, 'LH002');
      });
    }

    it('a NUL in a name is refused by the server, which can store none', async () => {
      assert.equal((await failure(client, ACQUIRE, ['a\0b', '1 minute', 'h'])).code, '22021');
    });

    it('a lease that is no interval is refused by the server', async () => {
      assert.equal((await failure(client, ACQUIRE, ['a', 'abc', 'h'])).code, '22007');
    });

    it('a day is 24 hours, also over a change of daylight saving', async () => {
      await client.query("set time zone 'Europe/Berlin'");
      const answer = await row(client, ACQUIRE, ['day', '1 day', 'h']);
      assert.equal(answer['remaining_ms'], '86400000');
    });

    it('on_stale, status and reasons are checked', async () => {
      const bad = [
        "select leasehold.acquire('a', '1 minute', 'h', on_stale => 'x')",
        "select leasehold.acquire('a', '1 minute', 'h', on_stale => null)",
        "select leasehold.acquire('a', '1 minute', 'h', slot => 'infinity')",
        "select leasehold.acquire('a', '1 minute', 'h', slot => '1969-12-31T23:59:59Z')",
        "select leasehold.acquire('a', '1 minute', 'h', slot => '10000-01-01T00:00:00Z')",
        "select leasehold.pause('')",
        "select leasehold.pause('a', '')",
        'select leasehold.resume(null)',
        "select leasehold.release('a', 't', 'done')",
        "select leasehold.release('a', 't', after => '1 month')",
        "select leasehold.release('a', 't', lost => '')",
        "select leasehold.release('a', 't', lost => repeat('x', 1025))",
        "select leasehold.release('a', 't', lost => E'a\\nb')",
        "select leasehold.force_release('a', '')",
        "select leasehold.acquire('a', '1 minute', 'h', bypass_reason => '')",
        "select leasehold.renew('a', 't', progress => E'a\\nb')",
      ];
      for (const statement of bad) assert.equal((await failure(client, statement)).code, 'LH002', statement);
    });

    it('works from psql with the three arguments of the README', async () => {
      const answer = await row(client, "select * from leasehold.acquire('hourly-enrich', '125 minutes', 'exec-1')");
      assert.equal(answer['outcome'], 'acquired');
      assert.equal(answer['proceed'], true);
      assert.equal(answer['remaining_ms'], '7500000');
      const again = await row(client, "select * from leasehold.acquire('hourly-enrich', '125 minutes', 'exec-2')");
      assert.equal(again['proceed'], false);
      assert.equal(again['current_holder'], 'exec-1');
    });

    it('optional arguments are given by name and kept with the run', async () => {
      await row(
        client,
        `select * from leasehold.acquire('named', '1 minute', 'h', run_id => 'r-1', slot => '2026-03-29T01:00:00Z',
           again => true, trigger => 'manual', grace => '7 seconds', holder_info => '{"platform":"n8n"}')`,
      );
      const kept = await row(client, "select * from leasehold.runs where lock = 'named'");
      assert.equal((kept['slot_at'] as Date).toISOString(), '2026-03-29T01:00:00.000Z');
      assert.deepEqual(
        [kept['run_id'], kept['again'], kept['trigger'], kept['grace_ms'], kept['holder_info']],
        ['r-1', true, 'manual', '7000', { platform: 'n8n' }],
      );
    });

    it('a slot counts to the millisecond, as everywhere else', async () => {
      const start = "select * from leasehold.acquire('slotted', '1 minute', 'h', slot => $1)";
      const first = await row(client, start, ['2026-03-29T01:00:00.123456Z']);
      assert.equal((first['slot_at'] as Date).toISOString(), '2026-03-29T01:00:00.123Z');
      await row(client, "select * from leasehold.release('slotted', $1, 'success')", [first['token']]);
      assert.equal((await row(client, start, ['2026-03-29T01:00:00.123Z']))['outcome'], 'already_ran');
    });

    it('names that are near to one another stay different locks', async () => {
      for (const name of ['Job', 'job', 'JOB ', 'jöb', 'jo\u0308b']) {
        assert.equal((await row(client, ACQUIRE, [name, '1 minute', 'h']))['outcome'], 'acquired', name);
      }
    });
  });
}
