import type { Command } from 'commander';
import { type SqlStep, sqlPage, sqlSteps } from '../../sql-steps/steps.ts';
import type { Subject } from '../../sql-steps/templates.ts';
import type { CommandContext } from '../context.ts';
import { OutputLost } from '../failure.ts';
import { usageError } from '../options.ts';
import { readTableOptions, type SqlOptions, withTableOptions } from '../sql-options.ts';

const ABOUT: readonly (readonly [Subject, string])[] = [
  ['columns', 'print the columns and indexes that a table needs, and a check of it'],
  ['claim', 'print the statements that claim, begin, extend and return rows of a table'],
  ['verdict', 'print the statements that say what became of a row'],
  ['sweep', 'print the statements that settle claims which are over'],
];

/** `sql claim|verdict|sweep|columns`: prints statements for a table of the user's own. No store is opened. */
export function register(program: Command, context: CommandContext): void {
  const group = program
    .command('sql')
    .description('print statements that claim rows of your own table: sql claim --table T')
    .helpCommand(false);
  for (const [subject, description] of ABOUT) {
    withTableOptions(group.command(subject).description(description)).action(async (options: SqlOptions) => {
      const text = pageOf(subject, options);
      const errorCode = await context.host.writeOut(`${text}\n`);
      if (errorCode !== null && errorCode !== 'EPIPE') throw new OutputLost(errorCode);
    });
  }
}

function pageOf(subject: Subject, options: SqlOptions): string {
  const { table, style } = readTableOptions(options);
  const steps = sqlSteps(table, subject, style);
  const chosen = options.only === undefined ? steps : [stepNamed(options.only, steps)];
  if (options.json === true) {
    return chosen.map((each) => JSON.stringify({ ...each, dialect: table.dialect })).join('\n');
  }
  return options.only === undefined ? sqlPage(table, chosen, style) : chosen.map(({ sql }) => sql).join('\n');
}

function stepNamed(name: string, steps: readonly SqlStep[]): SqlStep {
  const found = steps.find(({ step }) => step === name);
  if (found !== undefined) return found;
  throw usageError(`only: "${name}" is not one of ${steps.map(({ step }) => step).join(', ')}`);
}
