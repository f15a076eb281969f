import { createHash } from 'node:crypto';
import { checkId } from '../../domain/limits.ts';
import { effectKeyOf, purposeKeyText } from '../../domain/records/effect-key.ts';
import { recordName } from '../../domain/records/messages.ts';
import type { BeginAnswer, BeginRefusal, OwnedRecord, Verdict, VerdictAnswer } from '../../domain/records/record.ts';
import { LeaseholdError } from '../../errors.ts';
import type { BeginItem, VerdictItem } from '../../ports/record-store.ts';
import type { ClaimedRecord } from './claim-api.ts';
import { checkedOr, invalidVerdict, refusedBegin, type VerdictWords, verdictOn } from './work-items.ts';

/** Refusals that say that the record is no longer this claim's to settle. */
const GONE: readonly BeginRefusal[] = ['not_owner', 'not_claimed', 'unknown_record'];

/** What a record needs of the claim that it belongs to. */
export interface ClaimTies {
  readonly pool: string;
  readonly token: string;
  /** Runs to its end also where its caller doesn't wait for it: the claim's disposal does. */
  follow<A>(work: () => Promise<A>): Promise<A>;
  begin(item: BeginItem, refusal: () => string | null): Promise<BeginAnswer>;
  /** Renews the claim; true where that got through. */
  renew(): Promise<boolean>;
  verdict(item: VerdictItem): Promise<VerdictAnswer>;
  /** Fires the claim's signal, if it is time. */
  look(): void;
  /** A record has its verdict, or is no longer this claim's. */
  noteSettled(): void;
}

/**
 * One record in the hands of its claim.
 *
 *   owned --begin accepted--> begun --verdict stored--> settled: the signal never fires any more
 *     |                         |
 *     +--(claim lost, begin or verdict refused)--> lost: the signal has fired, for good
 *
 * Clock: none of its own; the claim's trust and the store say what is over.
 */
export class OwnedWork implements ClaimedRecord {
  readonly pool: string;
  readonly id: string;
  readonly version: string;
  readonly effectKey: string;
  readonly attempt: number;
  readonly payloadText: string | null;
  readonly #ties: ClaimTies;
  #abort: AbortController | null = null;
  #loss: LeaseholdError | null = null;
  /** Why the store refused it; null where it did not. */
  #refusal: BeginRefusal | null = null;
  #isBegun = false;
  #isSettled = false;
  /** Verdicts that are on their way. */
  #speaking = 0;
  /** Begins that the store has not answered yet. */
  readonly #waiting = new Set<() => void>();

  constructor({ id, version, effectKey, attempt, payload }: OwnedRecord, ties: ClaimTies) {
    this.pool = ties.pool;
    this.id = id;
    this.version = version;
    this.effectKey = effectKey;
    this.attempt = attempt;
    this.payloadText = payload;
    this.#ties = ties;
  }

  /** Parsed anew each time: what one caller changes in it another one doesn't see. */
  get payload(): unknown {
    return this.payloadText === null ? null : (JSON.parse(this.payloadText) as unknown);
  }

