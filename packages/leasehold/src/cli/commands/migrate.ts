import type { Command } from 'commander';
import { checkId } from '../../domain/limits.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usageError, withGlobalOptions } from '../options.ts';
import { type Session, withStore } from '../session.ts';

interface MigrateCommandOptions extends GlobalOptions {
  readonly print?: boolean;
  readonly grant?: string;
}

/** `migrate`: installs or updates the schema, or prints it for a database that only a person may change. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('migrate')
    .description('install or update the schema of the store')
    .option('--print', 'print leasehold.sql for PostgreSQL and touch no store')
    .option('--grant <role>', 'PostgreSQL: the role that may use the schema', (text: string) => checkId(text, 'role'));
  withGlobalOptions(command).action(async (options: MigrateCommandOptions) => {
    if (options.print === true) {
      if (options.grant !== undefined) throw usageError('--grant has no effect on --print; give it to migrate itself');
      await context.host.writeOut(await context.installScript());
      return;
    }
    await withStore(context, options, (session) => migrate(session, options.grant), {
      expectSchema: false,
      ifMissing: 'make',
    });
  });
}

async function migrate(session: Session, grantTo: string | undefined): Promise<number> {
  const { from, to } = await session.leasehold.migrate(grantTo === undefined ? {} : { grantTo });
  if (session.isJson) await session.print(JSON.stringify({ from, to }));
  else await session.answer(migratedMessage(from, to));
  return EXIT.done;
}

/** What `migrate` has done. */
export function migratedMessage(from: number, to: number): string {
  if (from === to) return `The schema is at version ${to} already.`;
  return from === 0 ? `Installed the schema, version ${to}.` : `Updated the schema from version ${from} to ${to}.`;
}
