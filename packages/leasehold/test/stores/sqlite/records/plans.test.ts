/** Each statement about records finds what it looks for by an index: a pool may have a million records that are done. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { parseSqlBlocks } from '../../../../src/stores/sql-blocks.ts';

const STORE = new URL('../../../../src/stores/sqlite/', import.meta.url);
const FILES = readdirSync(new URL('sql/', STORE)).filter((name) => /^(?:record|pools|clock)/.test(name));

/** Tables that grow with the work that is done. */
const GROWS = /\bSCAN (?:records|claims|former_owners|payloads|events|r|c|f|p|o|open)\b(?! USING)/;

/** Statements that may read a table from its end, with the reason. */
const READ_WHOLE: Readonly<Record<string, string>> = {
  settled_records: 'the newest come first, and they are what it wants',
  live_claims: 'reads what it has found by an index',
};

/** What the statements of every claim, begin and verdict must be found by, whatever the planner thinks of. */
const FOUND_BY: Readonly<Record<string, readonly string[]>> = {
  next_in_queue: [
    'r USING INDEX records_queue (pool=? AND not_before=?)',
    'o USING INDEX sqlite_autoindex_records_1 (pool=? AND id=?)',
  ],
  next_due: ['r USING INDEX records_queue (pool=? AND not_before>? AND not_before<?)'],
  known_offers: [
    'r USING INDEX sqlite_autoindex_records_1 (pool=? AND id=? AND version=?)',
    'c USING PRIMARY KEY (token=?)',
  ],
  plain_to_begin: ['r USING INDEX sqlite_autoindex_records_1 (pool=? AND id=?)'],
  begin_plain: ['records USING INTEGER PRIMARY KEY (rowid=?)'],
  plain_to_finish: ['r USING INDEX sqlite_autoindex_records_1 (pool=? AND id=?)'],
  finish_plain: ['records USING INTEGER PRIMARY KEY (rowid=?)'],
  record_to_work: ['records USING INDEX sqlite_autoindex_records_1 (pool=? AND id=?)'],
  record_of_owner: ['records USING INDEX sqlite_autoindex_records_1 (pool=? AND id=?)'],
  record_of_former_owner: ['f USING PRIMARY KEY (pool=? AND id=?)'],
  open_named_versions: ['records USING INDEX records_versions (pool=? AND id=?)'],
  expired_unbegun: [
    'c USING INDEX claims_open (pool=? AND lease_until<?)',
    'r USING INDEX records_of_claim (pool=? AND <expr>=? AND is_begun=?)',
  ],
  expired_begun: [
    'c USING INDEX claims_open (pool=? AND lease_until<?)',
    'r USING INDEX records_of_claim (pool=? AND <expr>=? AND is_begun=?)',
  ],
  flagged: ['r USING INDEX records_flagged (pool=? AND unknown_at<?)'],
  close_claims: [
    'c USING INDEX claims_open (pool=? AND lease_until<?)',
    'USING INDEX records_of_claim (pool=? AND <expr>=?)',
  ],
  claims_ahead: ['claims USING INDEX claims_ahead (pool=? AND <expr>>?)'],
  any_claimed: ['records USING INDEX records_of_claim (pool=? AND <expr>=?)'],
  records_to_work: ['records USING INDEX records_of_claim (pool=? AND <expr>=?)'],
  reviewed_to_ask: ['r USING INDEX records_to_ask (pool=?)'],
  flagged_to_ask: ['r USING INDEX records_flagged (pool=?'],
  expired_to_ask: ['c USING INDEX claims_open (pool=? AND lease_until<?)'],
  lock_of_token: ['runs USING INDEX sqlite_autoindex_runs_2 (token=?)'],
  records_of_pool: ['r USING INDEX sqlite_autoindex_records_1 (pool=? AND (id,version)>(?,?))'],
  records_for_a_person: ['r USING INDEX records_attention (pool=? AND state=? AND id>?)'],
  claimed_records: ['r USING INDEX records_of_claim (pool=?)'],
  pool_counts: [
    'USING COVERING INDEX sqlite_autoindex_records_1 (pool=?)',
    'USING COVERING INDEX records_queue (pool=?)',
    'USING COVERING INDEX records_queue (pool=? AND not_before>?)',
    'USING COVERING INDEX records_waiting (pool=?)',
    'USING COVERING INDEX records_of_claim (pool=?)',
    'USING COVERING INDEX records_attention (pool=? AND state=?)',
    'USING COVERING INDEX records_cancelled (pool=?)',
  ],
};

