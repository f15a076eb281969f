import type { Command } from 'commander';
import { checkId, checkReason, LEASE_MS_MIN } from '../../domain/limits.ts';
import type { Verdict } from '../../domain/records/record.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseChoice, parseToken, usageError, withGlobalOptions } from '../options.ts';
import { withStore } from '../session.ts';
import { upkeepMsWithin } from '../upkeep.ts';
import { verdictJson } from './json.ts';
import { patienceOf, UNHEARD } from './patience.ts';
import { claimTokenOf, withPool } from './record-options.ts';

interface VerdictCommandOptions extends GlobalOptions {
  readonly token?: string;
  readonly providerRef?: string;
  readonly permanent?: boolean;
  readonly error?: string;
}

const VERDICTS: readonly Verdict[] = ['done', 'failed', 'unknown', 'review'];

/**
 * `verdict`: what became of one record. Needs only the token, also after the lease is over. Exit 77 where it is refused;
 * evidence is 0, since it counts.
 */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(program.command('verdict').description('say what became of a record'))
    .argument('<id>', 'the record', (text: string) => checkId(text, 'record id'))
    .argument('<verdict>', VERDICTS.join(', '), parseChoice('verdict', VERDICTS))
    .option('--token <token>', "the claim's token; default $LEASEHOLD_CLAIM_TOKEN", parseToken)
    .option('--provider-ref <text>', 'with done: what the provider calls the effect', parseProviderRef)
    .option('--permanent', 'with failed: never try it again; else the provider certainly did nothing')
    .option('--error <text>', 'with the others: what went wrong; cut to 4,096 bytes');
  withGlobalOptions(command).action(
    async (pool: string, id: string, verdict: Verdict, options: VerdictCommandOptions) => {
      const token = claimTokenOf(options.token, context.host);
      const storeWait = patienceOf(context, options);
      const details = detailsOf(verdict, options);
      await withStore(
        context,
        options,
        async (session) => {
          const given = { id, token, verdict, retryForMs: storeWait.leftMs, ...details };
          const answer = await session.leasehold.pool(pool).verdict(given);
          if (session.isJson) await session.print(verdictJson(answer));
          else if (answer.outcome === 'refused') await session.say(answer.message);
          else await session.answer(answer.message);
          return answer.outcome === 'refused' ? EXIT.lost : EXIT.done;
        },
        { pool, upkeepMs: upkeepMsWithin(LEASE_MS_MIN), storeWait, unheard: UNHEARD.verdict },
      );
    },
  );
}

export const parseProviderRef = (text: string): string => checkReason(text, 'provider reference');

/** What doesn't go with the verdict is a mistake in a script, and would be lost without a word. */
function detailsOf(verdict: Verdict, options: VerdictCommandOptions): object {
  const { providerRef, permanent, error } = options;
  if (providerRef !== undefined && verdict !== 'done') throw usageError('--provider-ref belongs to done');
  if (permanent === true && verdict !== 'failed') throw usageError('--permanent belongs to failed');
  if (error !== undefined && verdict === 'done') throw usageError('--error belongs to failed, unknown and review');
  return {
    ...(providerRef === undefined ? {} : { providerRef }),
    ...(permanent === true ? { permanent } : {}),
    ...(error === undefined ? {} : { error }),
  };
}
