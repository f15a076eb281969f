import type { Command } from 'commander';
import { parseDuration } from '../domain/duration.ts';
import { checkLeaseMs, LEASE_MS_MAX } from '../domain/limits.ts';
import type { Dialect } from '../domain/own-table/names.ts';
import { OWN_COLUMNS, OWN_WORDS, type OwnTable, readOwnTable } from '../domain/own-table/own-table.ts';
import { styleOf, type Style } from '../sql-steps/fragments.ts';
import { parseChoice, parseLease, parseWhole, usageError } from './options.ts';

/** What describes somebody's own table on the command line: the same options for every subject, so that they can be repeated. */
export interface SqlOptions {
  readonly table: string;
  readonly dialect?: Dialect;
  readonly idColumn?: string;
  readonly orderColumn?: string;
  readonly freeStatus?: string;
  readonly freeNull?: boolean;
  readonly limit?: number;
  readonly lease?: number;
  readonly callTimeout?: number;
  readonly attempts?: number;
  readonly redo?: 'ask' | 'safe';
  readonly explicitBegin?: boolean;
  readonly psql?: boolean;
  readonly only?: string;
  readonly json?: boolean;
  /** `statusColumn` and its like. */
  readonly [name: string]: unknown;
}

const LIMIT_MAX = 10_000;
const ATTEMPTS_MAX = 1_000;
const LEASE_MS_DEFAULT = 600_000;
const LIMIT_DEFAULT = 50;
const ATTEMPTS_DEFAULT = 5;

/** Adds the options that describe a table. */
export function withTableOptions(command: Command): Command {
  command
    .requiredOption(
      '--table <table>',
      'the table: NAME, SCHEMA.NAME, or "My Schema"."my.table"; names as they are written',
    )
    .option('--dialect <what>', 'postgres (default) or sqlite', parseChoice('dialect', ['postgres', 'sqlite']))
    .option('--id-column <list>', 'the columns that tell one row from all others (default id)')
    .option('--order-column <list>', 'hand rows out in the order of these columns (default: of the id)')
    .option(
      '--free-status <list>',
      'status of rows that may be claimed; what comes back gets the first (default queued)',
    )
    .option('--free-null', 'rows without a status may be claimed, too')
    .option('--limit <n>', 'rows of a claim at most (default 50)', parseWhole('limit', 1, LIMIT_MAX))
    .option('--lease <duration>', 'how long a claim lasts (default 10m)', parseLease)
    .option('--call-timeout <duration>', 'what must remain of it at a begin (default 0s)', parseCallTimeout)
    .option(
      '--attempts <n>',
      'begins after which a failure goes to review (default 5)',
      parseWhole('attempts', 1, ATTEMPTS_MAX),
    )
    .option(
      '--redo <what>',
      'ask (default): what began goes to review; safe: it may be repeated',
      parseChoice('redo', ['ask', 'safe']),
    )
    .option('--explicit-begin', 'the caller says for each row that it begins; without, all of a claim count as begun')
    .option('--psql', "values as psql's variables, :'holder', in the place of $1")
    .option('--only <step>', 'print this statement alone, without the header');
  for (const column of OWN_COLUMNS) {
    const flag = `--${column.replaceAll('_', '-')}-column <col>`;
    command.option(flag, `the column ${column}, if it is called otherwise`);
  }
  for (const word of OWN_WORDS) command.option(`--${word}-status <word>`, `the word "${word}", if it is another`);
  return command.option('--json', 'one JSON object per line on stdout');
}

const parseCallTimeout = (text: string): number => {
  const ms = parseDuration(text, 'call-timeout');
  return ms === 0 ? 0 : Math.min(checkLeaseMs(ms), LEASE_MS_MAX);
};

/** The table that the options describe, and how values are written. Throws INVALID_ARGUMENT. */
export function readTableOptions(options: SqlOptions): { table: OwnTable; style: Style } {
  const { dialect = 'postgres', psql = false, callTimeout = 0 } = options;
  if (psql && dialect === 'sqlite') throw usageError('--psql belongs to --dialect postgres');
  if (callTimeout > 0 && options.explicitBegin !== true) {
    throw usageError('--call-timeout belongs to --explicit-begin, since nothing else asks what remains of the lease');
  }
  const table = readOwnTable({
    dialect,
    table: options.table,
    idColumn: options.idColumn,
    orderColumn: options.orderColumn,
    columns: Object.fromEntries(OWN_COLUMNS.map((each) => [each, options[`${camelCase(each)}Column`]])),
    freeStatus: options.freeStatus,
    isNullFree: options.freeNull ?? false,
    words: Object.fromEntries(OWN_WORDS.map((each) => [each, options[`${each}Status`]])),
    leaseMs: options.lease ?? LEASE_MS_DEFAULT,
    limit: options.limit ?? LIMIT_DEFAULT,
    attemptsMax: options.attempts ?? ATTEMPTS_DEFAULT,
    callTimeoutMs: callTimeout,
    isBegunExplicitly: options.explicitBegin ?? false,
    redo: options.redo ?? 'ask',
  });
  return { table, style: styleOf(dialect, psql) };
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
