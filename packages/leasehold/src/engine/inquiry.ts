import type { ProbeEvidence, ProbeFirstAnswer, ProbeVerdict } from '../domain/evidence.ts';
import { type ClockReading, elapsedMs } from '../domain/timing.ts';
import { askProbe, type AskingParts } from './probe-asking.ts';

/** While a lease is live, its holder is asked after no more often than this. */
const ASK_EVERY_MS = 3_000;
/** How long a probe is listened to: at most this, and at most a fifth of the lease that is asked for. */
export const PROBE_MS_MAX = 2_000;

interface Heard {
  readonly evidence: ProbeEvidence;
  readonly from: ClockReading;
  /** Until when it may be repeated without asking again: not past the lease, whose end asks for a fresh look. */
  readonly goodForMs: number;
}

export interface InquiryParts extends AskingParts {
  readonly leaseMs: number;
}

/**
 * What one start learns of the holders it meets, and remembers while it waits, so that a poll of a busy lock
 * is not a question to somebody's API each time. A probe that fails, hangs or talks nonsense is `unknown`.
 *
 * Identity: a verdict is of one fence. Clock: this host's, for pauses alone; whether evidence still fits is
 * the store's to say.
 */
export class Inquiry {
  readonly #parts: InquiryParts;
  #heard: Heard | null = null;

  constructor(parts: InquiryParts) {
    this.#parts = parts;
  }

  /** Systems that can be asked. */
  get systems(): readonly string[] {
    return this.#parts.probes.map((probe) => probe.system);
  }

  /** Evidence from before that may be sent again; null where there is none or it has aged. */
  recall(): ProbeEvidence | null {
    const heard = this.#heard;
    return heard !== null && elapsedMs(heard.from, this.#parts.clock.read()) < heard.goodForMs ? heard.evidence : null;
  }

  /** Evidence about the lease of this answer. Never rejects; takes no longer than a probe may. */
  async about(answer: ProbeFirstAnswer): Promise<ProbeEvidence> {
    const { fence, leaseUntil, remainingMs } = answer;
    const before = remainingMs > 0 ? this.recall() : null;
    const from = this.#parts.clock.read();
    if (before !== null && before.fence === fence && before.state !== 'ended') {
      // Renewed since. That is no news of a live holder; of one said to have ended it is a contradiction.
      const evidence = { ...before, leaseUntil };
      this.#heard = this.#heard === null ? null : { ...this.#heard, evidence };
      return evidence;
    }
    const verdict = await this.#ask(answer);
    const evidence = { fence, leaseUntil, ...verdict };
    this.#heard = { evidence, from, goodForMs: Math.min(ASK_EVERY_MS, remainingMs) };
    return evidence;
  }

  async #ask({ lock, runId, holder, holderInfo }: ProbeFirstAnswer): Promise<ProbeVerdict> {
    const timeoutMs = Math.min(PROBE_MS_MAX, Math.floor(this.#parts.leaseMs / 5));
    const words = { of: `lock "${lock}"`, fields: { lock, runId } };
    return await askProbe(this.#parts, { lock, holder, runId, holderInfo }, timeoutMs, words);
  }
}
