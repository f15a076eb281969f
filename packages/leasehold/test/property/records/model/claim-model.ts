import type { Key, ModelClaim, ModelRecord } from './model-rows.ts';
import { nameOf } from './model-rows.ts';
import type { PoolModel } from './pool-model.ts';

export interface ModelAsk {
  readonly claimId: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly limit: number;
  readonly isExplicit: boolean;
  readonly process: number;
  /** Null: the next ones of the queue. */
  readonly offers: readonly Key[] | null;
  readonly isContinued: boolean;
}

export interface ModelGrant {
  readonly outcome: string;
  readonly claim: ModelClaim | null;
  /** True where nothing was taken: what it has comes in no order then. */
  readonly isRepeat?: boolean;
  /** Each with the attempt that it makes. */
  readonly owned: readonly string[];
  /** Null where the contract doesn't say. */
  readonly refused: readonly string[] | null;
  /** Null: what it has taken now and before, or of that what it has taken now. */
  readonly taken: readonly string[];
  readonly settled: { requeued: number; review: number; cancelled: number };
}

const NOTHING = { requeued: 0, review: 0, cancelled: 0 };

/** A claim by id or of the next ones, as the contract has it. */
export function claimRecords(pool: PoolModel, ask: ModelAsk): ModelGrant {
  const known = pool.claims.find((claim) => claim.claimId === ask.claimId && claim.holder === ask.holder);
  if (known !== undefined && !pool.isLive(known)) {
    return { outcome: 'claim_ended', claim: known, owned: [], refused: null, taken: [], settled: NOTHING };
  }
  if (known !== undefined && ask.process !== known.process) known.isShared = true;
  if (known !== undefined && !ask.isContinued) {
    const owned = ownedBy(pool, known).filter(isGivenAgain).map(attemptOf);
    const refused = refusedAgain(pool, known, ask);
    return { outcome: 'claimed', claim: known, isRepeat: true, owned, refused, taken: owned, settled: NOTHING };
  }
  if (pool.paused) {
    const refused = (ask.offers ?? []).map((key) => `${nameOf(key)} paused`);
    return { outcome: 'paused', claim: known ?? null, owned: [], refused, taken: [], settled: NOTHING };
  }
  const settled = pool.settle();
  const claim = known ?? newClaim(pool, ask);
  const before = known === undefined ? [] : ownedBy(pool, known);
  const taking = new Taking(pool, claim, before, ask.limit);
  const refused = ask.offers === null ? taking.next() : taking.offered(ask.offers);
  if (known === undefined && taking.wrote) pool.claims.push(claim);
  const taken = taking.taken.map(attemptOf);
  return {
    outcome: 'claimed',
    claim,
    owned: [...before.filter(isGivenAgain).map(attemptOf), ...taken],
    refused,
    taken,
    settled,
  };
}

/** Where records begin with their claim, whoever has its token sends without a word: it is shared from the start. */
function newClaim(pool: PoolModel, { claimId, holder, leaseMs, isExplicit, process }: ModelAsk): ModelClaim {
  const lease = { leaseMs, until: pool.now + leaseMs, endedAt: null };
  return { claimId, holder, isExplicit, process, isShared: !isExplicit, token: null, ...lease };
}

/** What a claim may work: not what waits for its provider. */
function ownedBy(pool: PoolModel, claim: ModelClaim): ModelRecord[] {
  return pool.records.filter(
    (record) => record.claim === claim && record.state === 'claimed' && record.unknownAt === null,
  );
}

/** Who asks again knows nothing of a begin. */
const isGivenAgain = ({ claim, isBegun }: ModelRecord): boolean => !(claim?.isExplicit === true && isBegun);

/** Had by the claim, and not given to it again. */
const isKeptBack = (record: ModelRecord, claim: ModelClaim): boolean =>
  record.claim === claim && record.state === 'claimed' && (record.unknownAt !== null || !isGivenAgain(record));

