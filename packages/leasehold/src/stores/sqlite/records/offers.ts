import { type ClaimSoFar, decideOffer, goesAlone, type OfferedState } from '../../../domain/records/decide-claim.ts';
import type { RecordKey, RecordState, RefusedRecord, SettledCounts } from '../../../domain/records/record.ts';
import type { OfferedRecord } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readInteger, readIntegerOrNull, readText, readTextOrNull } from '../columns.ts';
import type { SqlRow } from '../driver.ts';
import type { Session } from '../session.ts';
import { readRecord } from './records.ts';
import type { Pool } from './rows.ts';
import { type ClaimOfRecord, settleRecord } from './settle.ts';
import { arrive, hasOtherVersion, isIdWorked, isStranded } from './versions.ts';

const sql = loadSqlBlocks(new URL('../sql/record-offers.sql', import.meta.url), ['known_keys', 'known_offers']);

/** Offers that are looked at together; a claim that is full looks at no more. */
const SLICE = 500;

/** What became of an offer. */
export interface Offering {
  readonly taken: readonly number[];
  /** Those whose provider has to be asked first. */
  readonly flagged: readonly number[];
  /** In the order in which they were offered. */
  readonly refused: readonly RefusedRecord[];
  readonly settled: SettledCounts;
}

/** What is offered to whom. */
export interface Offer {
  readonly pool: Pool;
  readonly offers: readonly OfferedRecord[];
  readonly namespace: string;
  /** What the claim has of earlier calls, and how many it may have in all. */
  readonly has: ClaimSoFar & { readonly given: ReadonlySet<number> };
  /** Of a claim that goes on; null for a new one, which no record carries yet. */
  readonly token: string | null;
  readonly limit: number;
}

export interface Offered extends OfferedState {
  readonly no: number;
  readonly state: RecordState;
  readonly token: string | null;
  readonly unknownAt: number | null;
  readonly claim: ClaimOfRecord;
}

/** An id and its version as one text that no other pair has. */
export function keyText({ id, version }: RecordKey): string {
  return JSON.stringify([id, version]);
}

export function knownKeys(session: Session, pool: string, keys: readonly RecordKey[]): Set<string> {
  const rows = session.all(sql.known_keys, { pool, keys: keysJson(keys) });
  return new Set(rows.map((row) => keyText({ id: readText(row, 'id'), version: readText(row, 'version') })));
}

/** Those that are known, by `keyText`. */
export function findOffered(session: Session, pool: string, keys: readonly RecordKey[]): Map<string, Offered> {
  const rows = session.all(sql.known_offers, { pool, keys: keysJson(keys) });
  return new Map(
    rows.map((row) => [keyText({ id: readText(row, 'id'), version: readText(row, 'version') }), toOffered(row)]),
  );
}

function keysJson(keys: readonly RecordKey[]): string {
  return JSON.stringify(keys.map(({ id, version }) => [id, version]));
}

/**
 * Decides on offered records one after the other, making known those that aren't. Of an id that is offered in several
 * versions all arrive first: the newest of them is the one to work. Writes no claim; that is its caller's.
 */
export function decideOffers(session: Session, offer: Offer, now: number): Offering {
  const run = new OfferRun(session, offer, now);
  run.letArrive(inSeveralVersions(offer.offers));
  for (let from = 0; from < offer.offers.length; from += SLICE) run.decideSlice(offer.offers.slice(from, from + SLICE));
  return run;
}

class OfferRun implements Offering {
  readonly taken: number[] = [];
  readonly flagged: number[] = [];
  readonly refused: RefusedRecord[] = [];
  readonly settled = { requeued: 0, review: 0, cancelled: 0 };
  readonly #session: Session;
  readonly #offer: Offer;
  readonly #now: number;
  #isAlone: boolean;
  /** Ids of which this call has taken a version, so that no other one is. */
  readonly #ids = new Set<string>();

  constructor(session: Session, offer: Offer, now: number) {
    this.#session = session;
    this.#offer = offer;
    this.#now = now;
    this.#isAlone = offer.has.isAlone;
  }

  letArrive(records: readonly OfferedRecord[]): void {
    if (records.length === 0) return;
    const known = knownKeys(this.#session, this.#offer.pool.pool, records);
    for (const record of records) if (!known.has(keyText(record))) this.#arrive(record);
  }

  decideSlice(offers: readonly OfferedRecord[]): void {
    if (this.#isFull()) {
      for (const key of offers) this.#refuse(key, 'over_limit');
      return;
    }
    const known = this.#findKnown(offers);
    for (const key of offers) {
      if (this.#isFull()) this.#refuse(key, 'over_limit');
      else this.#decide(key, known.get(keyText(key)) ?? this.#arrive(key));
    }
  }

  #isFull(): boolean {
    return this.#owned() >= this.#offer.limit;
  }

  #claim(): ClaimSoFar {
    return { sendsUntil: this.#offer.has.sendsUntil, owned: this.#owned(), isAlone: this.#isAlone };
  }

  #owned(): number {
    return this.#offer.has.owned + this.taken.length;
  }

