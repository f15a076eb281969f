import type { Command } from 'commander';
import { LEASE_MS_MIN } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseLease, parseToken, withGlobalOptions } from '../options.ts';
import { withStore } from '../session.ts';
import { upkeepMsWithin } from '../upkeep.ts';
import { extendJson } from './json.ts';
import { patienceOf, UNHEARD } from './patience.ts';
import { claimTokenOf, withPool } from './record-options.ts';

interface ExtendCommandOptions extends GlobalOptions {
  readonly token?: string;
  readonly lease?: number;
}

/** `extend`: renews a live claim; a lost one is exit 77 and stays lost. */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(program.command('extend').description('renew a claim'))
    .option('--token <token>', "the claim's token; default $LEASEHOLD_CLAIM_TOKEN", parseToken)
    .option('--lease <duration>', 'from now on; default as long as before', parseLease);
  withGlobalOptions(command).action(async (pool: string, options: ExtendCommandOptions) => {
    const { lease } = options;
    const token = claimTokenOf(options.token, context.host);
    const storeWait = patienceOf(context, options);
    await withStore(
      context,
      options,
      async (session) => {
        const ask = { token, ...(lease === undefined ? {} : { leaseMs: lease }) };
        const answer = await storeWait.for(() => session.leasehold.pool(pool).extend(ask));
        const isExtended = answer.outcome === 'extended';
        if (isExtended && answer.remainingMs !== null) session.spare(answer.remainingMs);
        if (session.isJson) await session.print(extendJson(answer));
        else if (isExtended) await session.answer(answer.message);
        else await session.say(answer.message);
        return isExtended ? EXIT.done : EXIT.lost;
      },
      { pool, upkeepMs: upkeepMsWithin(lease ?? LEASE_MS_MIN), storeWait, unheard: UNHEARD.extend },
    );
  });
}
