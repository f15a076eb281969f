import type { Command } from 'commander';
import { checkName } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseReason, withGlobalOptions } from '../options.ts';
import { forceReleaseJson } from '../output/json.ts';
import { withStore } from '../session.ts';

interface ForceReleaseCommandOptions extends GlobalOptions {
  readonly reason: string;
  readonly now?: boolean;
}

/** `force-release`: takes a lock from its holder. It drains, or with `--now` is free at once. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('force-release')
    .description('take a lock from its holder')
    .argument('<name>', 'the lock', (text: string) => checkName(text))
    .requiredOption('--reason <text>', 'why; stored with the event', parseReason)
    .option('--now', 'free it at once, although its run may still be running');
  withGlobalOptions(command).action(async (name: string, options: ForceReleaseCommandOptions) => {
    await withStore(context, options, async (session) => {
      const lock = session.leasehold.lock(name);
      const answer = await lock.forceRelease({ reason: options.reason, atOnce: options.now ?? false });
      if (session.isJson) await session.print(forceReleaseJson(answer));
      else await session.answer(answer.message);
      return EXIT.done;
    });
  });
}
