import { LeaseholdError } from '../../src/errors.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { CallOptions, Store } from '../../src/ports/store.ts';

/**
 * A real store behind a bad line. Calls go through to it unless a test says what happens to the next
 * ones, or to all; the line's delays run on the test's clock.
 */
export type Line = <T>(pass: () => Promise<T>, call: CallOptions, clock: Clock) => Promise<T>;

export type Method =
  | 'acquire'
  | 'renew'
  | 'release'
  | 'marks'
  | 'enqueue'
  | 'claim'
  | 'work'
  | 'extendClaim'
  | 'returnUnworked'
  | 'settleExpired'
  | 'applyLookup';

export interface RecordedCall {
  readonly method: Method;
  readonly request: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number | undefined;
  /** On the monotonic clock. */
  readonly atMs: number;
}

const unreachable = (): LeaseholdError =>
  new LeaseholdError('STORE_UNREACHABLE', 'Store test: the line is down; is the server up?');

/** The call arrives and is answered at once. */
export const clear: Line = (pass) => pass();
/** Refused at once: the store never hears of the call. */
export const refused: Line = () => Promise.reject(unreachable());
/** The store does what it is asked, and its answer is lost. */
export const answerLost: Line = async (pass) => {
  await pass();
  throw unreachable();
};
/** Nothing comes back until the call's time-out, and the store never hears of it. */
export const hangs: Line = async (_pass, call, clock) => {
  await clock.sleep(call.timeoutMs ?? 5_000);
  throw unreachable();
};
/** The store answers at once, and its answer takes that long. */
export const answerTakes =
  (ms: number): Line =>
  async (pass, _call, clock) => {
    const answer = await pass();
    await clock.sleep(ms);
    return answer;
  };
/** The request takes that long, and is answered at once. */
export const requestTakes =
  (ms: number): Line =>
  async (pass, _call, clock) => {
    await clock.sleep(ms);
    return await pass();
  };
/** The call ends in this error. */
export const throws =
  (error: unknown): Line =>
  async () => {
    throw error;
  };

export class ScriptedStore implements Store {
  readonly calls: RecordedCall[] = [];
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #next = new Map<Method, Line[]>();
  readonly #always = new Map<Method, Line>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** What happens to the next calls of a method, one after another. */
  next(method: Method, ...lines: Line[]): void {
    this.#next.set(method, [...(this.#next.get(method) ?? []), ...lines]);
  }

  /** What happens to all other calls of these methods from now on. */
  always(line: Line, methods: readonly Method[] = ['acquire', 'renew', 'release']): void {
    for (const method of methods) this.#always.set(method, line);
  }

  callsOf(method: Method): RecordedCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  #send<A>(method: Method, request: object, call: CallOptions | undefined, pass: () => Promise<A>): Promise<A> {
    const atMs = this.#clock.read().monotonicMs;
    this.calls.push({ method, request: { ...request }, timeoutMs: call?.timeoutMs, atMs });
    const line = this.#next.get(method)?.shift() ?? this.#always.get(method) ?? clear;
    return line(pass, call ?? {}, this.#clock);
  }

  get name(): string {
    return this.#store.name;
  }
  migrate: Store['migrate'] = (options) => this.#store.migrate(options);
  acquire: Store['acquire'] = (request, call) =>
    this.#send('acquire', request, call, () => this.#store.acquire(request, call));
  acquireOrProbe: Store['acquireOrProbe'] = (request, call) =>
    this.#send('acquire', request, call, () => this.#store.acquireOrProbe(request, call));
  renew: Store['renew'] = (request, call) => this.#send('renew', request, call, () => this.#store.renew(request, call));
  release: Store['release'] = (request, call) =>
    this.#send('release', request, call, () => this.#store.release(request, call));
  isHolder: Store['isHolder'] = (lock, token, call) => this.#store.isHolder(lock, token, call);
  forceRelease: Store['forceRelease'] = (request, call) => this.#store.forceRelease(request, call);
  pause: Store['pause'] = (request, call) => this.#store.pause(request, call);
  resume: Store['resume'] = (request, call) => this.#store.resume(request, call);
  marks: Store['marks'] = (lock, call) => this.#send('marks', { lock }, call, () => this.#store.marks(lock, call));
  status: Store['status'] = (query) => this.#store.status(query);
  runs: Store['runs'] = (query) => this.#store.runs(query);
  events: Store['events'] = (query) => this.#store.events(query);
  inspect: Store['inspect'] = () => this.#store.inspect();
  watch: Store['watch'] = (call) => this.#store.watch(call);
  prune: Store['prune'] = (request, call) => this.#store.prune(request, call);
  takeAlerts: Store['takeAlerts'] = (request, call) => this.#store.takeAlerts(request, call);
  settleAlert: Store['settleAlert'] = (request, call) => this.#store.settleAlert(request, call);
  alertCounts: Store['alertCounts'] = (call) => this.#store.alertCounts(call);
  enqueue: Store['enqueue'] = (request, call) =>
    this.#send('enqueue', request, call, () => this.#store.enqueue(request, call));
  claim: Store['claim'] = (request, call) => this.#send('claim', request, call, () => this.#store.claim(request, call));
  claimNext: Store['claimNext'] = (request, call) =>
    this.#send('claim', request, call, () => this.#store.claimNext(request, call));
  work: Store['work'] = (request, call) => this.#send('work', request, call, () => this.#store.work(request, call));
  extendClaim: Store['extendClaim'] = (request, call) =>
    this.#send('extendClaim', request, call, () => this.#store.extendClaim(request, call));
  returnUnworked: Store['returnUnworked'] = (request, call) =>
    this.#send('returnUnworked', request, call, () => this.#store.returnUnworked(request, call));
  settleExpired: Store['settleExpired'] = (request, call) =>
    this.#send('settleExpired', request, call, () => this.#store.settleExpired(request, call));
  takeToAsk: Store['takeToAsk'] = (request, call) => this.#store.takeToAsk(request, call);
  noteHolderEnded: Store['noteHolderEnded'] = (request, call) => this.#store.noteHolderEnded(request, call);
  applyLookup: Store['applyLookup'] = (request, call) =>
    this.#send('applyLookup', request, call, () => this.#store.applyLookup(request, call));
  review: Store['review'] = (request, call) => this.#store.review(request, call);
  changePool: Store['changePool'] = (request, call) => this.#store.changePool(request, call);
  pools: Store['pools'] = (query, call) => this.#store.pools(query, call);
  records: Store['records'] = (query, call) => this.#store.records(query, call);
  workTimes: Store['workTimes'] = (pool, call) => this.#store.workTimes(pool, call);
  close: Store['close'] = () => this.#store.close();
}
