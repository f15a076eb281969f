import type { Command } from 'commander';
import type { Finding } from '../../domain/doctor.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { type Examination, examine } from '../doctor/examine.ts';
import { EXIT } from '../exit-codes.ts';
import { OutputLost } from '../failure.ts';
import { withGlobalOptions } from '../options.ts';
import { formatTable } from '../output/table.ts';

/** `doctor`: looks at host, configuration, store, locks and alerts, and says what will hurt. Writes nothing. */
export function register(program: Command, context: CommandContext): void {
  const command = program.command('doctor').description('what of host, configuration, store and locks will hurt');
  withGlobalOptions(command).action(async (options: GlobalOptions) => {
    const examination = await examine(context, options);
    const { findings } = examination;
    const text =
      options.json === true ? findings.map(findingJson).join('\n') : formatTable(HEADER, findings.map(findingRow));
    const errorCode = await context.host.writeOut(`${text}\n`);
    if (errorCode !== null && errorCode !== 'EPIPE') throw new OutputLost(errorCode);
    context.finish(exitCodeOf(examination));
  });
}

const HEADER = ['RESULT', 'CHECK', 'MESSAGE'];

function findingRow({ check, result, message }: Finding): string[] {
  return [result, check, message];
}

function findingJson({ check, result, message }: Finding): string {
  return JSON.stringify({ check, result, message });
}

function exitCodeOf({ findings, isReached }: Examination): number {
  if (!isReached) return EXIT.storeUnreachable;
  return findings.some(({ result }) => result === 'problem') ? EXIT.refused : EXIT.done;
}