  /** Made when it is asked for: most of ten thousand records are worked without. */
  get signal(): AbortSignal {
    if (!this.#isSettled) this.#ties.look();
    this.#abort ??= new AbortController();
    if (this.#loss !== null) this.#abort.abort(this.#loss);
    return this.#abort.signal;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** True while the store may wait for its verdict. */
  get isOpen(): boolean {
    return !this.#isSettled && (this.#refusal === null || !GONE.includes(this.#refusal));
  }

  /** True where nothing more of this claim is needed for it: settled, or its verdict is on its way. */
  get isSpokenFor(): boolean {
    return this.#isSettled || this.#speaking > 0;
  }

  effectKeyFor(purpose: string): string {
    const text = purposeKeyText(this.effectKey, checkId(purpose, 'purpose'));
    return effectKeyOf(createHash('sha256').update(text).digest());
  }

  begin(): Promise<BeginAnswer> {
    return this.#ties.follow(() => this.#begin());
  }

  async #begin(): Promise<BeginAnswer> {
    if (!this.#isSettled) this.#ties.look();
    const refused = this.#words();
    if (refused !== null) return this.#refuse(this.#refusal ?? 'lease_over', refused);
    const item = { id: this.id, token: this.#ties.token };
    let answer = await this.#ask(item);
    // A renewal that was late, or a call time-out nearly as long as the lease: what is left can be made more.
    if (answer?.reason === 'lease_over' && this.#loss === null && (await this.#ties.renew())) {
      answer = await this.#ask(item);
    }
    // Not answered in time, or accepted too late for us: whoever was told to stop must not be told to go.
    if (this.#loss !== null && answer?.outcome !== 'refused') return this.#refuse('lease_over', this.#words() ?? '');
    answer ??= this.#refuse('lease_over', '');
    // Refused on this side, where nobody looked at the record.
    if (answer.version === null && answer.reason === 'lease_over') answer = { ...answer, version: this.version };
    if (answer.outcome === 'refused') this.#lose(answer.reason ?? 'lease_over', answer.message);
    else this.#isBegun = true;
    return answer;
  }

  /** Null where its signal has fired before the store answered: what a call that hangs then comes to is for the next sweep. */
  #ask(item: BeginItem): Promise<BeginAnswer | null> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(null);
      this.#waiting.add(giveUp);
      this.#ties
        .begin(item, () => this.#words())
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(giveUp));
    });
  }

  done(providerRef?: string | number | null): Promise<VerdictAnswer> {
    return this.#speak('done', { providerRef });
  }

  fail(error: unknown, options?: { readonly permanent?: boolean }): Promise<VerdictAnswer> {
    return this.#speak('failed', { error, options });
  }

  unknown(error: unknown): Promise<VerdictAnswer> {
    return this.#speak('unknown', { error });
  }

  review(reason: unknown): Promise<VerdictAnswer> {
    return this.#speak('review', { error: reason });
  }

  /** The claim is lost: what is not settled must stop. */
  stop(reason: LeaseholdError): void {
    if (!this.#isSettled) this.#fire(reason);
  }

  /** It went back, or has its verdict: there is nothing to warn of any more. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#ties.noteSettled();
  }

  #speak(verdict: Verdict, words: VerdictWords): Promise<VerdictAnswer> {
    return this.#ties.follow(() => this.#give(verdict, words));
  }

  async #give(verdict: Verdict, words: VerdictWords): Promise<VerdictAnswer> {
    const { pool, token } = this.#ties;
    const checked = checkedOr(
      () => verdictOn({ id: this.id, token }, verdict, words),
      (message) => invalidVerdict(pool, this.id, this.version, message),
    );
    if ('answer' in checked) return checked.answer;
    this.#speaking += 1;
    try {
      const answer = await this.#ties.verdict(checked.item);
      if (answer.reason === 'not_owner' || answer.reason === 'unknown_record') {
        this.#lose('not_owner', answer.message);
      }
      if (answer.reason !== 'invalid') this.settle();
      return answer;
    } finally {
      this.#speaking -= 1;
    }
  }

  /** Also of one that is settled: whoever asks to begin it means to send. */
  #lose(reason: BeginRefusal, message: string): void {
    if (this.#loss === null || GONE.includes(reason)) this.#refusal = reason;
    this.#fire(new LeaseholdError('LEASE_LOST', message));
  }

  #fire(reason: LeaseholdError): void {
    this.#loss ??= reason;
    this.#abort?.abort(this.#loss);
    for (const giveUp of this.#waiting) giveUp();
  }

  /** Why it may not begin; null where it may. What a signal said when it fired is no longer so after a while. */
  #words(): string | null {
    if (this.#loss === null) return null;
    if (this.#refusal !== null) return this.#loss.message;
    return `Refused to begin ${recordName(this.pool, this)}: its signal has fired; send nothing.`;
  }

  #refuse(reason: BeginRefusal, message: string): BeginAnswer {
    return refusedBegin(this.pool, this.id, this.version, reason, message);
  }
}
