import type { Command } from 'commander';
import { checkName } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { withGlobalOptions } from '../options.ts';
import { pauseJson } from '../output/json.ts';
import { withStore } from '../session.ts';

/** `resume`: lets starts of a paused lock in again. Repeatable. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('resume')
    .description('let starts in again after pause')
    .argument('<name>', 'the lock', (text: string) => checkName(text));
  withGlobalOptions(command).action(async (name: string, options: GlobalOptions) => {
    await withStore(context, options, async (session) => {
      const answer = await session.leasehold.lock(name).resume();
      if (session.isJson) await session.print(pauseJson(answer));
      else await session.answer(answer.message);
      return EXIT.done;
    });
  });
}
