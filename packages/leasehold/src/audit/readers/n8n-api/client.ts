import { wholeBytes } from '../files/whole-bytes.ts';
import type { LiveClock } from '../live/settings.ts';
import type { LiveSource } from '../live/source.ts';
import { type ApiAnswer, type Asked, type HttpAnswer, judgeAnswer, judgeError } from './answer.ts';

/**
 * Asks n8n's public API, one request at a time. A redirect is not followed, because the key would go along. What may
 * pass (no answer, 429, 5xx) is asked again a few times, as late as `Retry-After` says and within bounds.
 *
 * Secrets: the key is in one header and nowhere else; neither it nor a URL gets into any text.
 */
export interface ApiClient {
  /** `path` behind `/api/v1`, with a leading slash. Never rejects. */
  get(path: string, parameters: Readonly<Record<string, string>>, scope: string): Promise<ApiAnswer>;
  /** From now on asks the API at this address. */
  base: URL;
}

const TRIES_MAX = 4;
const FIRST_PAUSE_MS = 1_000;
/** Nobody waits for a report longer than this for one page. */
const PAUSE_MS_MAX = 60_000;
const TIMEOUT_MS = 60_000;
/** A page of 100 workflows may take some MB. */
const BODY_BYTES_MAX = 134_217_728;

export function createApiClient(
  source: Extract<LiveSource, { kind: 'n8n-api' }>,
  clock: LiveClock,
  nowMs: number,
): ApiClient {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': 'leasehold',
    'x-n8n-api-key': source.key,
    ...(source.authorization === null ? {} : { authorization: source.authorization }),
  };
  const client: ApiClient = {
    base: source.base,
    async get(path, parameters, scope) {
      const url = new URL(`${client.base.origin}${client.base.pathname.replace(/\/+$/, '')}${path}`);
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      let pauseMs = FIRST_PAUSE_MS;
      for (let tried = 1; ; tried += 1) {
        const { answer, retryAfterMs } = await ask({ url, scope, key: source.key }, { headers, clock, nowMs });
        const mayPass = answer.kind === 'failed' && answer.mayPass;
        if (!mayPass || tried === TRIES_MAX || (retryAfterMs ?? 0) > PAUSE_MS_MAX) return answer;
        await clock.sleep(retryAfterMs ?? pauseMs);
        pauseMs *= 2;
      }
    },
  };
  return client;
}

interface Asking {
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: LiveClock;
  readonly nowMs: number;
}

async function ask(
  asked: Asked,
  { headers, clock, nowMs }: Asking,
): Promise<{ readonly answer: ApiAnswer; readonly retryAfterMs: number | null }> {
  const abort = new AbortController();
  const timer = clock.schedule(TIMEOUT_MS, () => abort.abort());
  try {
    const response = await fetch(asked.url, { headers, redirect: 'manual', signal: abort.signal });
    const answer: HttpAnswer = {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      location: response.headers.get('location'),
      text: await readBody(response),
    };
    return {
      answer: judgeAnswer(answer, asked),
      retryAfterMs: retryAfter(response.headers.get('retry-after'), nowMs),
    };
  } catch (error) {
    return { answer: judgeError(error, abort.signal.aborted), retryAfterMs: null };
  } finally {
    timer.cancel();
    // Whatever is still on its way is not wanted any more.
    abort.abort();
  }
}

/** Null where there is more of it than may be. */
async function readBody({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  return (await wholeBytes(body, BODY_BYTES_MAX))?.toString('utf8') ?? null;
}

/** In seconds, or until a date. */
function retryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const untilMs = Date.parse(header) - nowMs;
  return Number.isNaN(untilMs) || untilMs <= 0 ? null : Math.ceil(untilMs);
}
