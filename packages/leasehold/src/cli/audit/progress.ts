import { elapsedMs } from '../../domain/timing.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CommandHost } from '../../ports/command-host.ts';

/** Nobody wonders before that, and nobody reads more lines than that. */
const QUIET_MS = 2_000;

/** Tells how far a long reading is: on a terminal only, never within two seconds of the start or of the line before. */
export function progressOn(
  host: Pick<CommandHost, 'isTerminal' | 'writeError'>,
  clock: Pick<Clock, 'read'>,
): (line: string) => void {
  if (!host.isTerminal('stderr')) return () => {};
  let last = clock.read();
  return (line) => {
    const now = clock.read();
    if (elapsedMs(last, now) < QUIET_MS) return;
    last = now;
    void host.writeError(`leasehold: ${line}\n`);
  };
}
