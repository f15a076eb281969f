/**
 * One lock as the contract tells it, in as few words as possible and without the code under test:
 * what a start, a renewal, a release, a force-release and a pause must answer, and what they leave.
 */

export interface ModelRun {
  readonly runId: string;
  readonly holder: string;
  /** The slot that its latest ask named. */
  slot: number | null;
  outcome: string;
  reason: string | null;
  /** 0 for a start that never had the lock. */
  fence: number;
  graceMs: number;
  status: string | null;
  hasEnded: boolean;
  isLost: boolean;
  isLossTold: boolean;
  isTold: boolean;
  isCounted: boolean;
}

export interface ModelStart {
  readonly runId: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly graceMs: number;
  readonly onStale: 'reclaim' | 'hold';
  readonly waiting: boolean;
  readonly slot: number | null;
  readonly again: boolean;
}

/** At most 40 calls are made of one model. */
const STREAKS: readonly number[] = [3, 6, 12, 24];

export class LockModel {
  now = 0;
  fence = 0;
  /** The run whose token the lock has; null when it was given back. */
  owner: ModelRun | null = null;
  leaseMs = 0;
  leaseUntil = 0;
  /** Null, or the instant from which a force-release frees the lock. */
  drainUntil: number | null = null;
  freeAt = 0;
  skipsInRow = 0;
  lastSuccessAt: number | null = null;
  isPaused = false;
  /** Every slot that was named, with the run that did it; null while none has. */
  readonly slots = new Map<number, ModelRun | null>();
  readonly runs: ModelRun[] = [];
  readonly events: string[] = [];

  state(): string {
    const isDrained = this.drainUntil !== null && this.drainUntil <= this.now;
    if (this.owner === null || isDrained) return this.freeAt > this.now ? 'cooling' : 'free';
    if (this.leaseUntil <= this.now) return 'stale';
    return this.drainUntil === null ? 'held' : 'draining';
  }

  isHeldBy(run: ModelRun): boolean {
    return this.owner === run && this.state() === 'held';
  }

  /** Answers the outcome, or the reason of a skip. */
  start(start: ModelStart): string {
    const seen = this.runs.find((run) => run.runId === start.runId && run.holder === start.holder);
    if (seen !== undefined && seen.fence > 0) return this.#repeat(seen);
    const run = seen ?? this.#newRun(start);
    const answer = this.#decide(start);
    run.slot = start.slot;
    if (answer === 'already_ran') this.#tellAlreadyRan(run, start.waiting);
    else if (answer === 'acquired' || answer === 'reclaimed') this.#grant(run, start, answer);
    else this.#skip(run, answer, start.waiting);
    if (start.slot !== null && !this.slots.has(start.slot)) this.slots.set(start.slot, null);
    return answer;
  }

  lastSuccessSlot(): number | null {
    const done = [...this.slots].filter(([, run]) => run !== null).map(([slot]) => slot);
    return done.length === 0 ? null : Math.max(...done);
  }

  /** What a start of `own` is told: the slots after the last success that nobody has done, before its own. */
  missed(own: number | null): number[] {
    const after = this.lastSuccessSlot() ?? -1;
    const open = [...this.slots].filter(([, run]) => run === null).map(([slot]) => slot);
    return open.filter((slot) => slot > after && (own === null || slot < own)).toSorted((a, b) => a - b);
  }

  pause(): string {
    if (this.isPaused) return 'already_paused';
    this.isPaused = true;
    this.events.push('lock.paused');
    return 'paused';
  }

  resume(): string {
    if (!this.isPaused) return 'not_paused';
    this.isPaused = false;
    this.events.push('lock.resumed');
    return 'resumed';
  }

