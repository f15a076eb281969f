import type { Command } from 'commander';
import { adviceMessage } from '../../domain/advise.ts';
import { checkName } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseChoice, parseSchedule, parseTimezone, withGlobalOptions } from '../options.ts';
import { withStore } from '../session.ts';
import { slotOptions } from './schedule-options.ts';

interface AdviseCommandOptions extends GlobalOptions {
  readonly schedule?: string;
  readonly timezone?: string;
  readonly renewal: 'heartbeat' | 'touch';
}

/** `advise`: how long the lease of a lock should be, with the sample that it stands on. Writes nothing. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('advise')
    .description('how long the lease should be, from what runs took')
    .argument('<name>', 'the lock', (text: string) => checkName(text))
    .option('--schedule <cron>', 'when starts are planned: its gap counts where renewal is by touch', parseSchedule)
    .option('--timezone <tz>', 'the zone of --schedule', parseTimezone)
    .option(
      '--renewal <kind>',
      'heartbeat (run, the library) or touch (SQL steps)',
      parseChoice('renewal', ['heartbeat', 'touch']),
      'heartbeat',
    );
  withGlobalOptions(command).action(async (lock: string, options: AdviseCommandOptions) => {
    const { schedule } = await slotOptions(options, context);
    await withStore(context, options, async (session) => {
      const { renewal } = options;
      const advice = await session.leasehold
        .lock(lock)
        .advise({ renewal, ...(schedule === undefined ? {} : { schedule }) });
      const message = adviceMessage(lock, advice);
      if (session.isJson) await session.print(JSON.stringify({ lock, ...advice, message }));
      else {
        await session.answer(message);
        if (advice.leaseMs !== null) await session.print(`  --lease ${asOption(advice.leaseMs)}`);
        for (const warning of advice.warnings) await session.print(`  warning: ${warning}`);
      }
      return EXIT.done;
    });
  });
}

/** As `--lease` takes it: whole minutes where it is some, else seconds. */
function asOption(leaseMs: number): string {
  return leaseMs % 60_000 === 0 ? `${leaseMs / 60_000}m` : `${leaseMs / 1_000}s`;
}
