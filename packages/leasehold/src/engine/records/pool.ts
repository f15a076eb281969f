import {
  checkPageSize,
  checkReason,
  checkToken,
  checkLeaseMs,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
} from '../../domain/limits.ts';
import { advisePool, type PoolAdvice } from '../../domain/records/advise-pool.ts';
import { POOL_DEFAULTS } from '../../domain/records/pool-settings.ts';
import {
  type BeginAnswer,
  type ExtendAnswer,
  type PoolStatus,
  RECORD_STATES,
  type RecordKey,
  type RecordRow,
  type ReturnAnswer,
  type VerdictAnswer,
} from '../../domain/records/record.ts';
import { checkProviderRef, checkRecordId, checkVersion } from '../../domain/records/record-key.ts';
import { storeTimeoutMs } from '../../domain/timing.ts';
import type { ChangePoolAnswer, RecordsQuery, ReviewAnswer } from '../../ports/record-store.ts';
import { checkChoice, checkObject } from '../arguments.ts';
import type { EngineParts } from '../parts.ts';
import type {
  EnqueueOptions,
  EnqueueReport,
  Pool,
  PoolChange,
  RecordListQuery,
  ReviewOptions,
  SweepOptions,
  SweepReport,
  VerdictOptions,
} from './api.ts';
import { askReturn } from './ask-return.ts';
import { checkClaim, checkRetryFor } from './claim-arguments.ts';
import type { Claim, ClaimOptions, Offers } from './claim-api.ts';
import { changesRedo, checkChange, checkRedo } from './pool-change.ts';
import { checkSweep } from './sweep-arguments.ts';
import { beginItem, checkedOr, invalidVerdict, refusedBegin, verdictItem } from './work-items.ts';
import type { WorkLines } from './work-lines.ts';

/** Of begins and verdicts by token: a database takes 5 to 6 s to fail over, and whoever calls may be a short step. */
const RETRY_FOR_MS = 10_000;
/** Of a call whose claim isn't at hand. */
const TIMEOUT_MS: number = storeTimeoutMs(60_000);

/**
 * One pool of an opened store; see `Pool` for what each call promises.
 *
 * What only claims, enqueues and sweeps need is loaded by the first of them: a guard that starts every minute should not
 * read what it does not need. How it is to be claimed or swept is looked at before, in the turn of the call.
 */
export class EnginePool implements Pool {
  readonly name: string;
  readonly #parts: EngineParts;
  readonly #lines: WorkLines;

  /** `name` has been checked. */
  constructor(name: string, parts: EngineParts, lines: WorkLines) {
    this.name = name;
    this.#parts = parts;
    this.#lines = lines;
  }

