/** Databases, by SQL and by forms: what is read, what marks, and what only looks like either. */
import type { Drawn } from '../n8n/build.ts';
import type { Sample } from './corpus.ts';
import { marked, markedFirst, node, unmarked } from './parts.ts';

const sql = (query: string): Drawn => node('postgres', 2.5, { operation: 'executeQuery', query });
const form = (operation: string, table = 'orders', type = 'postgres'): Drawn =>
  node(type, 2.4, {
    operation,
    schema: { __rl: true, value: 'public' },
    table: { __rl: true, value: table, mode: 'list' },
  });

const NEW = sql("SELECT id, email FROM orders WHERE state = 'new' ORDER BY id LIMIT 20");
const DONE = sql("UPDATE orders SET state = 'done' WHERE id = {{ $json.id }}");
const MY_NEW = node('mySql', 2.4, {
  operation: 'executeQuery',
  query: "select * from `orders` where state='new' limit 5",
});
const MY_DONE = node('mySql', 2.4, {
  operation: 'executeQuery',
  query: "update `orders` set state='done' where id = ?",
});
const MS_NEW = node('microsoftSql', 1.1, {
  operation: 'executeQuery',
  query: 'select top 10 * from [dbo].[Orders] where Sent = 0',
});
const MS_DONE = node('microsoftSql', 1.1, {
  operation: 'executeQuery',
  query: 'update dbo.Orders set Sent = 1 where Id = 7',
});

/** A claim needs nothing more. */
const CLAIMS: readonly (readonly [name: string, query: string])[] = [
  [
    'rows-that-are-taken-and-marked-at-once',
    "update orders set state = 'taken' where id in (select id from orders where state = 'new' limit 20 for update skip locked) returning *",
  ],
  [
    'a-claim-in-a-common-table-expression',
    "with next as (select id from orders where state = 'new' order by id limit 20 for update skip locked) update orders o set state = 'taken' from next where o.id = next.id returning o.*",
  ],
  ['a-claim-by-our-function', "select * from leasehold.claim_next('orders', '{{ $execution.id }}', 20, '10 min')"],
];

export const DATABASES: readonly Sample[] = [
  marked('sql-select-mail-update', [NEW, DONE]),
  marked('sql-in-another-case-and-schema', [sql('select * from Public."orders" where state=\'new\' limit 9'), DONE]),
  marked('sql-read-by-form-marked-by-query', [form('select'), DONE]),
  marked('sql-read-by-query-marked-by-form', [NEW, form('update')]),
  marked('sql-mark-by-delete', [NEW, sql('DELETE FROM orders WHERE id = 7')]),
  marked('sql-mark-by-upsert', [
    NEW,
    sql("INSERT INTO orders (id, state) VALUES (7, 'done') ON CONFLICT (id) DO UPDATE SET state = 'done'"),
  ]),
  marked('sql-mark-by-merge', [
    NEW,
    sql("MERGE INTO orders o USING sent s ON o.id = s.id WHEN MATCHED THEN UPDATE SET state = 'done'"),
  ]),
  marked('sql-mark-by-form-upsert', [NEW, form('upsert')]),
  // A note in the table that was read is the mark; that it is an insert makes it no key.
  marked('sql-mark-by-insert-into-the-same-table', [NEW, form('insert')]),
  marked('sql-a-comment-that-updates', [
    sql("-- update orders set state = 'done'\nselect * from orders limit 5"),
    DONE,
  ]),
  marked('sql-a-text-that-updates', [sql("select * from orders where note = 'update orders set x = 1' limit 5"), DONE]),
  marked('sql-a-read-that-makes-its-table', [
    sql('CREATE TABLE IF NOT EXISTS orders (id int); SELECT * FROM orders LIMIT 3;'),
    DONE,
  ]),
  marked('sql-a-join', [sql('select o.id from customers c join orders o on o.customer = c.id limit 5'), DONE]),
  marked('mysql-select-mail-update', [MY_NEW, MY_DONE]),
  marked('mysql-by-form', [form('select', 'orders', 'mySql'), form('update', 'orders', 'mySql')]),
  marked('mssql-select-mail-update', [MS_NEW, MS_DONE]),
  marked('mongo-find-mail-update', [
    node('mongoDb', 1.1, { collection: 'orders', options: { limit: 5 } }),
    node('mongoDb', 1.1, { operation: 'update', collection: 'orders' }),
  ]),
  marked('supabase-get-mail-update', [
    node('supabase', 1, { operation: 'getAll', tableId: 'orders', limit: 5 }),
    node('supabase', 1, { operation: 'update', tableId: 'orders' }),
  ]),
  marked('data-table-get-mail-update', [
    node('dataTable', 1, { operation: 'get', dataTableId: { __rl: true, value: 'dt1' } }),
    node('dataTable', 1, { operation: 'update', dataTableId: { __rl: true, value: 'dt1' } }),
  ]),
  marked('dynamo-get-all-mail-upsert', [
    node('awsDynamoDb', 1, { operation: 'getAll', tableName: 'orders', limit: 5 }),
    node('awsDynamoDb', 1, { operation: 'upsert', tableName: 'orders' }),
  ]),
  marked('elasticsearch-get-all-mail-update', [
    node('elasticsearch', 1, { operation: 'getAll', indexId: 'orders', limit: 5 }),
    node('elasticsearch', 1, { operation: 'update', indexId: 'orders' }),
  ]),
  markedFirst('sql-marked-before-the-mail', [NEW, DONE]),
  markedFirst('mysql-marked-before-the-mail', [MY_NEW, MY_DONE]),
  unmarked('sql-nothing-marks', [NEW]),
  unmarked('sql-a-mark-in-another-table', [NEW, sql('UPDATE customers SET mailed = true WHERE id = 7')]),
  unmarked('sql-a-note-in-another-table', [NEW, form('insert', 'mail_log')]),
  unmarked('sql-a-mark-in-another-database', [
    NEW,
    { ...DONE, credentials: { postgres: { id: 'b2', name: 'other' } } },
  ]),
  unmarked('mongo-a-mark-in-another-collection', [
    node('mongoDb', 1.1, { collection: 'orders', options: { limit: 5 } }),
    node('mongoDb', 1.1, { operation: 'update', collection: 'customers' }),
  ]),
  unmarked('sql-of-the-last-hour', [sql("SELECT * FROM orders WHERE created_at > now() - interval '1 hour'")], {
    finds: ['window.no-status-write warning', 'guard.missing warning', 'window.high-water-mark warning'],
  }),
  // What a statement does that is only known at run time nobody can say; the mail behind it is sent by the clock.
  unmarked('sql-that-is-only-known-when-it-runs', [sql('={{ $json.sql }}')], {
    finds: ['guard.missing info'],
    paths: [],
  }),
  unmarked('sql-of-a-function', [sql("select * from take_orders('x')")], { finds: ['guard.missing info'], paths: [] }),
  unmarked('sql-of-nothing', [sql('select 1')], { finds: ['guard.missing info'], paths: [] }),
  ...CLAIMS.map(([name, query]) => unmarked(name, [sql(query)], { finds: [], paths: [] })),
];
