/** What is said of a table of one's own that can't be claimed as it is named, word for word. */
import { describe } from 'node:test';
import { type OwnTableRequest, readOwnTable } from '../../src/domain/own-table/own-table.ts';
import { assertSaid, type Said } from './said.ts';

const table = (patch: Partial<OwnTableRequest>) =>
  readOwnTable({
    dialect: 'postgres',
    table: 'orders',
    idColumn: undefined,
    orderColumn: undefined,
    columns: {},
    freeStatus: undefined,
    isNullFree: false,
    words: {},
    leaseMs: 60_000,
    limit: 50,
    attemptsMax: 5,
    callTimeoutMs: 0,
    isBegunExplicitly: false,
    redo: 'ask',
    ...patch,
  });

const unreadable = (name: string): string =>
  `table: ${name} can't be read; write NAME, SCHEMA.NAME or "My Schema"."my.table", and lists with commas`;

const SAID: readonly Said[] = [
  [() => table({ table: '' }), unreadable(`""`)],
  [() => table({ table: 'sales..orders' }), unreadable(`"sales..orders"`)],
  [() => table({ table: 'a"b' }), unreadable(String.raw`"a\"b"`)],
  [() => table({ table: '"open' }), unreadable(String.raw`"\"open"`)],
  [() => table({ table: 'a,b' }), unreadable(`"a,b"`)],
  [
    () => table({ table: 'shop.sales.orders' }),
    'table: "shop.sales.orders" has more than a schema and a name; write SCHEMA.NAME',
  ],
  [
    () => table({ table: 'sales. orders' }),
    'table: " orders" has a space at its edge; remove it, or write the name in double quotes',
  ],
  [
    () => table({ table: 'x'.repeat(64) }),
    `table: "${'x'.repeat(64)}" is 64 bytes long, and PostgreSQL would cut it at 63`,
  ],
  [
    () => table({ table: '"a\nb"' }),
    String.raw`table "a\nb" has control characters (a newline, a NUL, a tab); remove them`,
  ],
  [
    () => table({ table: 'price$1' }),
    'table: "price$1" has $1 or {{ in it, which platforms replace by a value; rename it',
  ],
  [
    () => table({ freeStatus: 'a{{b' }),
    'free-status: "a{{b" has $1 or {{ in it, which platforms replace by a value; rename it',
  ],
  [
    () => table({ table: 'leasehold_picked' }),
    'table: "leasehold_picked" is a name that the statements use themselves; rename it',
  ],
  [
    () => table({ table: 'json_each', dialect: 'sqlite' }),
    'table: "json_each" is a name that the statements use themselves; rename it',
  ],
  [
    () => table({ idColumn: 'leasehold_place' }),
    'id-column: "leasehold_place" is a name that the statements use themselves; rename it',
  ],
  [
    () => table({ columns: { claimed_until: 'Leasehold_until' }, dialect: 'sqlite' }),
    'claimed-until-column: "Leasehold_until" is a name that the statements use themselves; rename it',
  ],
  [
    () => table({ idColumn: 'ctid' }),
    `id-column: "ctid" is the engine's own and may change under a row; name a column of the table`,
  ],
  [
    () => table({ idColumn: 'RowId', dialect: 'sqlite' }),
    `id-column: "RowId" is the engine's own and may change under a row; name a column of the table`,
  ],
  [() => table({ columns: { status: 'a,b' } }), 'status-column: 2 columns are named; at most 1 can be'],
  [() => table({ idColumn: 'status' }), 'column "status" is named twice; each part needs a column of its own'],
  [
    () => table({ idColumn: 'a,A', dialect: 'sqlite' }),
    'column "A" is named twice; each part needs a column of its own',
  ],
  [() => table({ freeStatus: 'new,' }), 'free-status is empty; give it 1 to 255 bytes'],
  [
    () => table({ freeStatus: 'new,Done ' }),
    'status "done" has two meanings; free, claimed, done, failed and review must differ',
  ],
  [
    () => table({ words: { failed: 'review' } }),
    'status "review" has two meanings; free, claimed, done, failed and review must differ',
  ],
  [
    () => table({ callTimeoutMs: 59_500 }),
    'the lease must be longer than the call timeout by 1s or more, or no begin would be accepted',
  ],
];

describe('of tables of one’s own', () => assertSaid(SAID));
