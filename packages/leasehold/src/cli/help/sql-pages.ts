import { type Entry, example, type Example, type HelpPage } from './page.ts';

const EXITS: readonly Entry[] = [
  ['0', 'printed'],
  ['64', 'the command line is wrong, or a name or word is'],
  ['70', 'a fault of Leasehold itself'],
  ['74', 'the text could not be written to stdout'],
];

/** No store is opened, and nothing is read but the command line. */
function page(
  usage: string,
  about: readonly string[],
  examples: readonly Example[],
  also: readonly string[],
): HelpPage {
  return {
    usage,
    about,
    exitCodes: EXITS,
    examples,
    environment: [],
    files: [],
    seeAlso: [...also.map((subject) => `leasehold help sql ${subject}`), 'docs/guides/sql.md', 'docs/cli.md'],
  };
}

/** Statements for a table that is not ours. */
export const SQL_PAGES: Readonly<Record<string, HelpPage>> = {
  'sql columns': page(
    'sql columns --table TABLE [options]',
    [
      'Prints what the table needs: the columns status, claimed_at, claimed_by, claim_token, claimed_until, begun_at and attempts where they are missing, three small indexes, and a check that says in words what stands in the way: a view, a column of another type, a key that is not unique. No database is opened; you run what is printed.',
      'Rows that are there already stay as they are: they are handed out only once you queue them. A row is claimed only while its status is one of --free-status. Give every subject the same options.',
    ],
    [
      example('Prepare a table, with psql', 'leasehold sql columns --table orders --psql | psql shop'),
      example('Only see whether it would work', 'leasehold sql columns --table orders --psql --only check | psql shop'),
    ],
    ['claim', 'verdict', 'sweep'],
  ),
  'sql claim': page(
    'sql claim --table TABLE [options]',
    [
      'Prints the statements that claim rows: next (the next ones that are free), ids (those you name), why (what became of the others), extend, return, and with --explicit-begin also begin. Two that run at once own each row once; neither waits for the other.',
      'Without --explicit-begin a row counts as begun from its claim on, so that after a crash a person looks at it. With it, the caller runs begin directly before each effect, and what never began is free again when its lease ends.',
    ],
    [
      example(
        'For a step of n8n or Make, which bring their own values',
        'leasehold sql claim --table sales.orders --limit 12 --lease 15m',
      ),
      example(
        'One statement for psql',
        'leasehold sql claim --table orders --psql --only next | psql -X -v holder=host-1:4711 shop',
      ),
      example(
        'A table with words and names of its own',
        `leasehold sql claim --table '"Orders"' --id-column shop,no --free-status new --status-column state`,
      ),
      example('For a program that uses SQLite', 'leasehold sql claim --table orders --dialect sqlite --json'),
    ],
    ['columns', 'verdict', 'sweep'],
  ),
  'sql verdict': page(
    'sql verdict --table TABLE [options]',
    [
      'Prints the statements that say what became of a claimed row: done, failed (it may be tried again), failed-permanent, unknown (it may have happened) and review. Each wants the id of the row and the token of its claim, needs no live lease, and may be repeated.',
      'No row comes back where the token is not the latest of that row: nothing was changed, so keep what you learned and look at the row.',
    ],
    [
      example('All of them', 'leasehold sql verdict --table orders'),
      example('One, from a file', 'leasehold sql verdict --table orders --psql --only done > done.sql'),
    ],
    ['columns', 'claim', 'sweep'],
  ),
  'sql sweep': page(
    'sql sweep --table TABLE [options]',
    [
      'Prints the statements that settle what was left behind: sweep (claims whose lease is over: what never began is free again, what began goes to review, since nobody here can ask a provider about it), reviews (what waits for a person), finish and requeue (what the person found).',
      'With --redo safe the owner says that the work may be repeated: then what began is free again, too, until its attempts are used up.',
    ],
    [
      example('All of them', 'leasehold sql sweep --table orders'),
      example(
        'Every five minutes',
        '*/5 * * * *  leasehold sql sweep --table orders --psql --only sweep | psql -X shop',
      ),
    ],
    ['columns', 'claim', 'verdict'],
  ),
};
