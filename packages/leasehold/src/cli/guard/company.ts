import type { Start } from '../../engine/api.ts';
import type { Child } from './child.ts';
import type { Guard } from './guard.ts';
import { relayOutput } from './output.ts';

/** How often what is due is done while a command runs; the alert of its own reclaim is one of the first. */
const DUTIES_EVERY_MS = 30_000;
const WATCH_MS_MAX = 1_000;

/** What goes along with a command that runs: its output through our hands, looks for its progress, and what the store needs done meanwhile. */
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
  doDuties({ context, session }, over.signal).catch(() => {});
  return {
    async end() {
      over.abort();
      await output?.drain();
      await watched;
    },
  };
}

/** Watches and delivers until `ended` fires; what is under way then ends within 3 s. A run of hours may be all that runs here. */
async function doDuties({ context, session }: Pick<Guard, 'context' | 'session'>, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await session.leasehold.watch({ timeoutMs: WATCH_MS_MAX }).catch(() => {});
    await session.deliver(ended);
    await context.clock.sleep(DUTIES_EVERY_MS, ended).catch(() => {});
  }
}
