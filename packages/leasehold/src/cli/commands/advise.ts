import type { Command } from 'commander';
import { adviceMessage } from '../../domain/advise.ts';
import { checkName } from '../../domain/limits.ts';
import type { AdviseOptions } from '../../engine/api.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseChoice, parseSchedule, parseTimezone, usageError, withGlobalOptions } from '../options.ts';
import { poolAdviceText } from '../records/advice-text.ts';
import { lockOrPool, parsePool } from '../records/record-options.ts';
import { type Session, withStore } from '../session.ts';
import { slotOptions } from './schedule-options.ts';

interface AdviseCommandOptions extends GlobalOptions {
  readonly pool?: string;
  readonly schedule?: string;
  readonly timezone?: string;
  readonly renewal: 'heartbeat' | 'touch';
}

/**
 * `advise`: how long the lease of a lock, or a claim of a pool, should be, with the sample that it stands on. Writes
 * nothing.
 */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('advise')
    .description('how long a lease or a claim should be, from what it took')
    .argument('[name]', 'the lock', (text: string) => checkName(text))
    .option('--pool <name>', 'the pool, in place of a lock', parsePool)
    .option('--schedule <cron>', 'when starts are planned: its gap counts where renewal is by touch', parseSchedule)
    .option('--timezone <tz>', 'the zone of --schedule', parseTimezone)
    .option(
      '--renewal <kind>',
      'heartbeat (run, the library) or touch (SQL steps)',
      parseChoice('renewal', ['heartbeat', 'touch']),
      'heartbeat',
    );
  withGlobalOptions(command).action(async (name: string | undefined, options: AdviseCommandOptions) => {
    const what = lockOrPool(name, options.pool);
    const { schedule } = await slotOptions(options, context);
    if ('pool' in what) {
      if (schedule !== undefined) throw usageError('--schedule belongs to a lock');
      await withStore(context, options, (session) => advisePool(session, what.pool));
      return;
    }
    const { renewal } = options;
    await withStore(context, options, (session) =>
      adviseLock(session, what.lock, { renewal, ...(schedule === undefined ? {} : { schedule }) }),
    );
  });
}

async function adviseLock(session: Session, lock: string, options: AdviseOptions): Promise<number> {
  const advice = await session.leasehold.lock(lock).advise(options);
  const message = adviceMessage(lock, advice);
  if (session.isJson) await session.print(JSON.stringify({ lock, ...advice, message }));
  else {
    await session.answer(message);
    if (advice.leaseMs !== null) await session.print(`  --lease ${asOption(advice.leaseMs)}`);
    for (const warning of advice.warnings) await session.print(`  warning: ${warning}`);
  }
  return EXIT.done;
}

async function advisePool(session: Session, pool: string): Promise<number> {
  const { leaseMs, limit, sample, warnings } = await session.leasehold.pool(pool).advise();
  const message = poolAdviceText({ pool, leaseMs, limit, sample, warnings });
  if (session.isJson) await session.print(JSON.stringify({ pool, leaseMs, limit, sample, warnings, message }));
  else {
    await session.answer(message);
    if (leaseMs !== null) await session.print(`  --lease ${asOption(leaseMs)}`);
    if (limit !== null) await session.print(`  --limit ${limit}`);
    for (const warning of warnings) await session.print(`  warning: ${warning}`);
  }
  return EXIT.done;
}

/** As `--lease` takes it: whole minutes where it is some, else seconds. */
function asOption(leaseMs: number): string {
  return leaseMs % 60_000 === 0 ? `${leaseMs / 60_000}m` : `${leaseMs / 1_000}s`;
}
