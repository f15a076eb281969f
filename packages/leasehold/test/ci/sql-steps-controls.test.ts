/** Negative controls of the statements for one's own table: each guard taken out of a copy, and the fact seen failing. */
import { describeMutants, type Mutant } from '../mutation.ts';

const NAMES = 'test/sql-steps/names.test.ts';
const STEPS = 'test/sql-steps/steps.test.ts';
const POSTGRES = 'test/sql-steps/postgres.test.ts';
const SHELLS = 'test/sql-steps/shells.test.ts';
const TOUCHES = 'whatever they are, the statements do their work on that table and touch no other, on SQLite';

const MUTANTS: readonly Mutant[] = [
  {
    broken: 'a quotation mark in a name is left as it is',
    file: 'src/domain/own-table/names.ts',
    replace: `name.replaceAll('"', '""')`,
    by: 'name',
    testFile: NAMES,
    fails: TOUCHES,
  },
  {
    broken: 'an apostrophe in a word is left as it is',
    file: 'src/domain/own-table/names.ts',
    replace: `text.replaceAll("'", "''")`,
    by: 'text',
    testFile: NAMES,
    fails: TOUCHES,
  },
  {
    broken: 'a backslash is trusted to be none',
    file: 'src/domain/own-table/names.ts',
    replace: "dialect === 'postgres' && text.includes",
    by: "dialect === 'sqlite' && text.includes",
    testFile: NAMES,
    fails: 'is one also where PostgreSQL 18 takes it for an escape',
  },
  {
    broken: 'what was filled in is read again for placeholders',
    file: 'src/sql-steps/steps.ts',
    replace: 'sql: fill(template.sql, fragments),',
    by: 'sql: fill(fill(template.sql, fragments), fragments),',
    testFile: NAMES,
    fails: TOUCHES,
  },
  {
    broken: 'a claim looks at no lease',
    file: 'src/sql-steps/fragments.ts',
    replace: " and ${own(alias, 'claimed_until')} <= ${now} and ",
    by: ' and ',
    testFile: STEPS,
    fails: 'a row under a live claim is handed out to nobody else, begun or not, by order or by id',
  },
  {
    broken: 'a row that was marked by hand counts as never begun',
    file: 'src/sql-steps/fragments.ts',
    replace: " is not null or ${own(alias, 'claim_token')} is null)`",
    by: ' is not null)`',
    testFile: STEPS,
    fails: 'a row that somebody marked as claimed by hand goes to review: nobody knows whether it began',
  },
  {
    broken: 'done asks for no token',
    file: 'src/sql-steps/sqlite/verdict.sql',
    replace: 'and t.{claim_token} = {$token} and t.{status} in ({known words})',
    by: 'and {$token} is not null and t.{status} in ({known words})',
    testFile: STEPS,
    fails: 'a token does nothing for a row that it never had',
  },
  {
    broken: 'a begin is accepted after its lease',
    file: 'src/sql-steps/sqlite/claim.sql',
    replace: '\n  and t.{claimed_until} > {now and call timeout}',
    by: '',
    testFile: STEPS,
    fails: 'a begin is accepted while the lease lives, is repeated, and counts once',
  },
  {
    broken: 'an extension revives a claim that is over',
    file: 'src/sql-steps/sqlite/claim.sql',
    replace: ' and t.{claimed_until} > {now}\nreturning',
    by: '\nreturning',
    testFile: STEPS,
    fails: 'an extension moves the end of a live claim, and of none that is over, taken or not',
  },
  {
    broken: 'an extension looks at the clock before it has the row',
    file: 'src/sql-steps/postgres/claim.sql',
    replace:
      '\n  and held.leasehold_until > clock_timestamp()\nreturning {keys t}, t.{claimed_until};\n\n-- step: return-unbegun',
    by: '\n  and t.{claimed_until} > clock_timestamp()\nreturning {keys t}, t.{claimed_until};\n\n-- step: return-unbegun',
    testFile: POSTGRES,
    fails: 'an extension and a begin that waited for the row judge the lease when they have it',
  },
  {
    broken: 'a place for a value stands in a comment',
    file: 'src/sql-steps/postgres/claim.sql',
    replace: '-- May be repeated, and counts once.',
    by: '-- May be repeated, and counts once: $1.',
    testFile: SHELLS,
    fails: 'has no value’s place in a comment, where a platform would put a value that ends its line',
  },
];

describeMutants("statements for one's own table", MUTANTS);
