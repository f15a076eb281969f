import type { ProbeVerdict } from '../domain/evidence.ts';
import type { HolderInfo } from '../domain/lock-state.ts';

/** Which kind of thing can be asked of a holder; `holderInfo.probe` names it. */
export type ProbeSystem = 'process' | 'n8n' | 'http';

/** Who is asked about. All of it was written by the holder, so it is judged and not trusted. */
export interface ProbeSubject {
  readonly lock: string;
  readonly holder: string | null;
  readonly runId: string | null;
  readonly holderInfo: HolderInfo;
}

/**
 * Asks a platform or an operating system whether a holder is alive.
 *
 * `ended` frees its lock at once, so it may be said only where all that could still be working is proven to
 * have ended. `alive` extends its lease, within bounds. Everything else, a refusal or a time-out as well, is
 * `unknown` with why: then the lease decides, as if nobody had been asked. Never rejects for a refusal.
 * The detail has no secret in it: it goes into messages and rows.
 */
export interface Probe {
  readonly system: ProbeSystem;
  /** Answers within `timeoutMs`; who asks stops listening then. */
  ask(subject: ProbeSubject, timeoutMs: number): Promise<ProbeVerdict>;
}
