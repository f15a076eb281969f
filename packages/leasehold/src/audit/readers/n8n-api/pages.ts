import type { ApiAnswer } from './answer.ts';
import type { ApiClient } from './client.ts';
import { grouped } from '../../words.ts';

/** One page of a list of the API, or why there is none. */
export type ApiPage =
  | { readonly kind: 'page'; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | Extract<ApiAnswer, { kind: 'failed' }>;

export interface ApiList {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly scope: string;
}

/** Enough for two million runs; a server whose cursor goes round is asked no further. */
const PAGES_MAX = 8_000;

/** The pages of a list, one request at a time; ends with the last one, or with one that failed. */
export async function* readPages(client: ApiClient, list: ApiList): AsyncGenerator<ApiPage, void, undefined> {
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const parameters = cursor === null ? list.parameters : { ...list.parameters, cursor };
    const answer = await client.get(list.path, parameters, list.scope);
    if (answer.kind === 'failed') return yield answer;
    const { data, nextCursor } = (answer.value ?? {}) as { readonly data?: unknown; readonly nextCursor?: unknown };
    if (!Array.isArray(data)) return yield broken('sent something other than a list');
    yield { kind: 'page', rows: data.filter((row) => typeof row === 'object' && row !== null) };
    if (typeof nextCursor !== 'string' || nextCursor === '') return undefined;
    if (nextCursor === cursor) return yield broken('gives the same page again and again');
    cursor = nextCursor;
  }
  return yield broken(`has more than ${grouped(PAGES_MAX)} pages`);
}

function broken(why: string): ApiPage {
  return { kind: 'failed', status: 200, why, mayPass: false };
}
