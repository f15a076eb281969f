import type { Command } from 'commander';
import type { LockStatus } from '../../domain/answers.ts';
import { checkName, PAGE_SIZE_MAX } from '../../domain/limits.ts';
import type { Run } from '../../domain/run.ts';
import { explainNow, explainThen, lossOf } from '../../domain/why.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { parseInstant, withGlobalOptions } from '../options.ts';
import { runFields, statusFields } from '../output/json.ts';
import { type Session, withStore } from '../session.ts';

interface WhyCommandOptions extends GlobalOptions {
  readonly at?: Date;
}

/** `why`: one sentence from the record. It reads the newest 1,000 starts of the lock, and as many losses, and writes nothing. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('why')
    .description('why a run did or did not start')
    .argument('<name>', 'the lock', (text: string) => checkName(text))
    .option(
      '--at <iso>',
      'the latest start at or before this instant; default: the lock as it is now',
      parseInstant('at'),
    );
  withGlobalOptions(command).action(async (name: string, options: WhyCommandOptions) => {
    await withStore(context, options, (session) => explain(session, name, options.at ?? null));
  });
}

async function explain(session: Session, lock: string, at: Date | null): Promise<number> {
  const { leasehold } = session;
  const runs = await leasehold.runs({ lock, limit: at === null ? 1 : PAGE_SIZE_MAX });
  const run = at === null ? (runs[0] ?? null) : latestAt(runs, at);
  const status = at === null ? await leasehold.lock(lock).status() : null;
  const lost = run === null ? [] : await leasehold.events({ lock, kind: 'lease.lost', limit: PAGE_SIZE_MAX });
  const loss = run === null ? null : lossOf(run, lost);
  const { starts, message } =
    at === null
      ? explainNow(lock, status, { latest: run, loss, forcedFrom: await forcedFrom(session, lock, status) })
      : explainThen(lock, at, run, PAGE_SIZE_MAX, loss);
  if (session.isJson) {
    const state = status === null ? null : statusFields(status);
    await session.print(
      JSON.stringify({ lock, at, starts, message, run: run === null ? null : runFields(run), state }),
    );
  } else {
    await session.answer(message);
  }
  return EXIT.done;
}

/** The run that a lock was force-released from and that has not been heard of since; only of a lock that is free. */
async function forcedFrom({ leasehold }: Session, lock: string, status: LockStatus | null): Promise<Run | null> {
  if (status?.state !== 'free') return null;
  const [event] = await leasehold.events({ lock, kind: 'lock.force_released', limit: 1 });
  if (event === undefined) return null;
  const runs = await leasehold.runs({ lock, limit: PAGE_SIZE_MAX });
  const run = runs.find(({ outcome }) => outcome === 'acquired' || outcome === 'reclaimed');
  return run !== undefined && run.runId === event.runId && run.endedAt === null ? run : null;
}

/** A start that waited has a row from before; the latest by its time, not by its place, is meant. */
function latestAt(runs: readonly Run[], at: Date): Run | null {
  const before = runs.filter((run) => run.startedAt <= at);
  return before.reduce<Run | null>(
    (latest, run) => (latest === null || run.startedAt > latest.startedAt ? run : latest),
    null,
  );
}
