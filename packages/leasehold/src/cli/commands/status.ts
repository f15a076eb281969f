import type { Command } from 'commander';
import type { LockStatus } from '../../domain/answers.ts';
import { formatDuration } from '../../domain/duration.ts';
import { checkName, PAGE_SIZE_MAX } from '../../domain/limits.ts';
import { known } from '../../domain/messages.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { withGlobalOptions } from '../options.ts';
import { statusJson } from '../output/json.ts';
import { formatInstant, formatTable } from '../output/table.ts';
import { withStore } from '../session.ts';

/** `status`: one lock, or all of them by name. A lock that no start has touched is no row and no error. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('status')
    .description('who holds which lock, for how long')
    .argument('[name]', 'one lock; default all', (text: string) => checkName(text));
  withGlobalOptions(command).action(async (name: string | undefined, options: GlobalOptions) => {
    await withStore(
      context,
      options,
      async (session) => {
        const locks = await session.leasehold.status({ lock: name ?? null, limit: PAGE_SIZE_MAX });
        if (session.isJson) {
          for (const lock of locks) await session.print(statusJson(lock));
        } else if (locks.length > 0) {
          await session.print(formatTable(HEADER, locks.map(statusRow)));
        } else {
          await session.say(
            name === undefined ? 'No lock yet.' : `Lock "${name}" is not known: no start has asked for it.`,
          );
        }
        return EXIT.done;
      },
      { ifMissing: 'tell' },
    );
  });
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
