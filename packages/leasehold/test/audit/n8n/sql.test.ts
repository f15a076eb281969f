/** SQL that people put into nodes, and what it is taken for. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuMsOf } from './build.ts';
import { readSql } from '../../../src/audit/n8n-nodes/sql.ts';

type Expected = readonly [reads: readonly (string | null)[], writes: readonly string[], more?: string];

/** By statement: tables read, `table same` or `table again` written, and what else is so. */
const STATEMENTS: Readonly<Record<string, Expected>> = {
  "select * from orders where state = 'new'": [['orders'], []],
  'SELECT o.id FROM public.orders AS o JOIN "Customers" c ON c.id = o.customer LIMIT 5': [
    ['public.orders', '"customers"'],
    [],
    'limited',
  ],
  'select top 10 * from [dbo].[orders]': [['[dbo].[orders]'], [], 'limited'],
  "-- insert into a\nselect 1 from b /* update c */ where d = 'delete from e; -- f'": [['b'], []],
  "-- don't write\nselect * from a; -- it's only read": [['a'], []],
  'create table if not exists posts (id int); select * from posts': [['posts'], []],
  'insert into orders (id) values (1)': [[], ['orders again']],
  'insert into orders (id) values (1) on conflict (id) do update set n = 2': [[], ['orders same']],
  'insert into orders select * from staging': [['staging'], ['orders again']],
  'INSERT IGNORE INTO orders VALUES (1)': [[], ['orders same']],
  'insert into t values (1) on duplicate key update n = 2': [[], ['t same']],
  'replace into t values (1)': [[], ['t same']],
  "update orders set state = 'sent' where id = {{ $json.id }}": [[], ['orders same']],
  "update only orders set state = 'taken' where id = 1 returning *": [[], ['orders same'], 'claim'],
  'delete from orders where id = 1': [[], ['orders same']],
  'merge into a using b on a.id = b.id when matched then update set n = 1': [[], ['a same']],
  'truncate table a': [[], ['a same']],
  "with fresh as (select id from orders where state = 'new') select * from fresh": [['orders'], []],
  'with moved as (delete from a returning *) insert into b select * from moved': [[], ['a same', 'b again'], 'claim'],
  "with due as (select id from orders limit 5 for update skip locked) update orders set state = 'taken' where id in (select id from due)":
    [['orders'], ['orders same'], 'claim limited'],
  'select * from orders where exists (select 1 from sent where sent.id = orders.id)': [['orders', 'sent'], []],
  'select extract(epoch from now())': [[], []],
  'select now()': [[], []],
  'select send_mail(1)': [[], [], 'unknown'],
  'call do_everything()': [[], [], 'unknown'],
  'exec sp_who': [[], [], 'unknown'],
  '={{ $json.query }}': [[], [], 'unknown'],
  '': [[], [], 'unknown'],
  '=select * from {{ $json.table }}': [[null], []],
  '=insert into {{ $json.table }} (a) values (1)': [[], ['null again']],
  "select * from leasehold.acquire('jobs', interval '5 min', 'n8n')": [[], [], 'lock'],
  "select * from leasehold.claim_next('orders', 'n8n', 50)": [[], [], 'claim-of-ours'],
  'do $$ begin delete from a; end $$': [[], [], 'unknown'],
  'select distinct from_city from trips where a is distinct from b': [['trips'], []],
  'SELECT sum(x) FROM orders WHERE day=current_date-1': [['orders'], [], 'figure'],
  'select count(*)::int as n, coalesce(max(id), 0) from orders where state in (select name from states group by name)':
    [['orders', 'states'], [], 'figure'],
  'with late as (select * from orders where due < 5) select round(avg(days)) from late': [['orders'], [], 'figure'],
  'set search_path = a; select count(*) from orders': [['orders'], [], 'figure'],
  'select customer, sum(x) from orders group by customer': [['orders'], []],
  'select json_agg(o), count(*) from orders o': [['orders'], []],
  'select id, sum(x) over (order by id) from orders': [['orders'], []],
  'select max(x) from a union all select id from b': [['a', 'b'], []],
  'select id, (select count(*) from b) from a': [['b', 'a'], []],
  'select count(*) from a; select * from b': [['a', 'b'], []],
  'select summary, count_of from orders': [['orders'], []],
  'insert into totals select count(*) from orders': [['orders'], ['totals again']],
  'begin; update a set b = 1; commit;': [[], ['a same']],
};

describe('SQL in nodes', () => {
  for (const [sql, [reads, writes, more = '']] of Object.entries(STATEMENTS)) {
    it(`${sql.slice(0, 60) || '(empty)'} … is read as ${more || 'what it says'}`, () => {
      const found = readSql(sql);
      assert.deepEqual(
        found.reads.filter((table) => table === null || !table.startsWith('now')),
        reads,
      );
      assert.deepEqual(
        found.writes.map(({ table, repeat }) => `${table} ${repeat}`),
        writes,
      );
      const facts = [
        found.isClaim ? 'claim' : '',
        found.ours?.guard === 'claim' ? 'claim-of-ours' : (found.ours?.guard ?? ''),
        found.isUnknown ? 'unknown' : '',
        found.isLimited ? 'limited' : '',
        found.isFigure ? 'figure' : '',
      ];
      assert.equal(facts.filter((fact) => fact !== '').join(' '), more);
    });
  }

  it('a text without end takes no time', () => {
    const texts = [
      "'".repeat(50_000),
      '('.repeat(100_000),
      'with a as ('.repeat(9_000),
      '/*'.repeat(50_000),
      '{{'.repeat(50_000),
      '$a$'.repeat(30_000),
    ];
    const took = cpuMsOf(() => texts.forEach((text) => readSql(text)));
    assert.ok(took < 3_000, `${took} ms`);
  });
});
