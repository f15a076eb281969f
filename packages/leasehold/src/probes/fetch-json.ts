import type { Clock } from '../ports/clock.ts';

/** What a platform answered: its JSON, or why there is none, in words without a URL or a header in them. */
export type FetchedJson =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'none'; readonly why: string };

export interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** A status takes a few hundred bytes; whoever sends more than this is asked no further. */
const BODY_BYTES_MAX = 1_048_576;

/**
 * GETs JSON: one request, bounded in time and size. A redirect is not followed, because the headers would
 * go along; anything but 200 is no answer. Never rejects.
 */
export async function fetchJson(url: URL, { headers, timeoutMs, clock }: FetchOptions): Promise<FetchedJson> {
  const abort = new AbortController();
  const timer = clock.schedule(timeoutMs, () => abort.abort());
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'leasehold', ...headers },
      redirect: 'manual',
      signal: abort.signal,
    });
    if (response.status !== 200) return none(statusText(response.status));
    const text = await readBody(response);
    return text === null ? none('sent too much') : parse(text);
  } catch (error) {
    return none(abort.signal.aborted ? 'did not answer in time' : `can't be reached (${codeOf(error)})`);
  } finally {
    timer.cancel();
    // Whatever is still on its way is not wanted any more.
    abort.abort();
  }
}

/** Null where there is more of it than may be. */
async function readBody({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): FetchedJson {
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return none('sent something other than JSON');
  }
}

function statusText(status: number): string {
  return status >= 300 && status <= 399 ? `answered ${status}, and redirects are not followed` : `answered ${status}`;
}

function none(why: string): FetchedJson {
  return { kind: 'none', why };
}

/** Never the message of an error: it may quote the URL or a header. */
function codeOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause ?? error;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' && /^[\w-]{1,64}$/.test(code) ? code : 'unknown error';
}
