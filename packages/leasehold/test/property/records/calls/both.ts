import type { AskedRecord } from '../../../../src/ports/record-store.ts';
import { plain, type Subject } from '../../subject.ts';
import type { ModelAsk } from '../model/claim-model.ts';
import type { ModelClaim } from '../model/model-rows.ts';
import type { PoolModel } from '../model/pool-model.ts';
import type { Asked } from '../model/sweep-model.ts';

/** What the store answered and what the model says, in the same plain form; `call` names what came up. */
export interface Both {
  readonly call: string;
  readonly actual: unknown;
  readonly expected: unknown;
  /** Of a claim: what it was given, under which token. */
  readonly given?: { readonly token: string; readonly holder: string; readonly names: readonly string[] };
  /** Of begins and verdicts: who said what of which record, and how that was answered. */
  readonly said?: readonly SaidAnswer[];
}

export interface SaidAnswer {
  readonly what: 'begin' | 'verdict';
  readonly token: string;
  readonly id: string;
  readonly version: string | null;
  readonly outcome: string;
}

/** A store and the model side by side, with what was asked of both so far. */
export interface Table {
  readonly subject: Subject;
  readonly pool: string;
  readonly model: PoolModel;
  readonly asks: ModelAsk[];
  readonly looked: { readonly seen: AskedRecord; readonly asked: Asked }[];
}

export const NOTHING_TO_DO: Both = { call: 'nothing', actual: null, expected: null };

const NO_TOKEN = 'token-of-nobody';

export const tokenOf = (claim: ModelClaim | null): string => claim?.token ?? NO_TOKEN;

/** Of the claims that got a token the nth, from the newest; null for nobody's. */
export function claimOf({ model }: Table, index: number | null): ModelClaim | null {
  const claims = model.claims.filter(({ token }) => token !== null);
  return index === null ? null : (claims.at(-1 - (index % Math.max(1, claims.length))) ?? null);
}

export function dateOf({ subject }: Table, at: number | null): Date | null {
  return at === null ? null : new Date(subject.startMs + at);
}

/** Of an answer the fields that the model says something of. */
export function partOfAnswer({ subject }: Table, answer: object, expected: object): object {
  const fields = plain(answer, subject.startMs);
  return Object.fromEntries(Object.keys(expected).map((key) => [key, fields[key]]));
}
