import type { Command } from 'commander';
import { checkName } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseReason, withGlobalOptions } from '../options.ts';
import { pauseJson } from '../output/json.ts';
import { poolChangeJson } from '../records/json.ts';
import { lockOrPool, parsePool } from '../records/record-options.ts';
import { withStore } from '../session.ts';

interface PauseCommandOptions extends GlobalOptions {
  readonly pool?: string;
  readonly reason?: string;
}

/**
 * `pause`: stops new starts of a lock, or new claims of a pool. What is under way goes on. Repeatable, and also before the
 * first start or record.
 */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('pause')
    .description('stop new starts of a lock or claims of a pool')
    .argument('[name]', 'the lock', (text: string) => checkName(text))
    .option('--pool <name>', 'the pool, in place of a lock', parsePool)
    .option('--reason <text>', 'why; stored with the event', parseReason);
  withGlobalOptions(command).action(
    async (name: string | undefined, { reason, pool, ...options }: PauseCommandOptions) => {
      const what = lockOrPool(name, pool);
      const why = reason === undefined ? {} : { reason };
      await withStore(
        context,
        options,
        async (session) => {
          const { leasehold } = session;
          const answer =
            'pool' in what ? await leasehold.pool(what.pool).pause(why) : await leasehold.lock(what.lock).pause(why);
          if (!session.isJson) await session.answer(answer.message);
          else await session.print('pool' in answer ? poolChangeJson(answer) : pauseJson(answer));
          return EXIT.done;
        },
        { ifMissing: 'make' },
      );
    },
  );
}
