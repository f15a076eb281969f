import { Command, CommanderError } from 'commander';
import { orderArguments, splitCommand } from './arguments.ts';
import type { CommandContext, RegisterCommand } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { describeFailure, oneLine } from './failure.ts';
import { withGlobalOptions } from './options.ts';

/**
 * The program: its subcommands, each loaded only when it is the one that runs, because a guard that
 * is started every minute should not read what it doesn't need. Help reads them all.
 */
const COMMANDS = new Map<string, () => Promise<{ readonly register: RegisterCommand }>>([
  ['run', () => import('./commands/run.ts')],
  ['acquire', () => import('./commands/acquire.ts')],
  ['renew', () => import('./commands/renew.ts')],
  ['release', () => import('./commands/release.ts')],
  ['status', () => import('./commands/status.ts')],
  ['runs', () => import('./commands/runs.ts')],
  ['events', () => import('./commands/events.ts')],
  ['why', () => import('./commands/why.ts')],
  ['advise', () => import('./commands/advise.ts')],
  ['pause', () => import('./commands/pause.ts')],
  ['resume', () => import('./commands/resume.ts')],
  ['force-release', () => import('./commands/force-release.ts')],
  ['migrate', () => import('./commands/migrate.ts')],
  ['work', () => import('./commands/work.ts')],
  ['alert', () => import('./commands/alert.ts')],
  ['demo', () => import('./commands/demo.ts')],
]);

const EXIT_CODES = `
Exit codes: 0 done (run: the command's own); 64 usage; 69 store unreachable, nothing was started;
74 stdout can't be written; 75 skipped; 76 already ran; 77 lease lost, or not the holder; 78 store or configuration refused;
126, 127 the command can't be started.`;

/** What main brings, without what the command line itself decides. */
export type ProgramContext = Omit<CommandContext, 'guarded' | 'finish'>;

/** Runs one command line and returns its exit code. Never throws; every error becomes one line on stderr. */
export async function runProgram(argv: readonly string[], given: ProgramContext): Promise<number> {
  let exitCode: number = EXIT.done;
  try {
    const { subcommand, words } = orderArguments(argv);
    const { own, command } = subcommand === 'run' ? splitCommand(words) : { own: words, command: null };
    const finish = (code: number): void => {
      exitCode = code;
    };
    const program = await createProgram(subcommand, { ...given, guarded: command, finish });
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return EXIT.usage;
    }
    await program.parseAsync([...own], { from: 'user' });
    return exitCode;
  } catch (error) {
    return await endInError(error, given);
  }
}

async function createProgram(subcommand: string | null, context: CommandContext): Promise<Command> {
  const program = new Command('leasehold')
    .description('Keeps scheduled automations from doing work twice.')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; also: leasehold COMMAND --help')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.host.writeOut(text),
      writeErr: (text) => void context.host.writeError(text),
      // Said once, as our own line, where the error is caught.
      outputError: () => {},
    })
    .addHelpText('after', EXIT_CODES);
  withGlobalOptions(program);
  const load = COMMANDS.get(subcommand ?? '');
  const loads = load === undefined ? [...COMMANDS.values()] : [load];
  for (const module of await Promise.all(loads.map((each) => each()))) module.register(program, context);
  return program;
}

async function endInError(error: unknown, { host }: ProgramContext): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    // Options without a command: the help has been said, and the error's text is no sentence.
    if (error.code === 'commander.help') return EXIT.usage;
    const text = oneLine(error.message.replace(/^error: /, ''));
    await host.writeError(`leasehold: ${text}; see leasehold --help\n`);
    return EXIT.usage;
  }
  const { line, exitCode } = describeFailure(error);
  await host.writeError(`leasehold: ${line}\n`);
  return exitCode;
}
