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

/** Enough for two million runs. */
const PAGES_MAX = 8_000;

/**
 * The pages of a list, one request at a time; ends with the last one, or with one that failed. A server whose paging is
 * broken answers a cursor that it gave before, or with a new one the rows of an earlier page: it is asked no further.
 */
export async function* readPages(client: ApiClient, list: ApiList): AsyncGenerator<ApiPage, void, undefined> {
  let cursor: string | null = null;
  const cursors = new Set<string>();
  const pages = new Set<string>();
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const parameters = cursor === null ? list.parameters : { ...list.parameters, cursor };
    const answer = await client.get(list.path, parameters, list.scope);
    if (answer.kind === 'failed') return yield answer;
    const { data, nextCursor } = (answer.value ?? {}) as { readonly data?: unknown; readonly nextCursor?: unknown };
    if (!Array.isArray(data)) return yield broken('sent something other than a list');
    const rows = data.filter((row) => typeof row === 'object' && row !== null);
    if (!isNew(pages, signatureOf(rows))) return yield broken(ROUND);
    yield { kind: 'page', rows };
    // What is still held of an answer is emptied: a million rows that wait for the collector are 60 MB.
    data.length = 0;
    rows.length = 0;
    if (typeof nextCursor !== 'string' || nextCursor === '') return undefined;
    if (!isNew(cursors, nextCursor)) return yield broken(ROUND);
    cursor = nextCursor;
  }
  return yield broken(`has more than ${grouped(PAGES_MAX)} pages`);
}

const ROUND = 'gives pages again that it gave before: its paging is broken';

/** Null where nothing tells a page from another. */
function signatureOf(rows: readonly Readonly<Record<string, unknown>>[]): string | null {
  const ids = [rows[0]?.['id'], rows.at(-1)?.['id']];
  if (!ids.every((id) => typeof id === 'string' || typeof id === 'number')) return null;
  return `${rows.length} ${ids.join(' ')}`;
}

function isNew(seen: Set<string>, text: string | null): boolean {
  if (text === null) return true;
  const before = seen.size;
  return seen.add(text).size > before;
}

function broken(why: string): ApiPage {
  return { kind: 'failed', status: 200, why, mayPass: false };
}
