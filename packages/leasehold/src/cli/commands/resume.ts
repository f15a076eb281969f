import type { Command } from 'commander';
import { checkName } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { withGlobalOptions } from '../options.ts';
import { pauseJson } from '../output/json.ts';
import { poolChangeJson } from '../records/json.ts';
import { lockOrPool, parsePool } from '../records/record-options.ts';
import { withStore } from '../session.ts';

interface ResumeCommandOptions extends GlobalOptions {
  readonly pool?: string;
}

/** `resume`: lets starts of a paused lock, or claims of a paused pool, in again. Repeatable. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('resume')
    .description('let starts or claims in again after pause')
    .argument('[name]', 'the lock', (text: string) => checkName(text))
    .option('--pool <name>', 'the pool, in place of a lock', parsePool);
  withGlobalOptions(command).action(async (name: string | undefined, { pool, ...options }: ResumeCommandOptions) => {
    const what = lockOrPool(name, pool);
    await withStore(context, options, async (session) => {
      const { leasehold } = session;
      const answer =
        'pool' in what ? await leasehold.pool(what.pool).resume() : await leasehold.lock(what.lock).resume();
      if (!session.isJson) await session.answer(answer.message);
      else await session.print('pool' in answer ? poolChangeJson(answer) : pauseJson(answer));
      return EXIT.done;
    });
  });
}
