import type { CommandHost } from '../../ports/command-host.ts';
import type { Child } from './child.ts';

/**
 * Waits for the command's end or the loss of its lease, which `signal` tells; true for the loss. After a long
 * sleep of the machine both may be there at once: an end that has already happened comes first, because then
 * nothing is left to be stopped.
 */
export async function lossBeforeEnd(
  child: Pick<Child, 'end' | 'ended'>,
  signal: AbortSignal,
  host: Pick<CommandHost, 'settleEvents'>,
): Promise<boolean> {
  const lost = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([child.ended, lost]);
  await host.settleEvents();
  return child.end === null;
}
