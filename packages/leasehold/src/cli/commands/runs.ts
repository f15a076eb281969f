import type { Command } from 'commander';
import { formatDuration } from '../../domain/duration.ts';
import { checkName, PAGE_SIZE_DEFAULT } from '../../domain/limits.ts';
import type { Run } from '../../domain/run.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseLimit, withGlobalOptions } from '../options.ts';
import { runJson } from '../output/json.ts';
import { formatInstant, formatTable } from '../output/table.ts';
import { withStore } from '../session.ts';

interface RunsCommandOptions extends GlobalOptions {
  readonly limit: number;
}

/** `runs`: every attempt to start, newest first, whatever came of it. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('runs')
    .description('every attempt to start, newest first')
    .argument('[name]', 'of one lock; default all', (text: string) => checkName(text))
    .option('--limit <n>', 'at most so many, 1 to 1000', parseLimit, PAGE_SIZE_DEFAULT);
  withGlobalOptions(command).action(async (name: string | undefined, options: RunsCommandOptions) => {
    await withStore(
      context,
      options,
      async (session) => {
        const runs = await session.leasehold.runs({ lock: name ?? null, limit: options.limit });
        if (session.isJson) {
          for (const run of runs) await session.print(runJson(run));
        } else if (runs.length > 0) {
          await session.print(formatTable(HEADER, runs.map(runRow)));
        } else {
          await session.say(name === undefined ? 'No run yet.' : `No run of lock "${name}" yet.`);
        }
        return EXIT.done;
      },
      { ifMissing: 'tell' },
    );
  });
}

const HEADER = ['STARTED', 'LOCK', 'OUTCOME', 'STATUS', 'TOOK', 'HOLDER', 'RUN'];

function runRow(run: Run): string[] {
  return [
    formatInstant(run.startedAt),
    run.lock,
    run.reason === null ? run.outcome : `${run.outcome} (${run.reason})`,
    run.status ?? '-',
    took(run),
    run.holder,
    run.runId,
  ];
}

function took(run: Run): string {
  if (run.endedAt === null || run.outcome === 'skipped' || run.outcome === 'already_ran') return '-';
  return formatDuration(Math.max(0, run.endedAt.getTime() - run.startedAt.getTime()));
}
