import type { Start } from '../../engine/api.ts';
import type { Child } from './child.ts';
import type { Guard } from './guard.ts';
import { relayOutput } from './output.ts';

/** What goes along with a command that runs: its output through our hands, and looks for its progress. */
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
  return {
    async end() {
      over.abort();
      await output?.drain();
      await watched;
    },
  };
}
