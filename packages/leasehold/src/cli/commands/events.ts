import type { Command } from 'commander';
import type { LeaseholdEvent } from '../../domain/answers.ts';
import { checkName, PAGE_SIZE_DEFAULT } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseKind, parseLimit, withGlobalOptions } from '../options.ts';
import { eventJson } from '../output/json.ts';
import { formatInstant, formatTable } from '../output/table.ts';
import { parsePool } from '../records/record-options.ts';
import { withStore } from '../session.ts';

interface EventsCommandOptions extends GlobalOptions {
  readonly lock?: string;
  readonly pool?: string;
  readonly kind?: string;
  readonly limit: number;
}

/** `events`: what happened beside the runs, newest first. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('events')
    .description('what happened beside the runs, newest first')
    .option('--lock <name>', 'of one lock', (text: string) => checkName(text))
    .option('--pool <name>', 'of one pool', parsePool)
    .option('--kind <kind>', 'of one kind, for example lease.reclaimed', parseKind)
    .option('--limit <n>', 'at most so many, 1 to 1000', parseLimit, PAGE_SIZE_DEFAULT);
  withGlobalOptions(command).action(async (options: EventsCommandOptions) => {
    await withStore(
      context,
      options,
      async (session) => {
        const { lock = null, pool = null, kind = null, limit } = options;
        const events = await session.leasehold.events({ lock, pool, kind, limit });
        if (session.isJson) {
          for (const event of events) await session.print(eventJson(event));
        } else if (events.length > 0) {
          await session.print(formatTable(HEADER, events.map(eventRow)));
        } else {
          await session.say('No such event.');
        }
        return EXIT.done;
      },
      { ifMissing: 'tell' },
    );
  });
}

const HEADER = ['AT', 'KIND', 'SEVERITY', 'LOCK OR POOL', 'MESSAGE'];

function eventRow({ at, kind, severity, lock, pool, message }: LeaseholdEvent): string[] {
  return [formatInstant(at), kind, severity, lock ?? pool ?? '-', message];
}
