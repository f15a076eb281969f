import type { Command } from 'commander';
import { checkId, PAGE_SIZE_DEFAULT } from '../../domain/limits.ts';
import { shellWord } from '../../domain/messages.ts';
import { RECORD_STATES, type RecordRow, type RecordState } from '../../domain/records/record.ts';
import { checkVersion } from '../../domain/records/record-key.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseChoice, parseLimit, usageError, withGlobalOptions } from '../options.ts';
import { formatInstant, formatTable } from '../output/table.ts';
import { type Session, withStore } from '../session.ts';
import { recordJson } from './json.ts';
import { withPool } from './record-options.ts';

interface RecordsCommandOptions extends GlobalOptions {
  readonly state?: RecordState;
  readonly id?: string;
  readonly after?: string;
  readonly afterVersion?: string;
  readonly limit: number;
}

/** `records`: the records of a pool by id and version. A pool that nothing has touched has none, which is no error. */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(program.command('records').description('the records of a pool, by id'))
    .option('--state <state>', RECORD_STATES.join(', '), parseChoice('state', RECORD_STATES))
    .option('--id <id>', 'every version of one record', (text: string) => checkId(text, 'record id'))
    .option('--after <id>', 'go on behind this record', (text: string) => checkId(text, 'after'))
    .option('--after-version <id>', 'and behind this version of it', (text: string) => checkVersion(text))
    .option('--limit <n>', 'at most so many, 1 to 1000', parseLimit, PAGE_SIZE_DEFAULT);
  withGlobalOptions(command).action(async (pool: string, options: RecordsCommandOptions) => {
    if (options.afterVersion !== undefined && options.after === undefined) {
      throw usageError('--after-version belongs to --after');
    }
    await withStore(context, options, (session) => list(session, pool, options), { pool, ifMissing: 'tell' });
  });
}

async function list(session: Session, pool: string, options: RecordsCommandOptions): Promise<number> {
  const { state, id, after, afterVersion = '', limit } = options;
  const rows = await session.leasehold.pool(pool).records({
    limit,
    ...(state === undefined ? {} : { state }),
    ...(id === undefined ? {} : { id }),
    ...(after === undefined ? {} : { after: { id: after, version: afterVersion } }),
  });
  if (session.isJson) {
    for (const row of rows) await session.print(recordJson(row));
    return EXIT.done;
  }
  if (rows.length === 0) await session.say(`No such record of pool "${pool}".`);
  else await session.print(recordTable(rows));
  const last = rows.at(-1);
  if (last !== undefined && rows.length === limit)
    await session.say(`There may be more: ${nextPage(pool, options, last)}`);
  return EXIT.done;
}

const HEADER: readonly string[] = [
  'ID',
  'VERSION',
  'STATE',
  'ATTEMPT',
  'CLAIMED BY',
  'UPDATED',
  'PROVIDER REF',
  'ERROR',
];

/** With what former owners said, where one of them said anything. */
export function recordTable(rows: readonly RecordRow[]): string {
  const hasEvidence = rows.some(({ evidenceRef, evidenceAt }) => evidenceRef !== null || evidenceAt !== null);
  return hasEvidence
    ? formatTable(
        [...HEADER, 'EVIDENCE'],
        rows.map((row) => [...recordCells(row), evidenceText(row)]),
      )
    : formatTable(HEADER, rows.map(recordCells));
}

function evidenceText({ evidenceRef, evidenceAt }: RecordRow): string {
  if (evidenceAt === null) return evidenceRef === null ? '-' : `${evidenceRef}, decided against`;
  const at = formatInstant(evidenceAt);
  return evidenceRef === null ? `said to be done at ${at}` : `${evidenceRef}, said to be done at ${at}`;
}

function recordCells(row: RecordRow): string[] {
  const { id, version, state, attempt, claimedBy, updatedAt, providerRef, error, notBefore } = row;
  return [
    id,
    version === '' ? '-' : version,
    notBefore === null || state !== 'queued' ? state : `queued, not before ${formatInstant(notBefore)}`,
    String(attempt),
    claimedBy ?? '-',
    formatInstant(updatedAt),
    providerRef ?? '-',
    error ?? '-',
  ];
}

function nextPage(pool: string, { state, id, limit }: RecordsCommandOptions, last: RecordRow): string {
  const filters = [
    ...(state === undefined ? [] : [`--state ${state}`]),
    ...(id === undefined ? [] : [`--id ${shellWord(id)}`]),
    ...(limit === PAGE_SIZE_DEFAULT ? [] : [`--limit ${limit}`]),
    `--after ${shellWord(last.id)}`,
    ...(last.version === '' ? [] : [`--after-version ${shellWord(last.version)}`]),
  ];
  return `leasehold records ${shellWord(pool)} ${filters.join(' ')}`;
}