/** Statements that every claim and every call of begins and verdicts runs. */
const OFTEN = [
  'clock_base',
  'pool_by_name',
  'claim_by_token',
  'claim_of_repeat',
  'claims_ahead',
  'expired_unbegun',
  'expired_begun',
  'flagged',
  'close_claims',
  'next_due',
  'next_in_queue',
  'remember_owners',
  'take_records',
  'taken_records',
  'plain_to_begin',
  'begin_plain',
  'plain_to_finish',
  'finish_plain',
];

const SCHEMA = readdirSync(new URL('migrations/', STORE))
  .toSorted()
  .map((name) => readFileSync(new URL(`migrations/${name}`, STORE), 'utf8'))
  .join('\n');
const database = new DatabaseSync(':memory:');
database.exec(SCHEMA);

const statements = FILES.flatMap((file) => [...parseSqlBlocks(readFileSync(new URL(`sql/${file}`, STORE), 'utf8'))]);

function planOf(statement: string): string[] {
  return database
    .prepare(`explain query plan ${statement}`)
    .all()
    .map(({ detail }) => String(detail));
}

/** What SQLite asks of an authorizer while the statement runs twice: it asks when it prepares, and not else. */
function preparedAnew(sql: string): number {
  let asked = 0;
  const parameters: Record<string, number | null> = {};
  for (const [, name = ''] of sql.matchAll(/:([a-z_]+)/g)) parameters[name] = null;
  const fresh = new DatabaseSync(':memory:');
  fresh.exec(SCHEMA);
  fresh.setAuthorizer(() => {
    asked += 1;
    return constants.SQLITE_OK;
  });
  const statement = fresh.prepare(sql);
  assert.ok(asked > 0, 'preparing it is seen');
  const runWith = (limit: number): unknown =>
    statement.all('limit' in parameters ? { ...parameters, limit } : parameters);
  runWith(1);
  asked = 0;
  for (const limit of [2, 3]) runWith(limit);
  fresh.close();
  return asked;
}

describe('plans of the statements about records', () => {
  for (const [name, statement] of statements) {
    test(`${name} reads no table as a whole`, () => {
      const plan = planOf(statement);
      if (!Object.hasOwn(READ_WHOLE, name)) {
        assert.deepEqual(
          plan.filter((step) => GROWS.test(step)),
          [],
        );
      }
      for (const found of FOUND_BY[name] ?? []) {
        assert.ok(
          plan.some((step) => step.includes(found)),
          `${found} is not in\n${plan.join('\n')}`,
        );
      }
    });
  }

  for (const [name, statement] of statements) {
    if (OFTEN.includes(name)) test(`${name} stays prepared`, () => assert.equal(preparedAnew(statement), 0));
  }

  test('control: a statement whose limit is a parameter alone is prepared at each call', () => {
    assert.ok(preparedAnew('select no from records where pool = :pool order by id limit :limit') > 0);
  });

  test('every statement that is meant is there', () => {
    const names = statements.map(([name]) => name);
    for (const name of [...Object.keys(FOUND_BY), ...Object.keys(READ_WHOLE), ...OFTEN])
      assert.ok(names.includes(name), name);
  });

  test('control: a statement without an index is seen', () => {
    assert.ok(planOf("select 1 from records where error = 'x'").some((step) => GROWS.test(step)));
  });
});
