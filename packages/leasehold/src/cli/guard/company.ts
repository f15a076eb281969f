import type { Start } from '../../engine/api.ts';
import type { Child } from './child.ts';
import type { Guard } from './guard.ts';
import { relayOutput } from './output.ts';

/** How often alerts are delivered while a command runs; that of its own reclaim is one of the first. */
const DELIVER_EVERY_MS = 30_000;

/** What goes along with a command that runs: its output through our hands, looks for its progress, alerts that are due. */
export interface Company {
  /** After the lock was released: hands on the last of the output. Bounded. */
  end(): Promise<void>;
}

export function accompany({ context, session, plan }: Guard, child: Child, start: Start): Company {
  const { holding, tagsOutput } = plan;
  const { host, clock } = context;
  const over = new AbortController();
  const tag = tagsOutput ? `[${start.runId}] ` : null;
  const output =
    child.output === null ? null : relayOutput(child.output, { host, clock, tag, onOutput: () => holding.noteSign() });
  const watched = holding.watchProgress(() => session.leasehold.lock(plan.lock).progress(), over.signal);
  // Not waited for at the end: the delivery after the work does that, within its own time.
  deliverMeanwhile({ context, session }, over.signal).catch(() => {});
  return {
    async end() {
      over.abort();
      await output?.drain();
      await watched;
    },
  };
}

/** Until `ended` fires; what is under way then ends within 2 s. */
async function deliverMeanwhile(
  { context, session }: Pick<Guard, 'context' | 'session'>,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    await session.deliver(ended);
    await context.clock.sleep(DELIVER_EVERY_MS, ended).catch(() => {});
  }
}
