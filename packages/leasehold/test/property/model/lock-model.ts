/**
 * One lock as design §5 tells it, in as few words as possible and without the code under test: what a start,
 * a renewal, a release, a force-release and a pause must answer, and what they leave.
 *
 * Where the design leaves room, the model says what `ARCHITECTURE.md` decided: a start is (lock, run id, holder)
 * and is told once, once more where it is counted only later; the first start after a force-release is
 * `reclaimed`; a force-release ends the pause after a release.
 */
import type { ModelClock } from './model-clock.ts';
import {
  ageOf,
  type Expected,
  type ModelAsk,
  type ModelEvent,
  type ModelLease,
  type ModelPrevious,
  type ModelRun,
  newRun,
} from './model-rows.ts';
import { ModelSlots } from './model-slots.ts';

/** An alive holder is given at most so many leases past its last renewal. */
const EXTENSIONS_MAX = 4;

/** So many skips in a row are a streak, and no sequence is longer. */
const STREAKS: ReadonlySet<number> = new Set([3, 6, 12, 24, 48, 96, 192]);

/** A probe's own words, the same for all. */
export const SAID = 'as the sequence says';

export class LockModel {
  readonly #clock: ModelClock;
  /** False until a call has made its row. */
  isKnown = false;
  fence = 0;
  /** The latest lease, and whether its holder gave it back. */
  #last: ModelLease | null = null;
  #isGivenBack = true;
  /** Since a force-release, until the next grant: the instant from which the lock counts as free. */
  #forcedAt: number | null = null;
  /** A release asked for a pause until then. */
  #freeAt = -Infinity;
  skipsInRow = 0;
  lastSuccessAt: number | null = null;
  isPaused = false;
  readonly slots: ModelSlots = new ModelSlots();
  readonly runs: ModelRun[] = [];
  readonly events: ModelEvent[] = [];

  constructor(clock: ModelClock) {
    this.#clock = clock;
  }

  /** The lease that nobody has given back; it may be over. */
  get lease(): ModelLease | null {
    return this.#isGivenBack ? null : this.#last;
  }

