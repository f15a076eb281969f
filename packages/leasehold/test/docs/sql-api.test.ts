/** docs/sql-api.md and docs/sql-records.md name every public function with its arguments, and each column of its answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POSTGRES_VERSIONS, rows, TestStore } from '../stores/postgres/database.ts';
import { codeBlocks, readPage } from './pages.ts';

const PAGE = `${readPage('docs/sql-api.md')}\n${readPage('docs/sql-records.md')}`;

/** Name, arguments without modes and defaults, and the columns of a composite answer. */
const PUBLIC_FUNCTIONS = `
  select p.proname as name,
    coalesce((
      select string_agg(p.proargnames[i] || ' ' || replace(format_type(p.proargtypes[i - 1], null),
        'timestamp with time zone', 'timestamptz'), ', ' order by i)
      from generate_series(1, p.pronargs) i
    ), '') as arguments,
    coalesce((
      select array_agg(a.attname::text order by a.attnum)
      from pg_type t join pg_attribute a on a.attrelid = t.typrelid and a.attnum > 0
      where t.oid = p.prorettype
    ), '{}') as columns
  from pg_proc p
  where p.pronamespace = 'leasehold'::regnamespace and p.proname not like '\\_%'
  order by p.proname`;

interface PublicFunction {
  readonly name: string;
  readonly arguments: string;
  readonly columns: readonly string[];
}

/** The part of the page from one heading to the next in which a signature stands. */
function sectionOf(signature: string): string {
  return PAGE.split(/^## /m).find((section) => section.includes(`\`\`\`\n${signature}\n`)) ?? '';
}

test('the functions and columns in docs/sql-api.md and docs/sql-records.md are those of the schema', async () => {
  const [version] = POSTGRES_VERSIONS;
  assert.ok(version !== undefined);
  await using store = await TestStore.open(version);
  const functions = (await rows(await store.client(), PUBLIC_FUNCTIONS)) as unknown as PublicFunction[];
  const signatures = functions.map((each) => `${each.name}(${each.arguments})`);
  const written = codeBlocks(PAGE, '').filter((block) => /^\w+\(/.test(block));
  assert.deepEqual(written.map((block) => block.trim()).toSorted(), signatures.toSorted());
  for (const { name, arguments: list, columns } of functions) {
    const section = sectionOf(`${name}(${list})`);
    const missing = columns.filter((column) => !section.includes(`\`${column}\``));
    assert.deepEqual(missing, [], `columns of ${name}`);
  }
});