  async enqueue(records: Offers, options: EnqueueOptions = {}): Promise<EnqueueReport> {
    const { enqueueAll } = await import('./enqueue.ts');
    return await enqueueAll(this.#parts, this.name, records, options);
  }

  async claim(options: ClaimOptions = {}): Promise<Claim> {
    const checked = checkClaim(this.name, options, this.#parts);
    const { OpeningClaim } = await import('./open-claim.ts');
    return await new OpeningClaim(this.#parts, this.#lines, checked).open();
  }

  async begin(options: { readonly id: string | number; readonly token: string }): Promise<BeginAnswer> {
    checkObject(options, 'options');
    const { id, token } = options;
    const checked = checkedOr(
      () => beginItem(id, token),
      (message) => refusedBegin(this.name, String(id), null, 'invalid', message),
    );
    if ('answer' in checked) return checked.answer;
    const item = { ...checked.item, isByToken: true };
    return await this.#lines.begin(this.name, item, { timeoutMs: TIMEOUT_MS, retryForMs: RETRY_FOR_MS });
  }

  async verdict(options: VerdictOptions): Promise<VerdictAnswer> {
    checkObject(options, 'options');
    checkChoice(options.verdict, 'verdict', ['done', 'failed', 'unknown', 'review']);
    const retryForMs = checkRetryFor(options.retryForMs ?? RETRY_FOR_MS);
    const checked = checkedOr(
      () => verdictItem(options),
      (message) => invalidVerdict(this.name, String(options.id), null, message),
    );
    if ('answer' in checked) return checked.answer;
    const item = { ...checked.item, isByToken: true };
    return await this.#lines.verdict(this.name, item, { timeoutMs: TIMEOUT_MS, retryForMs });
  }

  async extend(options: { readonly token: string; readonly leaseMs?: number }): Promise<ExtendAnswer> {
    checkObject(options, 'options');
    const leaseMs = options.leaseMs === undefined ? null : checkLeaseMs(options.leaseMs);
    return await this.#parts.store.extendClaim({
      pool: this.name,
      token: checkToken(options.token),
      leaseMs,
      isByToken: true,
    });
  }

  async returnUnworked(options: {
    readonly token: string;
    readonly ids?: readonly (string | number)[];
  }): Promise<ReturnAnswer> {
    checkObject(options, 'options');
    const ids = options.ids === undefined ? null : [...new Set(options.ids.map((id) => checkRecordId(id)))];
    const request = { pool: this.name, token: checkToken(options.token), ids, isByToken: true };
    return (await askReturn(this.#parts, request)).answer;
  }

  async records(query: RecordListQuery = {}): Promise<RecordRow[]> {
    return await this.#parts.store.records(checkQuery(this.name, query));
  }

  async *allRecords(query: Omit<RecordListQuery, 'after' | 'limit'> = {}): AsyncIterable<RecordRow> {
    const checked = { ...checkQuery(this.name, query), limit: PAGE_SIZE_MAX };
    let after: RecordKey | null = null;
    for (;;) {
      const page: RecordRow[] = await this.#parts.store.records({ ...checked, after });
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE_MAX) return;
      after = { id: last.id, version: last.version };
    }
  }

  async status(): Promise<PoolStatus | null> {
    const [status] = await this.#parts.store.pools({ pool: this.name, limit: 1 });
    return status ?? null;
  }

  async configure(settings: PoolChange): Promise<ChangePoolAnswer> {
    const change = checkChange(this.name, settings);
    if (changesRedo(change)) checkRedo(change, await this.status());
    return await this.#parts.store.changePool(change);
  }

  async pause(options: { readonly reason?: string } = {}): Promise<ChangePoolAnswer> {
    checkObject(options, 'options');
    const reason = options.reason === undefined ? null : checkReason(options.reason, 'reason');
    return await this.#parts.store.changePool({ pool: this.name, settings: {}, paused: true, reason });
  }

  async resume(): Promise<ChangePoolAnswer> {
    return await this.#parts.store.changePool({ pool: this.name, settings: {}, paused: false, reason: null });
  }

  async sweep(options: SweepOptions = {}): Promise<SweepReport> {
    const checked = checkSweep(options);
    const { sweepPool } = await import('./sweep.ts');
    return await sweepPool(this.#parts, this.name, checked);
  }

  async review(options: ReviewOptions): Promise<ReviewAnswer> {
    checkObject(options, 'options');
    const { id, version, action, providerRef, reason } = options;
    return await this.#parts.store.review({
      pool: this.name,
      id: checkRecordId(id),
      version: version === undefined ? null : checkVersion(version),
      action: checkChoice(action, 'action', ['ask', 'done', 'requeue', 'fail']),
      providerRef: providerRef === undefined || providerRef === null ? null : checkProviderRef(providerRef),
      reason: checkReason(reason, 'reason'),
    });
  }

  async advise(): Promise<PoolAdvice> {
    const { store } = this.#parts;
    const [[status], { pool, ...sample }] = [
      await store.pools({ pool: this.name, limit: 1 }),
      await store.workTimes(this.name),
    ];
    const { leaseMs, limit } = status ?? POOL_DEFAULTS;
    return advisePool(sample, { pool, leaseMs, limit });
  }
}

function checkQuery(pool: string, query: RecordListQuery): RecordsQuery {
  checkObject(query, 'query');
  const { state = null, id = null, after = null, limit = PAGE_SIZE_DEFAULT } = query;
  if (after !== null) checkObject(after, 'after');
  return {
    pool,
    state: state === null ? null : checkChoice(state, 'state', RECORD_STATES),
    id: id === null ? null : checkRecordId(id),
    after: after === null ? null : { id: checkRecordId(after.id), version: checkVersion(after.version) },
    limit: checkPageSize(limit),
  };
}
