import type { Command } from 'commander';
import { checkId, LEASE_MS_MIN } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseToken, withGlobalOptions } from '../options.ts';
import { withStore } from '../session.ts';
import { upkeepMsWithin } from '../upkeep.ts';
import { beginJson } from './json.ts';
import { patienceOf, UNHEARD } from './patience.ts';
import { claimTokenOf, withPool } from './record-options.ts';

interface BeginCommandOptions extends GlobalOptions {
  readonly token?: string;
}

/** `begin`: from here on the provider may be called. Exit 77 where it must not be. */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(program.command('begin').description('say that the work of a record begins now'))
    .argument('<id>', 'the record', (text: string) => checkId(text, 'record id'))
    .option('--token <token>', "the claim's token; default $LEASEHOLD_CLAIM_TOKEN", parseToken);
  withGlobalOptions(command).action(async (pool: string, id: string, options: BeginCommandOptions) => {
    const token = claimTokenOf(options.token, context.host);
    const storeWait = patienceOf(context, options);
    await withStore(
      context,
      options,
      async (session) => {
        const answer = await session.leasehold.pool(pool).begin({ id, token });
        const isAccepted = answer.outcome === 'accepted';
        if (isAccepted && answer.remainingMs !== null) session.spare(answer.remainingMs);
        if (session.isJson) await session.print(beginJson(answer));
        else if (isAccepted) await session.answer(answer.message);
        else await session.say(answer.message);
        return isAccepted ? EXIT.done : EXIT.lost;
      },
      { pool, upkeepMs: upkeepMsWithin(LEASE_MS_MIN), storeWait, unheard: UNHEARD.begin },
    );
  });
}
