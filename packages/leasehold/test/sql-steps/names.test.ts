/**
 * Whatever a table, its columns and its words are called, the statements touch that table alone and do what they do.
 * Beside it stand tables with the same columns and names that a careless quoting would reach; none of their rows may change.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { parseNames, quoteName } from '../../src/domain/own-table/names.ts';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { type Bench, openPostgres, openSqlite, type Printed, printSteps, type Row } from './bench.ts';

const COLUMNS = ['status', 'claimed-at', 'claimed-by', 'claim-token', 'claimed-until', 'begun-at', 'attempts'];
const WORDS = ['claimed', 'done', 'failed', 'review'];
const RUNS = 40;

/** Bits that mean something to one of the languages that a name passes through. */
const BITS = fc.constantFrom(
  '"',
  "'",
  '\\',
  ';',
  '--',
  '/*',
  '*/',
  '.',
  ',',
  '$',
  '$$',
  '{',
  '}',
  '{table}',
  '{=done}',
  ':',
  ":'",
  ' ',
  '(',
  ')',
  '%',
  '%s',
  '`',
  '[',
  ']',
  '?',
  '@',
  '#',
  '-',
  'a',
  'T',
  't',
  'select',
  'order',
  'ｅ',
  'é',
  'e\u0301',
  'ß',
  '表',
  '😀',
  '\u2028',
  '; drop table canary; --',
);
const SPECIAL = fc.constantFrom(
  'select',
  'table',
  'user',
  'order',
  'Group',
  'T',
  't',
  'p',
  'picked',
  'item',
  'named',
  'claim',
  'held',
  'late',
  'offered',
  'token',
  'at',
  'value',
  'place',
  'key',
  'excluded',
  'status',
  'json_each',
  'main',
  'id',
  'null',
  'true',
  'returning',
  'a.b',
  'a"b',
  'canary"; --',
);
const NAME = fc
  .oneof(
    SPECIAL,
    fc.array(BITS, { minLength: 1, maxLength: 6 }).map((bits) => bits.join('')),
  )
  .filter((name) => name.trim() !== '' && new TextEncoder().encode(name).length <= 63)
  .filter((name) => !/\$\d|\{\{/.test(name) && !/^(?:sqlite_|pg_|json_each$)/i.test(name));
const distinct = (count: number) =>
  fc.uniqueArray(NAME, {
    minLength: count,
    maxLength: count,
    selector: (name) => name.trim().normalize('NFKC').toLowerCase(),
  });

interface Named {
  readonly schema: string | null;
  readonly table: string;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  readonly free: string;
  readonly words: readonly string[];
  readonly explicit: boolean;
}

const NAMED: fc.Arbitrary<Named> = fc
  .record({
    names: distinct(2),
    columns: distinct(9),
    words: distinct(5).filter((words) => words.every((word) => word === word.trim() && !word.includes(','))),
    hasSchema: fc.boolean(),
    isComposite: fc.boolean(),
    explicit: fc.boolean(),
  })
  .map(({ names: [schema = '', table = ''], columns, words, hasSchema, isComposite, explicit }) => ({
    // SQLite's own files have these two names.
    schema: hasSchema && !/^(?:main|temp)$/i.test(schema) ? schema : null,
    table,
    keys: isComposite ? columns.slice(7) : columns.slice(7, 8),
    columns: columns.slice(0, 7),
    free: words[0] ?? '',
    words: words.slice(1),
    explicit,
  }));

/** Written as an argument of the command line. */
function options(named: Named, dialect: string): string[] {
  const { schema, table, keys, columns, free, words, explicit } = named;
  return [
    `--table=${schema === null ? '' : `${quoteName(schema)}.`}${quoteName(table)}`,
    `--dialect=${dialect}`,
    `--id-column=${keys.map(quoteName).join(',')}`,
    ...columns.map((name, at) => `--${COLUMNS[at]}-column=${quoteName(name)}`),
    `--free-status=${free}`,
    ...words.map((word, at) => `--${WORDS[at]}-status=${word}`),
    ...(explicit ? ['--explicit-begin'] : []),
    '--limit=2',
  ];
}

/** The test's own quoting, so that a fault of the source's does not hide itself. */
const q = (name: string): string => `"${name.split('"').join('""')}"`;

async function playThrough(bench: Bench, named: Named): Promise<void> {
  const full = `${named.schema === null ? '' : `${q(named.schema)}.`}${q(named.table)}`;
  const steps = await printSteps(options(named, bench.dialect));
  const { query } = bench;
  if (named.schema !== null) {
    await query(
      bench.dialect === 'postgres' ? `create schema ${q(named.schema)}` : `attach ':memory:' as ${q(named.schema)}`,
    );
  }
  const text = bench.dialect === 'postgres' ? 'text' : 'text collate binary';
  const keys = named.keys.map(q);
  await query(
    `create table ${full} (${keys.map((key) => `${key} ${text} not null`).join(', ')}, primary key (${keys.join(', ')}))`,
  );
  try {
    const run = (name: string, values: Record<string, unknown> = {}): Promise<Row[]> => {
      const step = steps.get(name) as Printed;
      return query(step.sql, values, step.values);
    };
    for (const name of ['add', 'index']) await query(steps.get(name)?.sql ?? '');
    if (bench.dialect === 'postgres') await run('default');
    const status = named.columns[0] ?? '';
    const insert = (id: string): Promise<Row[]> =>
      query(
        `insert into ${full} (${[...keys, q(status)].join(', ')}) values (${named.keys.map(() => `'${id}'`).join(', ')}, ${literal(named.free, bench.dialect)})`,
      );
    for (const id of ['a', 'b', 'c', 'd']) await insert(id);
    const key = (id: string): Record<string, string> => (named.keys.length === 1 ? { id } : { id1: id, id2: id });
    const [first] = await run('next', { holder: "h'; --" });
    assert.equal(first?.[named.keys[0] ?? ''] !== undefined, true);
    const token = first?.[named.columns[3] ?? ''];
    assert.equal(first?.[named.columns[2] ?? ''], "h'; --");
    const ids = JSON.stringify(named.keys.length === 1 ? ['c', "x'y"] : [['c', 'c']]);
    assert.equal((await run('ids', { holder: 'h', ids })).length, 1);
    assert.equal((await run('why', { ids })).length, 1);
    if (named.explicit) assert.equal((await run('begin', { ...key('a'), token })).length, 1);
    assert.equal((await run('extend', { token })).length, 2);
    assert.equal((await run('done', { ...key('a'), token })).length, 1);
    if (named.explicit) assert.equal((await run('return', { token })).length, 1);
    else assert.equal((await run('return', { ...key('b'), token })).length, 1);
    const [again] = await run('next', { holder: 'h' });
    const next = { ...key('b'), token: again?.[named.columns[3] ?? ''] };
    for (const verdict of ['unknown', 'review']) assert.equal((await run(verdict, next)).length, 1, verdict);
    assert.equal((await run('reviews')).length, 1);
    assert.equal((await run('requeue', key('b'))).length, 1);
    for (const verdict of ['failed', 'failed-permanent']) {
      assert.equal(
        (await run(verdict, { ...key('d'), token: next.token })).length,
        verdict === 'failed' ? 1 : 0,
        verdict,
      );
    }
    assert.deepEqual(await run('sweep'), []);
    assert.deepEqual(await run('finish', key('a')), []);
    assert.deepEqual(await run('check'), []);
    const counts = await query(`select t.${q(status)} as status, count(*) as n from ${full} as t group by 1`);
    assert.deepEqual(Object.fromEntries(counts.map((row) => [row['status'], Number(row['n'])])), {
      [named.words[1] ?? '']: 1,
      [named.words[0] ?? '']: 1,
      [named.free]: 2,
    });
  } finally {
    await query(`drop table ${full}`);
    if (named.schema !== null)
      await query(bench.dialect === 'postgres' ? `drop schema ${q(named.schema)}` : `detach ${q(named.schema)}`);
  }
}

function literal(word: string, dialect: string): string {
  const quoted = `'${word.split("'").join("''")}'`;
  return dialect === 'postgres' && word.includes('\\') ? `E${quoted.split('\\').join('\\\\')}` : quoted;
}

function describeNames(engine: string, open: () => Promise<Bench>): void {
  describe(`names on ${engine}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await open();
      for (const name of ['canary', 'CANARY 2', 'leasehold_picked']) {
        const columns = COLUMNS.map((column) => `${column.replaceAll('-', '_')} text`).join(', ');
        await bench.query(`create table ${q(name)} (id text primary key, ${columns})`);
        await bench.query(`insert into ${q(name)} (id, status) values ('a', 'queued'), ('b', 'claimed')`);
      }
    });
    after(async () => await bench[Symbol.asyncDispose]());

    it(`whatever they are, the statements do their work on that table and touch no other, on ${engine}`, async () => {
      const canaries = async (): Promise<unknown> => [
        await bench.query('select * from canary order by id'),
        await bench.query('select * from "CANARY 2" order by id'),
        await bench.query('select * from leasehold_picked order by id'),
      ];
      const untouched = await canaries();
      await fc.assert(
        fc.asyncProperty(NAMED, async (named) => {
          await playThrough(bench, named);
          assert.deepEqual(await canaries(), untouched);
        }),
        { numRuns: RUNS },
      );
    });
  });
}

describeNames('SQLite', openSqlite);
for (const version of POSTGRES_VERSIONS) describeNames(`PostgreSQL ${version}`, () => openPostgres(version));

describe('a backslash in a word', () => {
  for (const version of POSTGRES_VERSIONS) {
    it(`is one also where PostgreSQL ${version} takes it for an escape`, async () => {
      await using bench = await openPostgres(version);
      await bench.query('set standard_conforming_strings = off');
      await bench.query('set escape_string_warning = off');
      await playThrough(bench, {
        schema: null,
        table: 'escapes',
        keys: ['id'],
        columns: COLUMNS,
        free: "\\'; drop table canary; --",
        words: WORDS.map((word) => `\\${word}`),
        explicit: true,
      });
    });
  }
});

describe('names as they are written', () => {
  it('what is quoted is read back as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }), (names) => {
        assert.deepEqual(parseNames(names.map(quoteName).join('.'), '.', 'table'), names);
        assert.deepEqual(parseNames(names.map(quoteName).join(','), ',', 'table'), names);
      }),
    );
  });

  it('bare names are taken as they stand, without folding', () => {
    assert.deepEqual(parseNames('Sales.Orders', '.', 'table'), ['Sales', 'Orders']);
    assert.deepEqual(parseNames('my table', '.', 'table'), ['my table']);
    assert.deepEqual(parseNames('a,"b,c",d"e'.slice(0, 9), ',', 'id-column'), ['a', 'b,c', 'd']);
  });
});
