/**
 * A story of the model, played on a real store: the calls that it tells of, its time, its provider.
 *
 * A tick is 40 minutes, and the pool's times are such that what happens at a tick is a quarter of one at least from every
 * bound that it must hold or miss: so it comes out alike on a clock that runs meanwhile. The store refuses at some step what
 * the story, without its guard, was granted; that step is where it `parts`. Who is refused stops, the others go on.
 */
import assert from 'node:assert/strict';
import type { Verdict } from '../../src/domain/records/record.ts';
import type { StoreUnderTest } from '../../src/testing/index.ts';
import { StoryProvider } from './provider.ts';
import { type Died, POOL, StorySweep } from './sweep.ts';
import type { Play, Step, Story } from './story.ts';
import { callTimeoutMsOf, TICK_MS, windowMsOf } from './ticks.ts';

const ID = 'a';

interface Worker {
  claimId: string;
  token: string | null;
  isBegun: boolean;
  /** The tick, with its fraction, at which its lease ends as far as it was told. */
  leaseEnd: number;
}

export class Replay {
  /** The first step that the store answers otherwise: who, what, and the store's answer. */
  parts: string | null = null;
  readonly provider: StoryProvider;
  readonly #under: StoreUnderTest;
  readonly #time: 'clock' | 'rows';
  readonly #play: Play;
  readonly #workers = new Map<string, Worker>();
  readonly #sweeps = new Map<string, StorySweep>();
  #tick = 0;
  #claims = 0;
  #isToldDone = false;
  #died: Died | null = null;

  /** `time`: how the store's is moved (`StoreHarness`). */
  constructor(under: StoreUnderTest, time: 'clock' | 'rows', story: Story) {
    this.#under = under;
    this.#time = time;
    this.#play = story.play;
    this.provider = new StoryProvider(story.play);
  }