  state(): string {
    const { lease } = this;
    const { now } = this.#clock;
    if (lease === null || (this.#forcedAt !== null && this.#forcedAt <= now)) {
      return this.#freeAt > now ? 'cooling' : 'free';
    }
    if (lease.until <= now) return 'stale';
    return this.#forcedAt === null ? 'held' : 'draining';
  }

  /** A clock that was set back can make a lease look stale that was taken by force after its end: it stays taken. */
  #isFree(): boolean {
    const state = this.state();
    return state === 'free' || (state === 'stale' && this.#forcedAt !== null);
  }

  isHeldBy(run: ModelRun): boolean {
    return this.lease?.run === run && this.state() === 'held';
  }

  /** The next instants at which something changes by itself. */
  edges(): number[] {
    const all = [this.lease?.until, this.#forcedAt, this.#freeAt];
    return all.filter((at): at is number => typeof at === 'number' && at > this.#clock.now);
  }

  /** What `status` must show. */
  status(): Expected {
    const state = this.state();
    const lease = state === 'free' || state === 'cooling' ? null : this.#last;
    const until = lease === null ? null : this.#drawnIn(lease.until, lease);
    return {
      state,
      holder: lease?.run.holder ?? null,
      since: lease?.since ?? null,
      ageMs: ageOf(lease?.since ?? null, this.#clock.now),
      leaseUntil: until,
      remainingMs: until === null ? null : Math.max(0, until - this.#clock.now),
      skipsInRow: this.skipsInRow,
      lastSuccessAt: this.lastSuccessAt,
      paused: this.isPaused,
    };
  }

  start(ask: ModelAsk): Expected {
    this.isKnown = true;
    const seen = this.runs.find((run) => run.runId === ask.runId && run.holder === ask.holder);
    // A bypass leaves the lock as it is.
    const isBypass = ask.bypass !== null && (seen === undefined || seen.fence === 0);
    if (!isBypass) this.#drawIn();
    if (seen?.outcome === 'bypassed') return this.#bypassed(seen);
    if (isBypass) return this.#bypass(ask, seen);
    if (seen !== undefined && seen.fence > 0) return this.#repeat(seen, ask);
    const decision = this.#decide(ask);
    if (decision === 'probe_first') return { outcome: 'probe_first', fence: this.fence, leaseUntil: this.#last?.until };
    const run = seen ?? this.#newRun(ask);
    Object.assign(run, { slot: ask.slot, leaseMs: ask.leaseMs });
    if (decision === 'already_ran') return this.#alreadyRan(run, ask);
    this.slots.name(ask.slot);
    if (decision === 'acquired' || decision === 'reclaimed') return this.#grant(run, ask, decision);
    return this.#skip(run, ask, decision);
  }

  #newRun(ask: ModelAsk): ModelRun {
    const run = newRun(ask);
    run.startedAt = this.#clock.now;
    this.runs.push(run);
    return run;
  }

  #heading(slotAt: number | null): Expected {
    return { slotAt, skipsInRow: this.skipsInRow, missed: this.slots.missed(slotAt) };
  }

  #bypass(ask: ModelAsk, seen: ModelRun | undefined): Expected {
    const run = seen ?? this.#newRun(ask);
    const { slot, leaseMs, bypass } = ask;
    const nothing = { ageMs: null, previousRunId: null, startedAt: this.#clock.now };
    Object.assign(run, { slot, leaseMs, outcome: 'bypassed', reason: bypass, ...nothing });
    this.#tell('run.bypassed', run);
    return this.#bypassed(run);
  }

  #bypassed(run: ModelRun): Expected {
    return { outcome: 'bypassed', proceed: true, reason: run.reason, ...this.#heading(run.slot) };
  }

  /** Its answer was lost: what remains, or that it is over; its row stays as it is. */
  #repeat(run: ModelRun, ask: ModelAsk): Expected {
    if (this.isHeldBy(run)) return this.#granted(run);
    const reason = this.lease?.run === run && this.state() === 'draining' ? 'draining' : 'run_ended';
    return this.#skipped(reason, ask);
  }

  #decide(ask: ModelAsk): string {
    if (this.slots.doneBy(ask.slot) !== null && !ask.again) return 'already_ran';
    if (this.isPaused) return 'paused';
    const state = this.state();
    if (this.#isFree()) return this.#forcedAt === null ? 'acquired' : 'reclaimed';
    if (state === 'cooling') return 'cooling';
    const heard = this.#heard(ask);
    if (heard === 'probe_first') return heard;
    if (heard === 'ended') return 'reclaimed';
    if (heard === 'alive' && state === 'stale' && this.#extends()) return 'held';
    if (state === 'stale') return ask.onStale === 'hold' ? 'hold' : 'reclaimed';
    return state;
  }

  /** What is proven of the lease in the way, by evidence of this very lease. */
  #heard({ canProbe, evidence }: ModelAsk): string {
    if (this.lease === null || !this.lease.isProbed) return 'nothing';
    return this.fitting({ evidence }) ?? (canProbe ? 'probe_first' : 'nothing');
  }

  /** What evidence says of the lease as it is; null for evidence of another one, or none. */
  fitting({ evidence }: Pick<ModelAsk, 'evidence'>): string | null {
    const { lease } = this;
    if (evidence === null || lease === null || !lease.isProbed) return null;
    return evidence.fence === this.fence && evidence.until === lease.until ? evidence.state : null;
  }

  #extends(): boolean {
    const { lease } = this;
    if (lease === null || !lease.isExtendable || this.#forcedAt !== null) return false;
    const { now } = this.#clock;
    const renewedAt = lease.renewedAt ?? lease.since;
    const until = Math.min(now + lease.leaseMs, renewedAt + EXTENSIONS_MAX * lease.leaseMs);
    if (until <= now || renewedAt > now) return false;
    lease.until = until;
    this.#tell('lease.extended', lease.run);
    return true;
  }

  #grant(run: ModelRun, ask: ModelAsk, outcome: string): Expected {
    const { now } = this.#clock;
    const previous = outcome === 'reclaimed' ? { ...this.#previous(), probe: this.#said(ask) } : null;
    if (this.lease !== null && this.lease.run.endedAt === null) this.lease.run.isLost = true;
    this.fence += 1;
    const met = { previous, previousRunId: previous?.runId ?? null, ageMs: previous?.ageMs ?? null };
    Object.assign(run, { outcome, reason: null, fence: this.fence, startedAt: now, ...met });
    const { leaseMs, graceMs, isProbed, isExtendable } = ask;
    const lease = { run, since: now, graceMs, isProbed, isExtendable, leaseMs, until: now + leaseMs };
    this.#last = { ...lease, renewedAt: null, progress: null };
    this.#isGivenBack = false;
    this.#forcedAt = null;
    this.#freeAt = -Infinity;
    this.skipsInRow = 0;
    if (outcome === 'reclaimed') this.#tell('lease.reclaimed', run);
    return this.#granted(run);
  }

  /** What the next holder is told that the probe said: of a lock that is free nobody is asked. */
  #said(ask: ModelAsk): string | null {
    const heard = this.#isFree() ? 'nothing' : this.#heard(ask);
    return heard === 'nothing' ? null : `${heard}: ${SAID}`;
  }

  #granted(run: ModelRun): Expected {
    const until = this.#last?.until ?? 0;
    const { outcome, fence } = run;
    const lease = { proceed: true, fence, leaseUntil: until, remainingMs: until - this.#clock.now };
    const previous = run.previous === null ? {} : { previous: run.previous };
    return { outcome, ...lease, ...previous, ...this.#heading(run.slot) };
  }

  #previous(): ModelPrevious {
    const last = this.#last;
    const { holder = null, runId = null } = last?.run ?? {};
    const { since = null, renewedAt = null, progress = null } = last ?? {};
    return { holder, runId, since, ageMs: ageOf(since, this.#clock.now), renewedAt, progress, probe: null };
  }

  #alreadyRan(run: ModelRun, { slot, waiting }: ModelAsk): Expected {
    const earlier = this.slots.doneBy(slot);
    const wasTold = run.outcome === 'already_ran' && run.isTold;
    Object.assign(run, { outcome: 'already_ran', reason: null, ageMs: null, previousRunId: earlier?.runId ?? null });
    run.isTold = !waiting || wasTold;
    if (!waiting && !wasTold) this.#tell('run.already_ran', run);
    const { runId, holder, startedAt, endedAt } = earlier ?? run;
    const told = { proceed: false, earlier: { runId, holder, startedAt, endedAt } };
    return { outcome: 'already_ran', ...told, ...this.#heading(slot) };
  }

  #skip(run: ModelRun, ask: ModelAsk, reason: string): Expected {
    const counts = !ask.waiting && reason === 'held' && !run.isCounted;
    if (counts) this.skipsInRow += 1;
    if (counts || (!ask.waiting && !run.isTold)) this.#tell('run.skipped', run);
    if (counts && STREAKS.has(this.skipsInRow)) this.#tell('run.skip_streak', run);
    run.isTold ||= !ask.waiting;
    run.isCounted ||= counts;
    const { ageMs } = this.#previous();
    Object.assign(run, { outcome: 'skipped', reason, ageMs, previousRunId: null });
    return this.#skipped(reason, ask);
  }

  #skipped(reason: string, { slot }: ModelAsk): Expected {
    const { holder, runId, since, ageMs } = this.#previous();
    const remainingMs = this.#last === null ? null : Math.max(0, this.#last.until - this.#clock.now);
    const current = { holder, runId, since, ageMs, remainingMs };
    return { outcome: 'skipped', proceed: false, reason, current, ...this.#heading(slot) };
  }

  /** `run` is the one that the token belongs to; null for a token that this lock never gave. */
  renew(run: ModelRun | null, leaseMs: number | null, progress: string | null): Expected {
    this.#drawIn();
    const { lease } = this;
    const { now } = this.#clock;
    if (lease !== null && run !== null && this.isHeldBy(run)) {
      this.#tellNearEnd(lease);
      lease.leaseMs = leaseMs ?? lease.leaseMs;
      lease.until = now + lease.leaseMs;
      lease.renewedAt = run.renewedAt = now;
      lease.progress = progress ?? lease.progress;
      return { outcome: 'renewed', runId: run.runId, leaseUntil: lease.until, remainingMs: lease.leaseMs };
    }
    this.#tell('lease.lost', run);
    if (run !== null) run.isLossTold = true;
    return { outcome: 'lost', runId: run?.runId ?? null, reason: this.#whyLost(run) };
  }

  #whyLost(run: ModelRun | null): string {
    if (run === null) return 'unknown_token';
    if (this.lease?.run !== run) return run.fence < this.fence ? 'taken_over' : 'released';
    if (this.#forcedAt === null) return 'expired';
    this.#forcedAt = Math.min(this.#forcedAt, this.#clock.now + this.lease.graceMs);
    return 'force_released';
  }

  release(run: ModelRun | null, status: string | null, afterMs: number): Expected {
    this.#drawIn();
    const { now } = this.#clock;
    const outcome = this.#releaseOutcome(run);
    if (run !== null && this.lease?.run === run) {
      if (this.isHeldBy(run)) this.#tellNearEnd(this.lease);
      this.lease.until = Math.min(this.lease.until, now);
      this.#isGivenBack = true;
      this.#freeAt = afterMs > 0 ? now + afterMs : -Infinity;
      // Of a force-release only that there was one is left.
      this.#forcedAt = this.#forcedAt === null ? null : Math.min(this.#forcedAt, now);
    }
    if (run !== null) {
      run.endedAt ??= now;
      if (run.status === null && status !== null) this.#addStatus(run, status);
    }
    if (outcome === 'not_holder') this.#tell('release.refused', run);
    if (outcome === 'expired' && run?.isLossTold === false) {
      run.isLossTold = true;
      this.#tell('lease.lost', run);
    }
    return { outcome, runId: run?.runId ?? null };
  }

  #releaseOutcome(run: ModelRun | null): string {
    if (run !== null && this.lease?.run === run) {
      const state = this.state();
      if (state === 'stale') return 'expired';
      return state === 'free' ? 'already_free' : 'released';
    }
    if (run !== null) return run.endedAt !== null && !run.isLost ? 'released' : 'not_holder';
    return this.isKnown && this.lease === null ? 'already_free' : 'not_holder';
  }

  #addStatus(run: ModelRun, status: string): void {
    run.status = status;
    if (status !== 'success') return;
    this.lastSuccessAt = this.#clock.now;
    this.slots.finish(run);
  }

  forceRelease(atOnce: boolean): Expected {
    this.#drawIn();
    const { now } = this.#clock;
    const state = this.state();
    if (state === 'free') return { outcome: 'already_free', runId: null, holder: null, freeAt: null };
    const run = this.#last?.run ?? null;
    this.#tell('lock.force_released', run);
    const isNow = atOnce || state === 'stale' || state === 'cooling';
    const until = this.#last?.until ?? now;
    this.#freeAt = -Infinity;
    this.#forcedAt = isNow ? now : Math.min(this.#forcedAt ?? until, until);
    const outcome = isNow ? 'released' : 'draining';
    return { outcome, runId: run?.runId ?? null, holder: run?.holder ?? null, freeAt: this.#forcedAt };
  }

  pause(): Expected {
    this.isKnown = true;
    if (this.isPaused) return { outcome: 'already_paused' };
    this.isPaused = true;
    this.#tell('lock.paused', null);
    return { outcome: 'paused' };
  }

  resume(): Expected {
    if (!this.isPaused) return { outcome: 'not_paused' };
    this.isPaused = false;
    this.#tell('lock.resumed', null);
    return { outcome: 'resumed' };
  }

  /** An end further away than a whole lease from now was reckoned by a clock that was ahead. */
  #drawnIn(at: number, { leaseMs }: ModelLease): number {
    return Math.min(at, this.#clock.now + leaseMs);
  }

  #drawIn(): void {
    const { lease } = this;
    if (lease === null || lease.until === this.#drawnIn(lease.until, lease)) return;
    lease.until = this.#drawnIn(lease.until, lease);
    if (this.#forcedAt !== null) this.#forcedAt = this.#drawnIn(this.#forcedAt, lease);
    this.#tell('clock.fault', lease.run);
  }

  /** A renewal or release past half of a lease comes late enough to be told. */
  #tellNearEnd({ run, leaseMs, since, renewedAt }: ModelLease): void {
    if (2 * (this.#clock.now - (renewedAt ?? since)) >= leaseMs) this.#tell('lease.near_end', run);
  }

  #tell(kind: string, run: ModelRun | null): void {
    this.events.push({ kind, runId: run?.runId ?? null });
  }
}