/** What a repeat, which takes nothing, says of each record that it isn't given. */
function refusedAgain(pool: PoolModel, claim: ModelClaim, { offers, limit }: ModelAsk): string[] {
  const has = pool.records.filter((record) => record.claim === claim && record.state === 'claimed');
  if (offers === null)
    return has.filter((record) => isKeptBack(record, claim)).map((each) => `${nameOf(each)} ask_first`);
  const free = ownedBy(pool, claim).length >= limit ? 'over_limit' : 'not_taken';
  return offers.flatMap((key) => {
    const record = pool.find(key);
    if (record === undefined) return [`${nameOf(key)} ${free}`];
    if (has.includes(record)) return isKeptBack(record, claim) ? [`${nameOf(key)} ask_first`] : [];
    if (record.state !== 'queued') return [`${nameOf(key)} ${record.state}`];
    if (record.waits) return [`${nameOf(key)} earlier_version`];
    return [`${nameOf(key)} ${record.notBefore !== null && record.notBefore > pool.now ? 'not_before' : free}`];
  });
}

const attemptOf = (record: ModelRecord): string =>
  `${nameOf(record)} ${record.isBegun ? record.attempt : record.attempt + 1}`;

class Taking {
  readonly taken: ModelRecord[] = [];
  /** True where a row of this claim has to be kept. */
  wrote = false;
  readonly #pool: PoolModel;
  readonly #claim: ModelClaim;
  readonly #before: readonly ModelRecord[];
  readonly #limit: number;
  #isAlone: boolean;

  constructor(pool: PoolModel, claim: ModelClaim, before: readonly ModelRecord[], limit: number) {
    this.#pool = pool;
    this.#claim = claim;
    this.#before = before;
    this.#limit = limit;
    this.#isAlone = before.some((record) => pool.goesAlone(record));
  }

  get #count(): number {
    return this.#before.length + this.taken.length;
  }

  offered(offers: readonly Key[]): string[] {
    const refused: string[] = [];
    for (const key of offers) {
      if (this.#count >= this.#limit) {
        refused.push(`${nameOf(key)} over_limit`);
        continue;
      }
      const record = this.#pool.find(key) ?? this.#pool.arrive(key, null).record;
      if (this.#before.includes(record) && isGivenAgain(record)) continue;
      if (isKeptBack(record, this.#claim)) {
        refused.push(`${nameOf(key)} ask_first`);
        continue;
      }
      const why = this.#hadOther(record) ? 'earlier_version' : this.#try(record);
      if (why !== 'take') refused.push(`${nameOf(key)} ${why}`);
    }
    return refused;
  }

  next(): string[] {
    const free = this.#pool.records.filter(({ state, waits }) => state === 'queued' && !waits);
    const deferred = free
      .filter(({ notBefore }) => notBefore !== null && notBefore <= this.#pool.now)
      .toSorted((one, other) => Number(one.notBefore) - Number(other.notBefore));
    for (const record of [...deferred, ...free.filter(({ notBefore }) => notBefore === null)]) {
      if (this.#count >= this.#limit || this.#isAlone) break;
      // What goes alone is for the claim that meets it before all others; what must be asked for is given to nobody.
      if (this.#count > 0 && this.#pool.goesAlone(record)) continue;
      this.#try(record);
    }
    return [];
  }

  /** Verdicts name no version: one claim never has two of an id. */
  #hadOther(record: ModelRecord): boolean {
    const others = this.#pool.ofId(record.id).filter((other) => other !== record);
    const isHad = others.some((other) => other.claim === this.#claim || other.formers.has(this.#claim));
    return record.state === 'queued' && isHad;
  }

  #try(record: ModelRecord): string {
    const pool = this.#pool;
    const why = pool.offer(record, this.#claim, this.#count, this.#isAlone);
    if (why !== 'take' && why !== 'ask_first') return why;
    // Left where it is: a shorter claim may have it.
    if (why === 'ask_first' && pool.outlasts(this.#claim, record)) return why;
    this.wrote = true;
    record.state = 'claimed';
    record.claim = this.#claim;
    record.said = null;
    record.claimedAt = pool.now;
    record.notBefore = null;
    record.isBegun = false;
    if (why === 'ask_first') {
      record.unknownAt = pool.now;
      return why;
    }
    this.#isAlone ||= pool.goesAlone(record);
    this.taken.push(record);
    if (!this.#claim.isExplicit) beginNow(record, pool.now);
    return why;
  }
}

export function beginNow(record: ModelRecord, now: number): void {
  record.attempt += 1;
  record.isBegun = true;
  record.begunAt = now;
  record.firstBegunAt ??= now;
}
