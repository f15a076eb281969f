import { Command, CommanderError, type HelpConfiguration } from 'commander';
import { GROUPS, orderArguments, splitCommand } from './arguments.ts';
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
  ['enqueue', () => import('./records/enqueue.ts')],
  ['claim', () => import('./records/claim.ts')],
  ['begin', () => import('./records/begin.ts')],
  ['verdict', () => import('./records/verdict.ts')],
  ['extend', () => import('./records/extend.ts')],
  ['return', () => import('./records/return.ts')],
  ['records', () => import('./records/records.ts')],
  ['review', () => import('./records/review.ts')],
  ['pool', () => import('./records/pool.ts')],
  ['sweep', () => import('./records/sweep.ts')],
  ['status', () => import('./commands/status.ts')],
  ['runs', () => import('./commands/runs.ts')],
  ['events', () => import('./commands/events.ts')],
  ['why', () => import('./commands/why.ts')],
  ['advise', () => import('./commands/advise.ts')],
  ['pause', () => import('./commands/pause.ts')],
  ['resume', () => import('./commands/resume.ts')],
  ['force-release', () => import('./commands/force-release.ts')],
  ['doctor', () => import('./commands/doctor.ts')],
  ['migrate', () => import('./commands/migrate.ts')],
  ['work', () => import('./commands/work.ts')],
  ['alert', () => import('./commands/alert.ts')],
  ['sql', () => import('./commands/sql.ts')],
  ['audit', () => import('./audit/audit.ts')],
  ['demo', () => import('./commands/demo.ts')],
]);

/** What main brings, without what the command line itself decides. */
export type ProgramContext = Omit<CommandContext, 'guarded' | 'finish'>;

/** Runs one command line and returns its exit code. Never throws; every error becomes one line on stderr. */
export async function runProgram(argv: readonly string[], given: ProgramContext): Promise<number> {
  let exitCode: number = EXIT.done;
  try {
    const { subcommand, own, guarded } = readRequest(argv);
    const finish = (code: number): void => {
      exitCode = code;
    };
    const program = await createProgram(subcommand, own, { ...given, guarded, finish });
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

interface Request {
  readonly subcommand: string | null;
  readonly own: readonly string[];
  readonly guarded: readonly string[] | null;
}

/**
 * `help COMMAND` is `COMMAND --help`. Of a command that isn't known nothing is asked but that: with `--help` it would
 * be answered as if nothing were wrong.
 */
function readRequest(argv: readonly string[]): Request {
  const { subcommand, words } = orderArguments(argv);
  if (subcommand === 'help') {
    const asked = words.slice(1).filter((word) => !word.startsWith('-'));
    return readRequest(asked.length === 0 ? ['--help'] : [...asked, '--help']);
  }
  if (subcommand !== null && !COMMANDS.has(subcommand)) return { subcommand, own: [subcommand], guarded: null };
  const { own, command } = subcommand === 'run' ? splitCommand(words) : { own: words, command: null };
  return { subcommand, own, guarded: command };
}

/** What is needed to say help is loaded where it may be asked for. */
async function helpFormat(subcommand: string | null, own: readonly string[]): Promise<HelpConfiguration> {
  const mayBeAsked = subcommand === null || GROUPS.has(subcommand) || own.includes('--help') || own.includes('-h');
  if (!mayBeAsked) return {};
  const { formatHelp } = await import('./help/format.ts');
  return { formatHelp };
}

async function createProgram(
  subcommand: string | null,
  own: readonly string[],
  context: CommandContext,
): Promise<Command> {
  const program = new Command('leasehold')
    .description('Keeps scheduled automations from doing work twice.')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; also: leasehold COMMAND --help')
    .helpCommand(false)
    .configureHelp(await helpFormat(subcommand, own))
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.host.writeOut(text),
      writeErr: (text) => void context.host.writeError(text),
      // Said once, as our own line, where the error is caught.
      outputError: () => {},
    });
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
    const text = oneLine(error.message.replace(/^error: /, '').replace(/\.$/, ''));
    await host.writeError(`leasehold: ${text}; see leasehold --help\n`);
    return EXIT.usage;
  }
  const { line, exitCode } = describeFailure(error);
  await host.writeError(`leasehold: ${line}\n`);
  return exitCode;
}
