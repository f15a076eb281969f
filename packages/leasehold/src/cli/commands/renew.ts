import type { Command } from 'commander';
import { checkName, LEASE_MS_MIN } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { exitCodeOfRenew } from '../exit-codes.ts';
import { parseLease, parseProgress, parseToken, withGlobalOptions } from '../options.ts';
import { renewJson } from '../output/json.ts';
import { withStore } from '../session.ts';
import { upkeepMsWithin } from '../upkeep.ts';
import { tokenOf } from '../token.ts';

interface RenewCommandOptions extends GlobalOptions {
  readonly token?: string;
  readonly lease?: number;
  readonly progress?: string;
}

/** `renew`: extends a live lease of this token; a lost one is exit 77 and stays lost. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('renew')
    .description('extend a lease')
    .argument('<name>', 'the lock', (text: string) => checkName(text))
    .option('--token <token>', 'the token of the acquisition; default $LEASEHOLD_TOKEN', parseToken)
    .option('--lease <duration>', 'from now on; default as long as before', parseLease)
    .option('--progress <text>', 'how far the run is; the next holder reads it after a crash', parseProgress);
  withGlobalOptions(command).action(async (name: string, options: RenewCommandOptions) => {
    const token = tokenOf(options.token, context.host);
    await withStore(
      context,
      options,
      async (session) => {
        const answer = await session.leasehold.lock(name).renew({
          token,
          ...(options.lease === undefined ? {} : { leaseMs: options.lease }),
          ...(options.progress === undefined ? {} : { progress: options.progress }),
        });
        if (answer.outcome === 'renewed') session.spare(answer.remainingMs);
        if (session.isJson) await session.print(renewJson(answer));
        else if (answer.outcome === 'renewed') await session.answer(answer.message);
        else await session.say(answer.message);
        return exitCodeOfRenew(answer);
      },
      { upkeepMs: upkeepMsWithin(options.lease ?? LEASE_MS_MIN) },
    );
  });
}
