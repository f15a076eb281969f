import type { Command } from 'commander';
import { checkId, PAGE_SIZE_DEFAULT } from '../../domain/limits.ts';
import { shellWord } from '../../domain/messages.ts';
import type { ReviewOptions } from '../../engine/records/api.ts';
import { checkVersion } from '../../domain/records/record-key.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseChoice, parseLimit, parseReason, usageError, withGlobalOptions } from '../options.ts';
import { type Session, withStore } from '../session.ts';
import { recordJson, reviewJson } from './json.ts';
import { withPool } from './record-options.ts';
import { recordTable } from './records.ts';
import { parseProviderRef } from './verdict.ts';

interface ReviewCommandOptions extends GlobalOptions {
  readonly reason?: string;
  readonly recordVersion?: string;
  readonly providerRef?: string;
  readonly limit: number;
}

type Action = ReviewOptions['action'];
const ACTIONS: readonly Action[] = ['ask', 'done', 'requeue', 'fail'];

/** `review`: the records that need a person, and what that person decides. Exit 77 where it can't be done. */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(program.command('review').description('records that need a person: list them, decide'))
    .argument('[id]', 'the record to decide about; default: list them', (text: string) => checkId(text, 'record id'))
    .argument(
      '[action]',
      `${ACTIONS.join(', ')}; done and requeue also of one that failed`,
      parseChoice('action', ACTIONS),
    )
    .option('--reason <text>', 'why; stored with the event', parseReason)
    .option('--record-version <id>', 'which version, where several could be meant', (text: string) =>
      checkVersion(text),
    )
    .option('--provider-ref <text>', 'with done: what the provider calls the effect', parseProviderRef)
    .option('--limit <n>', 'list at most so many, 1 to 1000', parseLimit, PAGE_SIZE_DEFAULT);
  withGlobalOptions(command).action(
    async (pool: string, id: string | undefined, action: Action | undefined, options: ReviewCommandOptions) => {
      if (id === undefined) {
        if (options.reason !== undefined) {
          throw usageError('--reason belongs to a decision: review POOL ID ACTION --reason TEXT');
        }
        await withStore(context, options, (session) => list(session, pool, options), { pool, ifMissing: 'tell' });
        return;
      }
      const decision = decisionOf(id, action, options);
      await withStore(context, options, (session) => decide(session, pool, decision), { pool });
    },
  );
}

function decisionOf(id: string, action: Action | undefined, options: ReviewCommandOptions): ReviewOptions {
  const { reason, recordVersion, providerRef } = options;
  if (action === undefined) throw usageError(`say what is decided about record "${id}": ${ACTIONS.join(', ')}`);
  if (reason === undefined) throw usageError(`${action} needs --reason TEXT`);
  if (providerRef !== undefined && action !== 'done') throw usageError('--provider-ref belongs to done');
  return {
    id,
    action,
    reason,
    ...(recordVersion === undefined ? {} : { version: recordVersion }),
    ...(providerRef === undefined ? {} : { providerRef }),
  };
}

async function list(session: Session, pool: string, { limit }: ReviewCommandOptions): Promise<number> {
  const rows = await session.leasehold.pool(pool).records({ state: 'review', limit });
  if (session.isJson) {
    for (const row of rows) await session.print(recordJson(row));
  } else if (rows.length === 0) await session.say(`No record of pool "${pool}" is in review.`);
  else {
    await session.print(recordTable(rows));
    const status = await session.leasehold.pool(pool).status();
    await session.say(decideText(pool, status !== null && status.verifier !== null));
  }
  return EXIT.done;
}

/** To have the provider asked is offered only where something can ask it. */
export function decideText(pool: string, hasVerifier: boolean): string {
  const command = `leasehold review ${shellWord(pool)} ID`;
  const ask = hasVerifier ? `, or have it asked: ${command} ask --reason TEXT` : '';
  return `Look at the provider, then decide: ${command} done|requeue|fail --reason TEXT${ask}`;
}

async function decide(session: Session, pool: string, decision: ReviewOptions): Promise<number> {
  const answer = await session.leasehold.pool(pool).review(decision);
  const isAccepted = answer.outcome === 'accepted';
  if (session.isJson) await session.print(reviewJson(answer));
  else if (isAccepted) await session.answer(answer.message);
  else await session.say(answer.message);
  return isAccepted ? EXIT.done : EXIT.lost;
}
