import type { Command } from 'commander';
import type { ReturnAnswer } from '../../domain/records/record.ts';
import { LeaseholdError } from '../../errors.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseToken, withGlobalOptions } from '../options.ts';
import { withStore } from '../session.ts';
import { parseIds, readIds } from './ids-input.ts';
import { returnJson } from './json.ts';
import { patienceOf, UNHEARD } from './patience.ts';
import { claimTokenOf, withPool } from './record-options.ts';
import { CLAIM_LIMIT_MAX } from '../../domain/records/pool-settings.ts';

interface ReturnCommandOptions extends GlobalOptions {
  readonly token?: string;
  readonly ids?: readonly string[];
  readonly idsFile?: string;
}

/** `return`: gives unworked records back. Exit 77 where no claim has the token. */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(program.command('return').description('give unworked records back'))
    .option('--token <token>', "the claim's token; default $LEASEHOLD_CLAIM_TOKEN", parseToken)
    .option('--ids <ids>', 'only these; of a claim without --explicit-begin nothing else goes back', parseIds)
    .option('--ids-file <file>', 'the same, one a line; - for stdin');
  withGlobalOptions(command).action(async (pool: string, options: ReturnCommandOptions) => {
    const token = claimTokenOf(options.token, context.host);
    const storeWait = patienceOf(context, options);
    const ids = await idsOf(options, context);
    await withStore(
      context,
      options,
      async (session) => {
        const answered = await session.leasehold.pool(pool).returnUnworked({ token, ...(ids === null ? {} : { ids }) });
        const answer = { ...answered, message: returnText(answered, ids ?? []) };
        const isReturned = answer.outcome === 'returned';
        if (session.isJson) await session.print(returnJson(answer));
        else if (isReturned) await session.answer(answer.message);
        else await session.say(answer.message);
        return isReturned ? EXIT.done : EXIT.lost;
      },
      { pool, storeWait, unheard: UNHEARD.return },
    );
  });
}

const NAMED_MAX = 20;

/** The answer's message, with those of the given ids that are not the claim's to give back: a mistyped one must be seen. */
export function returnText(
  { outcome, returned, kept, message }: Pick<ReturnAnswer, 'outcome' | 'returned' | 'kept' | 'message'>,
  ids: readonly string[],
): string {
  const has = new Set([...returned, ...kept].map(({ id }) => id));
  const others = [...new Set(ids)].filter((id) => !has.has(id));
  if (outcome !== 'returned' || others.length === 0) return message;
  const named = others.slice(0, NAMED_MAX).map((id) => `"${id}"`);
  const more = others.length > NAMED_MAX ? ` and ${others.length - NAMED_MAX} more` : '';
  return `${message.replace(/\.$/, '')}; not in this claim, or settled already: ${named.join(', ')}${more}.`;
}

/** No claim has more. */
async function idsOf(options: ReturnCommandOptions, { host }: CommandContext): Promise<readonly string[] | null> {
  await using spool = await readIds(options, host);
  if (spool === null) return null;
  if (spool.count > CLAIM_LIMIT_MAX) {
    throw new LeaseholdError(
      'INVALID_ARGUMENT',
      `${spool.count} ids were given; a claim has at most ${CLAIM_LIMIT_MAX}`,
    );
  }
  const ids: string[] = [];
  for await (const { id } of spool.read()) ids.push(id);
  return ids;
}
