import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

/** `demo`: a job that outlives its interval, without and with Leasehold, and a killed run. */
export function register(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .description('see it work: a slow job without and with Leasehold, about 20 seconds')
    .action(async () => {
      const { runDemo } = await import('../demo/demo.ts');
      context.finish(await runDemo(context));
    });
}
