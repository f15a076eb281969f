import type { Command } from 'commander';
import { checkName } from '../../domain/limits.ts';
import type { RunStatus } from '../../domain/run.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT, exitCodeOfRelease } from '../exit-codes.ts';
import { parseAfter, parseChoice, parseToken, withGlobalOptions } from '../options.ts';
import { releaseJson } from '../output/json.ts';
import { withStore } from '../session.ts';
import { tokenOf } from '../token.ts';

interface ReleaseCommandOptions extends GlobalOptions {
  readonly token?: string;
  readonly status?: RunStatus;
  readonly after?: number;
}

/** `release`: gives the lock back and says how the run went. Repeatable. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('release')
    .description('give a lock back')
    .argument('<name>', 'the lock', (text: string) => checkName(text))
    .option('--token <token>', 'the token of the acquisition; default $LEASEHOLD_TOKEN', parseToken)
    .option('--status <status>', 'success or failure; none: the slot is not counted', parseStatus)
    .option('--after <duration>', 'free it only then: for work that may still be writing; default at once', parseAfter);
  withGlobalOptions(command).action(async (name: string, options: ReleaseCommandOptions) => {
    const token = tokenOf(options.token, context.host);
    await withStore(context, options, async (session) => {
      const answer = await session.leasehold.lock(name).release({
        token,
        ...(options.status === undefined ? {} : { status: options.status }),
        ...(options.after === undefined ? {} : { afterMs: options.after }),
      });
      const exitCode = exitCodeOfRelease(answer);
      if (session.isJson) await session.print(releaseJson(answer));
      else if (exitCode === EXIT.done) await session.answer(answer.message);
      else await session.say(answer.message);
      return exitCode;
    });
  });
}

const parseStatus: (text: string) => RunStatus = parseChoice('status', ['success', 'failure']);
