import assert from 'node:assert/strict';
import type { EventKind, LeaseholdEvent } from '../../../../domain/answers.ts';
import type {
  BeginAnswer,
  ClaimAnswer,
  ExtendAnswer,
  PoolSettings,
  PoolStatus,
  RecordRow,
  ReturnAnswer,
  Verdict,
  VerdictAnswer,
} from '../../../../domain/records/record.ts';
import type {
  ChangePoolAnswer,
  ClaimNextRequest,
  ClaimRequest,
  EnqueueAnswer,
  NewRecord,
  ReviewAnswer,
  ReviewRequest,
  SettleAnswer,
  VerdictItem,
} from '../../../../ports/record-store.ts';
import type { Scene } from '../../stage/scene.ts';
import { type Claim, grantedOf, idsOf, type Key, keyOf, LEASE, nameOf, type Token, verdictItem } from './names.ts';

type ClaimPatch = Partial<Omit<ClaimRequest, 'offers' | 'pool'>> & { readonly payload?: string | null };

/** One pool of a scene's store, with the calls and questions that facts have in common. */
export class Pool {
  readonly scene: Scene;
  readonly name: string;
  #claims = 0;

  constructor(scene: Scene, name: string) {
    this.scene = scene;
    this.name = name;
  }

  enqueue(keys: readonly Key[], patch: Partial<NewRecord> & { namespace?: string } = {}): Promise<EnqueueAnswer> {
    const { namespace = '', ...fields } = patch;
    const records = keys.map((key) => ({ ...keyOf(key), payload: null, notBefore: null, ...fields }));
    return this.scene.store.enqueue({ pool: this.name, records, namespace });
  }

  claimRequest(keys: readonly Key[], patch: ClaimPatch = {}): ClaimRequest {
    const { payload = null, ...fields } = patch;
    const offers = keys.map((key) => ({ ...keyOf(key), payload, notBefore: null }));
    return { ...this.nextRequest({}), offers, namespace: '', isContinued: false, ...fields };
  }

  nextRequest(patch: Partial<Omit<ClaimNextRequest, 'pool'>>): ClaimNextRequest {
    this.#claims += 1;
    return {
      pool: this.name,
      holder: `host-${this.#claims}:1`,
      holderInfo: null,
      claimId: `claim-${this.#claims}`,
      leaseMs: LEASE,
      limit: null,
      lockToken: null,
      explicitBegin: false,
      ...patch,
    };
  }

  claim(keys: readonly Key[], patch: ClaimPatch = {}): Promise<ClaimAnswer> {
    return this.scene.store.claim(this.claimRequest(keys, patch));
  }

  next(limit: number | null = null, patch: Partial<ClaimNextRequest> = {}): Promise<ClaimAnswer> {
    return this.scene.store.claimNext(this.nextRequest({ limit, ...patch }));
  }

  /** A claim that gets all of `keys`, each begun at once. */
  async owned(keys: readonly Key[], patch: ClaimPatch = {}): Promise<Claim> {
    const answer = await this.claim(keys, patch);
    assert.deepEqual(idsOf(answer), keys.map(keyOf).map(nameOf), `owned: ${answer.message}`);
    return grantedOf(answer);
  }

  /** The same of a claimer that says of each record when it begins. */
  unbegun(keys: readonly Key[], patch: ClaimPatch = {}): Promise<Claim> {
    return this.owned(keys, { explicitBegin: true, ...patch });
  }

  /** A claim of which nothing more can be said than that its lease is over, and that its work was begun. */
  async lapsed(keys: readonly Key[], patch: ClaimPatch = {}): Promise<Claim> {
    const claim = await this.owned(keys, patch);
    await this.scene.advance(LEASE);
    return claim;
  }

  async begin(claim: Token, id: string, isByToken = false): Promise<BeginAnswer> {
    const { begins } = await this.scene.store.work({
      pool: this.name,
      verdicts: [],
      begins: [{ id, token: claim.token, isByToken }],
    });
    const [answer, ...rest] = begins;
    assert.ok(answer !== undefined && rest.length === 0, 'one answer for one begin');
    return answer;
  }

  /** A begin that must be accepted. */
  async begun(claim: Token, id: string, isByToken = false): Promise<BeginAnswer> {
    const answer = await this.begin(claim, id, isByToken);
    assert.equal(answer.outcome, 'accepted', answer.message);
    return answer;
  }

