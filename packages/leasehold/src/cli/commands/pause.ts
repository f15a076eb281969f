import type { Command } from 'commander';
import { checkName } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseReason, withGlobalOptions } from '../options.ts';
import { pauseJson } from '../output/json.ts';
import { withStore } from '../session.ts';

interface PauseCommandOptions extends GlobalOptions {
  readonly reason?: string;
}

/** `pause`: stops new starts of a lock. A run under way goes on. Repeatable, and also before the first start. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('pause')
    .description('stop new starts; a run under way goes on')
    .argument('<name>', 'the lock', (text: string) => checkName(text))
    .option('--reason <text>', 'why; stored with the event', parseReason);
  withGlobalOptions(command).action(async (name: string, { reason, ...options }: PauseCommandOptions) => {
    await withStore(
      context,
      options,
      async (session) => {
        const answer = await session.leasehold.lock(name).pause(reason === undefined ? {} : { reason });
        if (session.isJson) await session.print(pauseJson(answer));
        else await session.answer(answer.message);
        return EXIT.done;
      },
      { ifMissing: 'make' },
    );
  });
}
