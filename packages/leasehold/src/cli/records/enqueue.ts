import type { Command } from 'commander';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usageError, withGlobalOptions } from '../options.ts';
import { type Session, withStore } from '../session.ts';
import { enqueuedText, notEnqueuedText } from './enqueue-text.ts';
import { parseIds, readIds } from './ids-input.ts';
import { enqueueJson } from './json.ts';
import { namespaceSetting } from './namespace.ts';
import { offerOf } from './offering.ts';
import { withPool } from './record-options.ts';
import type { Spool } from './spool.ts';

interface EnqueueCommandOptions extends GlobalOptions {
  readonly ids?: readonly string[];
  readonly idsFile?: string;
}

/** `enqueue`: fills a pool without claiming. What is known stays as it is, so the same call again adds what is missing. */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(program.command('enqueue').description('make records known without claiming them'))
    .option('--ids <ids>', 'the records', parseIds)
    .option('--ids-file <file>', 'the same, one a line or as objects; - for stdin');
  withGlobalOptions(command).action(async (pool: string, options: EnqueueCommandOptions) => {
    await using spool = await readIds(options, context.host);
    if (spool === null) throw usageError('enqueue needs --ids ID,… or --ids-file FILE');
    await withStore(context, options, (session) => enqueue(session, pool, spool), {
      isKept: true,
      ifMissing: 'make',
      pool,
      ...namespaceSetting(options, context.host),
    });
  });
}

async function enqueue(session: Session, pool: string, spool: Spool): Promise<number> {
  const report = await session.leasehold.pool(pool).enqueue(offers(spool));
  if (session.isJson) await session.print(enqueueJson(report));
  else {
    await session.answer(enqueuedText(report));
    for (const refused of report.refused) await session.say(notEnqueuedText(refused));
  }
  return EXIT.done;
}

async function* offers(spool: Spool): AsyncGenerator<ReturnType<typeof offerOf>> {
  for await (const record of spool.read()) yield offerOf(record);
}
