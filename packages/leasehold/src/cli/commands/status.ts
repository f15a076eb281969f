import type { Command } from 'commander';
import type { LockStatus } from '../../domain/answers.ts';
import { formatDuration } from '../../domain/duration.ts';
import { checkName, PAGE_SIZE_MAX } from '../../domain/limits.ts';
import { known } from '../../domain/messages.ts';
import type { PoolStatus } from '../../domain/records/record.ts';
import type { Leasehold } from '../../engine/api.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { withGlobalOptions } from '../options.ts';
import { statusJson } from '../output/json.ts';
import { formatInstant, formatTable } from '../output/table.ts';
import { poolJson } from '../records/json.ts';
import { poolTables } from '../records/pool-text.ts';
import { type Session, withStore } from '../session.ts';

/**
 * `status`: one lock or pool, or all of them by name, locks first. One that no start and no record has touched is no row and
 * no error.
 */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('status')
    .description('who holds which lock and works which pool')
    .argument('[name]', 'one lock or pool; default all', (text: string) => checkName(text));
  withGlobalOptions(command).action(async (name: string | undefined, options: GlobalOptions) => {
    await withStore(context, options, (session) => show(session, name ?? null), { ifMissing: 'tell' });
  });
}

async function show(session: Session, name: string | null): Promise<number> {
  const { leasehold } = session;
  const locks = await leasehold.status({ lock: name, limit: PAGE_SIZE_MAX });
  const pools = await poolsNamed(leasehold, name);
  if (session.isJson) {
    for (const lock of locks) await session.print(statusJson(lock));
    for (const pool of pools) await session.print(poolJson(pool));
    return EXIT.done;
  }
  const texts = [
    ...(locks.length === 0 ? [] : [formatTable(HEADER, locks.map(statusRow))]),
    ...(pools.length === 0 ? [] : poolTables(pools)),
  ];
  if (texts.length > 0) await session.print(texts.join('\n\n'));
  else if (name === null) await session.say('No lock and no pool yet.');
  else await session.say(`"${name}" is not known: no start has asked for such a lock, and no such pool has a record.`);
  return EXIT.done;
}

async function poolsNamed(leasehold: Leasehold, name: string | null): Promise<readonly PoolStatus[]> {
  if (name === null) return await leasehold.pools({ limit: PAGE_SIZE_MAX });
  const status = await leasehold.pool(name).status();
  return status === null ? [] : [status];
}

const HEADER = ['LOCK', 'STATE', 'HOLDER', 'AGE', 'LEFT', 'SKIPS', 'LAST SUCCESS'];

/** Holder and age of a free lock are those of its last run: they would be read as somebody holding it. */
function statusRow(status: LockStatus): string[] {
  const isTaken = status.state === 'held' || status.state === 'draining' || status.state === 'stale';
  return [
    status.lock,
    status.paused ? `${status.state}, paused` : status.state,
    isTaken ? known(status.holder) : '-',
    isTaken ? age(status) : '-',
    isTaken ? span(status.remainingMs) : '-',
    String(status.skipsInRow),
    formatInstant(status.lastSuccessAt),
  ];
}

/** `12m, usually 20m`; a run that takes longer than half of the runs did is worth a second look. */
function age({ ageMs, usualMs }: LockStatus): string {
  if (usualMs === null || ageMs === null) return span(ageMs);
  const usual = `usually ${formatDuration(usualMs)}`;
  return `${formatDuration(ageMs)}, ${ageMs > usualMs ? `beyond its ${usual.replace('usually', 'usual')}` : usual}`;
}

function span(ms: number | null): string {
  return ms === null ? 'unknown' : formatDuration(ms);
}
