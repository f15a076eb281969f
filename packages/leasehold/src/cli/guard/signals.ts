import type { CommandHost } from '../../ports/command-host.ts';

/**
 * Signals of the wrapper, from before the lock is asked for until the process ends.
 *
 * They have three lives. Before the command exists, one that asks to end (TERM, INT, HUP, QUIT and
 * the rarer ones that would end a program) ends
 * the start: nothing is run and nothing stays locked. While the command runs, each goes on to all of its
 * session and the wrapper stays, because a wrapper that dies first leaves an unguarded child.
 * After it has ended they change nothing: the release must not be interrupted, and is bounded.
 */
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];
/** These end whoever doesn't expect them; a limit of CPU time, a timer or a failing power supply sends them. */
const RARELY_ENDING: readonly NodeJS.Signals[] = [
  'SIGALRM',
  'SIGVTALRM',
  'SIGPROF',
  'SIGXCPU',
  'SIGIO',
  'SIGPWR',
  'SIGABRT',
];
/** CONT too: whoever wakes the wrapper means the command as well. */
const TELLING: readonly NodeJS.Signals[] = ['SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'];
/** The terminal's Ctrl-Z: a suspended wrapper renews nothing, so its lease would end under a running child. */
const SUSPENDING: readonly NodeJS.Signals[] = ['SIGTSTP'];

/** Signals wait here for a command that is about to start; more than these come from nobody sane. */
const PENDING_MAX = 64;

export interface SignalRelay {
  /** The first signal that asked to end before a command existed; null while none did. */
  readonly ended: NodeJS.Signals | null;
  /** Fires with it: ends a wait for a busy lock. */
  readonly interrupted: AbortSignal;
  /** Those that asked the command to end. */
  readonly passedOn: ReadonlySet<NodeJS.Signals>;
  /** The command's session exists: what waited goes to it, and so does what comes. */
  attach(sessionId: number): void;
  /** The command has ended: what comes now changes nothing. */
  detach(): void;
}

/** Keeps Ctrl-Z from suspending this process; `say` tells why. */
export function refuseSuspension(host: CommandHost, say: (message: string) => void): void {
  host.onSignals(SUSPENDING, () => say('not suspended: a run that stands still loses its lease'));
}

/** Takes over this process's signals for good. */
export function relaySignals(host: CommandHost): SignalRelay {
  const abort = new AbortController();
  const ending = [...ENDING, ...RARELY_ENDING];
  const pending: NodeJS.Signals[] = [];
  let ended: NodeJS.Signals | null = null;
  const passedOn = new Set<NodeJS.Signals>();
  let sessionId: number | null = null;
  let isOver = false;

  const receive = (signal: NodeJS.Signals): void => {
    if (isOver) return;
    if (sessionId !== null) {
      host.signalSession(sessionId, signal);
      if (!ending.includes(signal)) return;
      passedOn.add(signal);
      // A stopped command would sleep through a signal that asks it to end.
      host.signalSession(sessionId, 'SIGCONT');
    } else if (!ending.includes(signal)) {
      if (pending.length < PENDING_MAX) pending.push(signal);
    } else if (ended === null) {
      ended = signal;
      abort.abort();
    }
  };
  host.onSignals([...ending, ...TELLING], receive);
  return {
    get ended() {
      return ended;
    },
    interrupted: abort.signal,
    passedOn,
    attach(id) {
      sessionId = id;
      for (const signal of pending.splice(0)) host.signalSession(id, signal);
    },
    detach() {
      isOver = true;
    },
  };
}