  #repeat(run: ModelRun): string {
    if (this.isHeldBy(run)) return run.outcome;
    return this.owner === run && this.state() === 'draining' ? 'draining' : 'run_ended';
  }

  #decide(start: ModelStart): string {
    if (start.slot !== null && (this.slots.get(start.slot) ?? null) !== null && !start.again) return 'already_ran';
    if (this.isPaused) return 'paused';
    const state = this.state();
    if (state === 'free') return this.drainUntil === null ? 'acquired' : 'reclaimed';
    if (state === 'stale') return start.onStale === 'hold' ? 'hold' : 'reclaimed';
    return state;
  }

  #newRun({ runId, holder }: ModelStart): ModelRun {
    const nothing = { slot: null, outcome: '', reason: null, fence: 0, graceMs: 0, status: null };
    const run = {
      runId,
      holder,
      ...nothing,
      hasEnded: false,
      isLost: false,
      isLossTold: false,
      isTold: false,
      isCounted: false,
    };
    this.runs.push(run);
    return run;
  }

  #grant(run: ModelRun, { leaseMs, graceMs }: ModelStart, outcome: string): void {
    if (this.owner !== null && !this.owner.hasEnded) this.owner.isLost = true;
    this.fence += 1;
    Object.assign(run, { outcome, reason: null, fence: this.fence, graceMs });
    Object.assign(this, { owner: run, leaseMs, leaseUntil: this.now + leaseMs });
    Object.assign(this, { drainUntil: null, freeAt: 0, skipsInRow: 0 });
    if (outcome === 'reclaimed') this.events.push('lease.reclaimed');
  }

  #tellAlreadyRan(run: ModelRun, waiting: boolean): void {
    const wasTold = run.outcome === 'already_ran' && run.isTold;
    Object.assign(run, { outcome: 'already_ran', reason: null });
    if (waiting || wasTold) return;
    run.isTold = true;
    this.events.push('run.already_ran');
  }

  #skip(run: ModelRun, reason: string, waiting: boolean): void {
    Object.assign(run, { outcome: 'skipped', reason });
    if (waiting) return;
    const counts = reason === 'held' && !run.isCounted;
    if (counts) this.skipsInRow += 1;
    if (counts || !run.isTold) this.events.push('run.skipped');
    if (counts && STREAKS.includes(this.skipsInRow)) this.events.push('run.skip_streak');
    run.isTold = true;
    run.isCounted ||= counts;
  }

  /** Answers `renewed`, or the reason of the loss. */
  renew(run: ModelRun, leaseMs: number | null): string {
    if (this.isHeldBy(run)) {
      this.#tellNearEnd();
      this.leaseMs = leaseMs ?? this.leaseMs;
      this.leaseUntil = this.now + this.leaseMs;
      return 'renewed';
    }
    this.events.push('lease.lost');
    run.isLossTold = true;
    if (this.owner !== run) return run.fence < this.fence ? 'taken_over' : 'released';
    if (this.drainUntil === null) return 'expired';
    this.drainUntil = Math.min(this.drainUntil, this.now + run.graceMs);
    return 'force_released';
  }

  release(run: ModelRun, status: string | null, afterMs: number): string {
    const answer = this.#releaseAnswer(run);
    if (this.isHeldBy(run)) this.#tellNearEnd();
    if (this.owner === run) {
      this.owner = null;
      this.freeAt = this.now + afterMs;
    }
    run.hasEnded = true;
    if (status !== null && run.status === null) {
      run.status = status;
      if (status === 'success') this.#succeed(run);
    }
    if (answer === 'not_holder') this.events.push('release.refused');
    if (answer === 'expired' && !run.isLossTold) this.events.push('lease.lost');
    return answer;
  }

  /** Of a lease that half of its length has passed of; nobody watches in between. */
  #tellNearEnd(): void {
    if ((this.leaseUntil - this.now) * 2 <= this.leaseMs) this.events.push('lease.near_end');
  }

  #succeed(run: ModelRun): void {
    this.lastSuccessAt = this.now;
    if (run.slot !== null) this.slots.set(run.slot, run);
  }

  #releaseAnswer(run: ModelRun): string {
    if (this.owner === run) {
      const state = this.state();
      if (state === 'stale') return 'expired';
      return state === 'free' ? 'already_free' : 'released';
    }
    return run.hasEnded && !run.isLost ? 'released' : 'not_holder';
  }

  forceRelease(atOnce: boolean): string {
    const state = this.state();
    if (state === 'free') return 'already_free';
    this.events.push('lock.force_released');
    this.freeAt = 0;
    const isNow = atOnce || state === 'stale' || state === 'cooling';
    this.drainUntil = isNow ? this.now : Math.min(this.drainUntil ?? this.leaseUntil, this.leaseUntil);
    return isNow ? 'released' : 'draining';
  }
}
