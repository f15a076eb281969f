import type { Command } from 'commander';
import { type SqlStep, sqlPage, sqlSteps } from '../../sql-steps/steps.ts';
import type { Subject } from '../../sql-steps/templates.ts';
import type { CommandContext } from '../context.ts';
import { OutputLost } from '../failure.ts';
import { usageError } from '../options.ts';
import { readTableOptions, type SqlOptions, withTableOptions } from '../sql-options.ts';

/** `sql claim|verdict|sweep|columns`: prints statements for a table of the user's own. No store is opened. */
export function register(program: Command, context: CommandContext): void {
  const group = program
    .command('sql')
    .description('print statements that claim rows of your own table: sql claim --table T')
    .helpCommand(false);
  const add = (subject: Subject): Command => {
    const command = withTableOptions(group.command(subject));
    return command.action(async (options: SqlOptions) => {
      const errorCode = await context.host.writeOut(`${pageOf(subject, options)}\n`);
      if (errorCode !== null && errorCode !== 'EPIPE') throw new OutputLost(errorCode);
    });
  };
  add('columns').description('print the columns and indexes that a table needs, and a check of it');
  add('claim').description('print the statements that claim, begin, extend and return rows of a table');
  add('verdict').description('print the statements that say what became of a row');
  add('sweep').description('print the statements that settle claims which are over');
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
