import type { Command } from 'commander';
import { PAGE_SIZE_MAX } from '../../domain/limits.ts';
import type { SweepReport } from '../../engine/records/api.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { withGlobalOptions } from '../options.ts';
import { type Session, withStore } from '../session.ts';
import { sweepJson } from './json.ts';
import { parsePool } from './record-options.ts';
import { sweepText } from './settle.ts';

/** `sweep`: settles what expired claims left, as far as that needs no provider's answer. Repeatable, by several at once. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('sweep')
    .description('settle what expired claims left')
    .argument('[pool]', 'one pool; default all', parsePool);
  withGlobalOptions(command).action(async (pool: string | undefined, options: GlobalOptions) => {
    await withStore(context, options, (session) => sweep(session, pool ?? null));
  });
}

async function sweep(session: Session, only: string | null): Promise<number> {
  const { leasehold } = session;
  const pools = only === null ? await leasehold.pools({ limit: PAGE_SIZE_MAX }) : [await leasehold.pool(only).status()];
  const known = pools.filter((status) => status !== null);
  for (const { pool } of known) await tell(session, await leasehold.pool(pool).sweep());
  if (known.length === 0 && !session.isJson) {
    await session.say(
      only === null ? 'No pool yet.' : `Pool "${only}" is not known: nothing has been enqueued or claimed.`,
    );
  }
  return EXIT.done;
}

async function tell(session: Session, report: SweepReport): Promise<void> {
  if (session.isJson) await session.print(sweepJson(report));
  else await session.answer(sweepText(report));
}
