/** What the schema says of itself: the rules of the design that hold for every function and table. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { POSTGRES_VERSIONS, type Row, row, rows, TestStore } from './database.ts';

const FUNCTIONS = `
  select p.proname, p.provolatile, p.prosecdef, p.proconfig, p.prosqlbody is not null as has_parsed_body,
    p.proretset, coalesce(has_function_privilege('public', p.oid, 'execute'), false) as for_public,
    pg_get_function_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as result,
    t.typtype as result_kind
  from pg_proc p join pg_type t on t.oid = p.prorettype
  where p.pronamespace = 'leasehold'::regnamespace order by p.proname`;

/** Everything that makes up the schema, as text that does not depend on the server's version. */
const DUMP = `
  select 'table ' || c.relname || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end || coalesce(' collate ' || nullif(co.collname, 'default'), '')
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') || case a.attidentity when 'a' then ' identity' else '' end as line
  from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'c')
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation co on co.oid = a.attcollation
  where c.relnamespace = 'leasehold'::regnamespace and a.attnum > 0 and not a.attisdropped
  union all
  select 'options ' || c.relname || ' ' || array_to_string(c.reloptions, ', ')
  from pg_class c where c.relnamespace = 'leasehold'::regnamespace and c.reloptions is not null
  union all
  select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'leasehold'::regnamespace and contype <> 'n'
  union all
  select 'index ' || indexdef from pg_indexes where schemaname = 'leasehold'
  union all
  select 'function ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ') returns ' || pg_get_function_result(p.oid)
    || ' ' || case p.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end
    || case when p.prosecdef then ' security definer' else ' security invoker' end
    || coalesce(' set ' || array_to_string(p.proconfig, ', '), '')
  from pg_proc p where p.pronamespace = 'leasehold'::regnamespace
  order by 1`;

const DUMP_FILE = new URL('./schema.dump.txt', import.meta.url);