  #findKnown(keys: readonly RecordKey[]): Map<string, Offered> {
    return findOffered(this.#session, this.#offer.pool.pool, keys);
  }

  #arrive(record: OfferedRecord): Offered {
    const { pool, namespace } = this.#offer;
    const { no, waits } = arrive(this.#session, pool.pool, record, { namespace, now: this.#now });
    return newlyOffered(no, waits, record.notBefore?.getTime() ?? null, this.#now);
  }

  #decide(key: RecordKey, found: Offered): void {
    // Of a claim that goes on, what it has is no news.
    if (this.#offer.has.given.has(found.no)) return;
    const offered = this.#settleIfOver(key, found);
    // What it has otherwise is flagged, or begun by one that isn't known to be who asks now.
    if (offered.state === 'claimed' && offered.token !== null && offered.token === this.#offer.token) {
      this.#refuse(key, 'ask_first');
      return;
    }
    const isWorked = offered.state === 'queued' && (this.#ids.has(key.id) || this.#isIdTaken(key));
    const decision = decideOffer(offered, isWorked, this.#claim(), this.#now);
    if (decision.kind === 'take') {
      this.#isAlone = goesAlone(offered);
      this.#ids.add(key.id);
      this.taken.push(offered.no);
      return;
    }
    if (decision.kind === 'ask_first') {
      this.#ids.add(key.id);
      this.flagged.push(offered.no);
      this.#refuse(key, 'ask_first');
      return;
    }
    const by = decision.why === 'claimed' ? offered.claim.holder : null;
    this.#refuse(key, decision.why, by, decision.since);
  }

  #isIdTaken(key: RecordKey): boolean {
    const { pool, token } = this.#offer;
    const isOurs = token !== null && hasOtherVersion(this.#session, pool.pool, key, token);
    return isOurs || isIdWorked(this.#session, pool.pool, key);
  }

  /** An offered record doesn't wait for its turn among the expired ones, nor for an older version that is settled. */
  #settleIfOver(key: RecordKey, offered: Offered): Offered {
    if (offered.state === 'queued' && offered.waits) {
      return { ...offered, waits: !isStranded(this.#session, this.#offer.pool.pool, key, offered.no) };
    }
    const { leaseUntil } = offered.claim;
    const isOver = offered.unknownAt !== null || leaseUntil === null || leaseUntil <= this.#now;
    if (offered.state !== 'claimed' || !isOver) return offered;
    const record = readRecord(this.#session, offered.no);
    const came = settleRecord(this.#session, this.#offer.pool, record, offered.claim, this.#now);
    if (came === null) return offered;
    this.settled[came] += 1;
    return { ...readRecord(this.#session, offered.no), claim: offered.claim };
  }

  #refuse(
    { id, version }: RecordKey,
    why: RefusedRecord['why'],
    by: string | null = null,
    since: number | null = null,
  ): void {
    this.refused.push({ id, version, why, by, since: since === null ? null : new Date(since) });
  }
}

/** Those of ids that are offered more than once. */
function inSeveralVersions(offers: readonly OfferedRecord[]): OfferedRecord[] {
  const ids = new Set<string>();
  const several = new Set(offers.map(({ id }) => id).filter((id) => ids.has(id) || !ids.add(id)));
  return several.size === 0 ? [] : offers.filter(({ id }) => several.has(id));
}

function newlyOffered(no: number, waits: boolean, notBefore: number | null, now: number): Offered {
  return {
    no,
    state: 'queued',
    waits,
    notBefore,
    sendBefore: null,
    idleRequeues: 0,
    claimedAt: null,
    token: null,
    unknownAt: null,
    updatedAt: now,
    claim: { claimId: null, holder: null, leaseUntil: null },
  };
}

function toOffered(row: SqlRow): Offered {
  return {
    no: readInteger(row, 'no'),
    state: readText(row, 'state') as RecordState,
    waits: readInteger(row, 'waits') !== 0,
    notBefore: readIntegerOrNull(row, 'not_before'),
    sendBefore: readIntegerOrNull(row, 'send_before'),
    idleRequeues: readInteger(row, 'idle_requeues'),
    claimedAt: readIntegerOrNull(row, 'claimed_at'),
    token: readTextOrNull(row, 'token'),
    unknownAt: readIntegerOrNull(row, 'unknown_at'),
    updatedAt: readInteger(row, 'updated_at'),
    claim: {
      claimId: readTextOrNull(row, 'claim_id'),
      holder: readTextOrNull(row, 'holder'),
      leaseUntil: readIntegerOrNull(row, 'lease_until'),
    },
  };
}