  async verdict(claim: Token, id: string, verdict: Verdict, patch: Partial<VerdictItem> = {}): Promise<VerdictAnswer> {
    const { verdicts } = await this.scene.store.work({
      pool: this.name,
      verdicts: [verdictItem(claim, id, verdict, patch)],
      begins: [],
    });
    const [answer, ...rest] = verdicts;
    assert.ok(answer !== undefined && rest.length === 0, 'one answer for one verdict');
    return answer;
  }

  done(claim: Token, id: string, providerRef: string | null = null): Promise<VerdictAnswer> {
    return this.verdict(claim, id, 'done', { providerRef });
  }

  /** A temporary failure: the provider certainly did nothing. */
  failed(claim: Token, id: string, error = 'answered 503'): Promise<VerdictAnswer> {
    return this.verdict(claim, id, 'failed', { error });
  }

  failedForGood(claim: Token, id: string, error = 'answered 400'): Promise<VerdictAnswer> {
    return this.verdict(claim, id, 'failed', { error, isPermanent: true });
  }

  unknown(claim: Token, id: string, error = 'timed out'): Promise<VerdictAnswer> {
    return this.verdict(claim, id, 'unknown', { error });
  }

  toReview(claim: Token, id: string, error = 'no such address'): Promise<VerdictAnswer> {
    return this.verdict(claim, id, 'review', { error });
  }

  extend(claim: Token, leaseMs: number | null = null): Promise<ExtendAnswer> {
    return this.scene.store.extendClaim({ pool: this.name, token: claim.token, leaseMs });
  }

  giveBack(claim: Token, ids: readonly string[] | null = null): Promise<ReturnAnswer> {
    return this.scene.store.returnUnworked({ pool: this.name, token: claim.token, ids });
  }

  settle(limit = 1_000): Promise<SettleAnswer> {
    return this.scene.store.settleExpired({ pool: this.name, limit });
  }

  decide(id: string, action: ReviewRequest['action'], patch: Partial<ReviewRequest> = {}): Promise<ReviewAnswer> {
    const request = { pool: this.name, id, version: null, action, providerRef: null, reason: 'looked at it' };
    return this.scene.store.review({ ...request, ...patch });
  }

  set(settings: Partial<PoolSettings>): Promise<ChangePoolAnswer> {
    return this.scene.store.changePool({ pool: this.name, settings, reason: null });
  }

  pause(reason: string | null = 'a move of the provider'): Promise<ChangePoolAnswer> {
    return this.scene.store.changePool({ pool: this.name, settings: {}, paused: true, reason });
  }

  resume(): Promise<ChangePoolAnswer> {
    return this.scene.store.changePool({ pool: this.name, settings: {}, paused: false, reason: null });
  }

  // Rows.

  records(): Promise<RecordRow[]> {
    return this.scene.store.records({ pool: this.name, state: null, id: null, after: null, limit: 1_000 });
  }

  async record(key: Key): Promise<RecordRow> {
    const { id, version } = keyOf(key);
    const rows = await this.scene.store.records({ pool: this.name, state: null, id, after: null, limit: 1_000 });
    const row = rows.find((each) => each.version === version);
    assert.ok(row !== undefined, `record ${id} ${version} is known`);
    return row;
  }

  /** Each record with its state: `a queued`, or `a/2 queued` where it has a version. */
  async states(): Promise<string[]> {
    return (await this.records()).map((row) => `${nameOf(row)} ${row.state}`);
  }

  async status(): Promise<PoolStatus> {
    const [status, ...rest] = await this.scene.store.pools({ pool: this.name, limit: 100 });
    assert.ok(status !== undefined && rest.length === 0, `one status of pool ${this.name}`);
    return status;
  }

  /** Newest first. */
  async events(kind: EventKind | null = null): Promise<LeaseholdEvent[]> {
    return await this.scene.store.events({ lock: null, pool: this.name, kind, limit: 1_000 });
  }

  /** The one event of its kind. */
  async event(kind: EventKind): Promise<LeaseholdEvent> {
    const [event, ...rest] = await this.events(kind);
    assert.ok(event !== undefined && rest.length === 0, `one event ${kind}, not ${rest.length + (event ? 1 : 0)}`);
    return event;
  }

  /** Of one kind, or of all that is told of records. */
  async countEvents(kind: EventKind | null = null): Promise<number> {
    return (await this.events(kind)).filter((event) => kind !== null || event.recordId !== null).length;
  }
}