for (const version of POSTGRES_VERSIONS) {
  describe(`the schema on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    let functions: Row[];
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      functions = await rows(client, FUNCTIONS);
    });
    after(async () => await test[Symbol.asyncDispose]());

    const offenders = (isOffending: (each: Row) => boolean): unknown[] =>
      functions.filter(isOffending).map((each) => each['proname']);
    const isPublicCall = (each: Row): boolean => !String(each['proname']).startsWith('_');

    it('pins the search path of every function, or has its names resolved when it was created', () => {
      const pinned = 'search_path=pg_catalog, pg_temp';
      assert.deepEqual(
        offenders(
          (each) => !((each['proconfig'] as string[] | null) ?? []).includes(pinned) && !each['has_parsed_body'],
        ),
        [],
      );
    });

    it('lets nobody execute a function by default', () => {
      assert.deepEqual(
        offenders((each) => each['for_public'] === true),
        [],
      );
    });

    it('answers with flat columns from volatile functions', () => {
      const answering = [
        'acquire',
        'renew',
        'release',
        'assert_holder',
        'force_release',
        'status',
        'take_alerts',
        'settle_alert',
        'enqueue',
        'claim',
        'claim_next',
        'begin',
        'done',
        'failed',
        'unknown',
        'review',
        'extend',
        'return_unworked',
        'sweep',
        'records',
        'pools',
        'change_pool',
        'decide_record',
      ];
      for (const name of answering) {
        const found = functions.filter((each) => each['proname'] === name);
        assert.equal(found.length, 1, `${name} exists once`);
        assert.equal(found[0]?.['provolatile'], 'v', `${name} is volatile`);
        assert.equal(found[0]?.['result_kind'], 'c', `${name} answers a row`);
      }
    });

    it('runs what callers call as its owner, and nothing else', () => {
      assert.deepEqual(
        offenders((each) => each['prosecdef'] !== (isPublicCall(each) && each['proname'] !== 'grant_to')),
        [],
      );
    });

    it('bounds the wait of every call that waits for a row', () => {
      const bounded = functions
        .filter((each) => /lock_timeout/.test(String(each['proconfig'])))
        .map((each) => each['proname']);
      assert.deepEqual(bounded, [
        '_make_known_in_pieces',
        '_make_known_patiently',
        '_turn_soon',
        'apply_lookup',
        'assert_holder',
        'begin',
        'change_pool',
        'claim',
        'claim_next_records',
        'claim_records',
        'decide_record',
        'done',
        'enqueue_records',
        'extend',
        'failed',
        'force_release',
        'note_holder_ended',
        'pause',
        'prune',
        'release',
        'renew',
        'resume',
        'return_unworked',
        'review',
        'settle_alert',
        'sweep',
        'unknown',
        'work',
      ]);
    });

    it('compares names and ids by the C collation', async () => {
      const columns = await rows(
        client,
        `select table_name || '.' || column_name as name from information_schema.columns
         where table_schema = 'leasehold' and collation_name = 'C'
           and (table_name, column_name) in (('locks', 'name'), ('runs', 'lock'), ('runs', 'run_id'), ('runs', 'holder'),
             ('records', 'pool'), ('records', 'id'), ('records', 'version'), ('records', 'token'), ('claims', 'claim_id'),
             ('former_owners', 'token'), ('pools', 'pool'))`,
      );
      assert.equal(columns.length, 11);
    });

    it('has the signatures that are promised, and no overloads', () => {
      const signature = (name: string): unknown => functions.find((each) => each['proname'] === name)?.['arguments'];
      assert.match(
        String(signature('acquire')),
        /^lock_name text, lease interval, holder text, slot timestamp with time zone DEFAULT .*, run_id text DEFAULT .*, on_stale text DEFAULT .*, again boolean DEFAULT false, trigger text DEFAULT .*, grace interval DEFAULT .*, holder_info jsonb DEFAULT /,
      );
      assert.match(String(signature('renew')), /^lock_name text, token text, lease interval .*, progress text /);
      assert.match(String(signature('release')), /^lock_name text, token text, status text .*, after interval /);
      assert.equal(signature('assert_holder'), 'lock_name text, token text');
      assert.match(String(signature('force_release')), /^lock_name text, reason text, now boolean DEFAULT false$/);
      assert.match(String(signature('status')), /^lock_name text /);
      assert.match(
        String(signature('enqueue')),
        /^pool text, ids text\[\], versions text\[\] .*, payloads jsonb\[\] .*, not_before timestamp with time zone /,
      );
      assert.match(
        String(signature('claim')),
        /^pool text, holder text, ids text\[\], batch_limit integer .*, lease interval .*, versions text\[\] .*, claim_id text .*, lock_token text .*, explicit_begin boolean DEFAULT false/,
      );
      assert.match(String(signature('claim_next')), /^pool text, holder text, batch_limit integer .*, lease interval /);
      assert.equal(signature('begin'), 'pool text, id text, token text');
      assert.match(String(signature('done')), /^pool text, id text, token text, provider_ref text /);
      assert.match(String(signature('failed')), /^pool text, id text, token text, error text .*, permanent boolean /);
      assert.match(String(signature('unknown')), /^pool text, id text, token text, error text /);
      assert.match(String(signature('review')), /^pool text, id text, token text, error text /);
      assert.match(String(signature('extend')), /^pool text, token text, lease interval /);
      assert.match(String(signature('return_unworked')), /^pool text, token text/);
      assert.match(String(signature('sweep')), /^pool text/);
      assert.match(String(signature('records')), /^pool text/);
      const names = functions.map((each) => each['proname']);
      assert.equal(new Set(names).size, names.length);
    });

    it('is the schema of the checked-in dump (to renew it: LEASEHOLD_WRITE_DUMPS=1)', async () => {
      const dump = `${(await rows(client, DUMP)).map((each) => each['line']).join('\n')}\n`;
      if (process.env['LEASEHOLD_WRITE_DUMPS'] === '1') writeFileSync(DUMP_FILE, dump);
      assert.equal(dump, readFileSync(DUMP_FILE, 'utf8'));
    });

    it('names the server that ran', async (t) => {
      t.diagnostic(String((await row(client, 'select version()'))['version']));
    });
  });
}