  async begin(): Promise<void> {
    const { redo, hasVerifier, attempts, leaseTicks, windowTicks } = this.#play;
    const isWindowed = redo === 'safe' && windowTicks > 0;
    const settings = {
      redo,
      redoWindowMs: isWindowed ? windowMsOf(this.#play) : null,
      attempts,
      leaseMs: leaseTicks * TICK_MS - TICK_MS / 2,
      callTimeoutMs: callTimeoutMsOf(this.#play),
      verifier: hasVerifier ? '{"kind":"function"}' : null,
    };
    await this.#under.store.changePool({ pool: POOL, settings, reason: null });
    const records = [{ id: ID, version: '', payload: null, notBefore: null }];
    await this.#under.store.enqueue({ pool: POOL, records, namespace: '' });
  }

  async state(): Promise<string> {
    const [row] = await this.#under.store.records({ pool: POOL, state: null, id: ID, after: null, limit: 1 });
    return row?.state ?? 'missing';
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#take(step);
  }

  async tick(): Promise<void> {
    this.#tick += 1;
    await this.#under.advance(TICK_MS);
    if (this.#time === 'clock') return;
    // Rows went back in time, and with them what a sweep has seen of them.
    for (const sweep of this.#sweeps.values()) sweep.goBack();
  }

  async #take(step: Step): Promise<void> {
    const { who, do: act, about = '' } = step;
    if (act === 'tick') await this.tick();
    else if (who === 'provider') this.provider.decide(about, act, this.#tick);
    else if (who.startsWith('sweep')) await this.#sweepStep(step, this.#sweepOf(who));
    else await this.#workerStep(step, this.#workerOf(who));
  }

  /** What the store answered, beside what the story tells. */
  #compare({ who, do: act, answer }: Step, said: string): boolean {
    if (said === answer) return true;
    this.parts ??= `${who} ${act} ${said}`;
    return false;
  }

  async #workerStep(step: Step, worker: Worker): Promise<void> {
    const { who, do: act } = step;
    const { provider } = this;
    switch (act) {
      case 'claim':
        return await this.#claim(step, worker);
      case 'begin':
        return await this.#begin(step, worker);
      case 'send':
        if (worker.isBegun && this.#maySend(step, worker)) provider.open(who);
        return;
      case 'time-out':
        return provider.letGo(who);
      case 'tries-again':
        worker.isBegun = !this.#play.explicitBegin;
        return;
      case 'done':
      case 'failed':
      case 'unknown':
      case 'failed-for-good':
        return await this.#say(step, worker);
      case 'extend':
        return await this.#extend(step, worker);
      case 'return':
        return await this.#return(step, worker);
      case 'crash':
        this.#died = { claimId: worker.claimId, holder: who };
        worker.token = null;
        worker.isBegun = false;
        return provider.letGo(who);
      default:
        return;
    }
  }

  async #claim(step: Step, worker: Worker, isSecond = false): Promise<void> {
    this.#claims += 1;
    const claimId = `claim-${this.#claims}`;
    const { explicitBegin } = this.#play;
    const request = { pool: POOL, holder: step.who, holderInfo: null, claimId, leaseMs: null, limit: 1 };
    const answer = await this.#under.store.claimNext({ ...request, lockToken: null, explicitBegin });
    if (answer.token === null && step.answer === 'owned' && !isSecond && (await this.#waitedForBackoff())) {
      return await this.#claim(step, worker, true);
    }
    const { token } = answer;
    const leaseEnd = this.#tick + (answer.remainingMs ?? 0) / TICK_MS;
    Object.assign(worker, { claimId, token, isBegun: token !== null && !explicitBegin, leaseEnd });
    if (answer.token !== null) {
      assert.ok(!this.#isToldDone, 'what is known to be done is handed out again');
      this.#died = null;
    }
    this.#compare(step, answer.token === null ? (step.answer === 'ask_first' ? 'ask_first' : 'nothing') : 'owned');
  }

  /** The model knows no time to wait after a failure; it is far below a tick. */
  async #waitedForBackoff(): Promise<boolean> {
    const [row] = await this.#under.store.records({ pool: POOL, state: 'queued', id: ID, after: null, limit: 1 });
    const waitMs = (row?.notBefore?.getTime() ?? 0) - (await this.#under.now());
    if (waitMs <= 0) return false;
    await this.#under.advance(waitMs);
    return true;
  }

  async #begin(step: Step, worker: Worker): Promise<void> {
    const { token } = worker;
    if (token === null) return;
    const { begins } = await this.#under.store.work({ pool: POOL, verdicts: [], begins: [{ id: ID, token }] });
    const [answer] = begins;
    worker.isBegun = answer?.outcome === 'accepted';
    if (worker.isBegun) assert.ok(!this.#isToldDone, 'what is known to be done is begun again');
    if (!this.#compare(step, answer?.reason ?? 'accepted') && !worker.isBegun) worker.token = null;
  }

  async #say(step: Step, { token }: Worker): Promise<void> {
    if (token === null) return;
    const isPermanent = step.do === 'failed-for-good';
    const verdict = (isPermanent ? 'failed' : step.do) as Verdict;
    const item = { id: ID, token, verdict, providerRef: verdict === 'done' ? 'ref-1' : null, error: null, isPermanent };
    const { verdicts } = await this.#under.store.work({ pool: POOL, verdicts: [item], begins: [] });
    if (verdict === 'done') this.#isToldDone = true;
    this.#compare(step, step.answer === undefined ? '' : (verdicts[0]?.outcome ?? ''));
  }

  async #extend(step: Step, worker: Worker): Promise<void> {
    const { token } = worker;
    if (token === null) return;
    const answer = await this.#under.store.extendClaim({ pool: POOL, token, leaseMs: null });
    worker.leaseEnd = this.#tick + (answer.remainingMs ?? 0) / TICK_MS;
    this.#compare(step, answer.outcome);
  }

  /** Where claimed is begun, a worker sends while its lease covers a call: nothing else tells it when to stop. */
  #maySend({ who }: Step, { leaseEnd }: Worker): boolean {
    const { explicitBegin, windowTicks } = this.#play;
    if (explicitBegin || windowTicks === 0 || this.#tick + callTimeoutMsOf(this.#play) / TICK_MS <= leaseEnd)
      return true;
    this.parts ??= `${who} send lease_over`;
    return false;
  }

  async #return(step: Step, worker: Worker): Promise<void> {
    if (worker.token === null) return;
    const answer = await this.#under.store.returnUnworked({ pool: POOL, token: worker.token, ids: null });
    this.#compare(step, answer.returned.length > 0 ? 'returned' : 'kept');
    worker.token = null;
    this.provider.letGo(step.who);
  }

  async #sweepStep(step: Step, sweep: StorySweep): Promise<void> {
    const said = await sweep.take(step, this.#died, this.#tick);
    if (said !== null) this.#compare(step, said);
  }

  #workerOf(who: string): Worker {
    const worker = this.#workers.get(who) ?? { claimId: '', token: null, isBegun: false, leaseEnd: 0 };
    this.#workers.set(who, worker);
    return worker;
  }

  #sweepOf(who: string): StorySweep {
    const sweep = this.#sweeps.get(who) ?? new StorySweep(this.#under, this.provider, this.#play);
    this.#sweeps.set(who, sweep);
    return sweep;
  }
}
