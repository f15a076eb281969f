/** What the SQL functions say by themselves, word for word; what they say of a lock is compared with the library by the conformance suite. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { TestStore } from '../stores/postgres/database.ts';

const LONG = "repeat('x', 256)";

/** Statement, SQLSTATE, message, hint. */
const REFUSED: readonly [statement: string, code: string, message: string, hint?: string][] = [
  ["acquire('', '1 minute', 'h')", 'LH002', 'lock name is empty; give it 1 to 255 bytes'],
  [`acquire(${LONG}, '1 minute', 'h')`, 'LH002', 'lock name is 256 bytes long; the limit is 255'],
  ["acquire(E'a\\nb', '1 minute', 'h')", 'LH002', 'lock name has control characters (a newline, a tab); remove them'],
  ["acquire('a', null, 'h')", 'LH002', 'lease is missing'],
  [
    "acquire('a', '1 month', 'h')",
    'LH002',
    'lease "1 mon" has months or years, which have no fixed length; write days or hours',
  ],
  ["acquire('a', '400 days', 'h')", 'LH002', 'lease is "400 days"; it must lie between 1s and 31d'],
  ["acquire('a', '1 minute', 'h', on_stale => 'x')", 'LH002', 'on_stale is "x"; it must be reclaim or hold'],
  [
    "acquire('a', '1 minute', 'h', slot => 'infinity')",
    'LH002',
    'slot is "infinity"; it must be an instant between the years 1970 and 9999',
  ],
  ["acquire('a', '1 minute', 'h', holder_info => '[]')", 'LH002', 'holder_info must be a JSON object'],
  [
    "acquire('a', '1 minute', 'h', evidence => '{}')",
    'LH002',
    'evidence must have fence, leaseUntil, state (alive, ended or unknown) and detail',
  ],
  [
    `acquire('a', '1 minute', 'h', evidence => '{"fence": 1, "leaseUntil": "2026-11-30", "state": "ended", "detail": ""}')`,
    'LH002',
    'detail of the evidence is empty; give it 1 to 1024 bytes',
  ],
  ["release('a', 't', 'done')", 'LH002', 'status is "done"; it must be success or failure'],
  [
    "assert_holder('a', 't')",
    'LH001',
    'Lost lock "a": no run of it has this token; stop, and check its name and the token.',
    'Roll this transaction back: another run may be doing the same work.',
  ],
];

describe('of the SQL functions', () => {
  let test: TestStore;
  let client: pg.Client;
  before(async () => {
    test = await TestStore.open(18);
    client = await test.client();
  });
  after(async () => await test[Symbol.asyncDispose]());

  /** What the last of these statements fails with. */
  async function said(...statements: string[]): Promise<{ code?: string; message?: string; hint?: string }> {
    const refused = statements.pop() ?? '';
    for (const statement of statements) await client.query(statement);
    try {
      await client.query(refused);
    } catch (error) {
      return error as { code: string; message: string; hint?: string };
    }
    throw new Error(`it should have failed: ${refused}`);
  }

  for (const [statement, code, message, hint] of REFUSED) {
    it(message, async () => {
      const error = await said(`select leasehold.${statement}`);
      assert.deepEqual([error.code, error.message, error.hint], [code, message, hint]);
    });
  }

  it('Not decided: ask after holder h of lock "b", and come back with the evidence.', async () => {
    await client.query(`select leasehold.acquire('b', '1 minute', 'h', holder_info => '{"probe": "mine"}')`);
    const { rows } = await client.query<{ outcome: string; message: string }>(
      `select outcome, message from leasehold.acquire('b', '1 minute', 'h2', probes => '{mine}')`,
    );
    assert.deepEqual(rows, [
      {
        outcome: 'probe_first',
        message: 'Not decided: ask after holder h of lock "b", and come back with the evidence.',
      },
    ]);
  });

  it('leasehold.acquire was called inside a transaction that has already written', async () => {
    const error = await said(
      'begin',
      'create temporary table work (id int)',
      "select leasehold.acquire('a', '1 minute', 'h')",
    );
    await client.query('rollback');
    assert.deepEqual(
      [error.code, error.message, error.hint],
      [
        'LH003',
        'leasehold.acquire was called inside a transaction that has already written',
        'Call it on its own, outside begin ... commit: a rollback would take the lease away.',
      ],
    );
  });

  it('leasehold.renew was called inside a transaction that is over 1 s old', async () => {
    const error = await said('begin', 'select pg_sleep(1.1)', "select leasehold.renew('a', 't')");
    await client.query('rollback');
    assert.deepEqual(
      [error.code, error.message, error.hint],
      [
        'LH003',
        'leasehold.renew was called inside a transaction that is over 1 s old',
        'Call it on its own, outside begin ... commit: nobody sees the lease before the commit.',
      ],
    );
  });
});
