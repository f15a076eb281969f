import { formatDuration } from '../../../domain/duration.ts';
import { wholeBytes } from '../files/whole-bytes.ts';
import type { LiveClock, LiveSettings } from '../live/settings.ts';
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
/** A server that is silent is asked once more, and then given up: two minutes of silence are none the wiser than one. */
const SILENT_TRIES_MAX = 2;
const FIRST_PAUSE_MS = 1_000;
/** Nobody waits for a report longer than this for one page. */
const PAUSE_MS_MAX = 60_000;
const SILENCE_MS_MAX = 30_000;
/** Whatever comes meanwhile, a piece at a time. */
const ANSWER_MS_MAX = 120_000;
/** Nobody wonders before that. */
const TOLD_AFTER_MS = 10_000;
/** A page of 100 workflows may take some MB. */
const BODY_BYTES_MAX = 134_217_728;

export function createApiClient(
  source: Extract<LiveSource, { kind: 'n8n-api' }>,
  { clock, nowMs, warn }: Pick<LiveSettings, 'clock' | 'nowMs' | 'warn'>,
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
        const waiting = clock.schedule(TOLD_AFTER_MS, () => warn(silentText(source.name, tried)));
        const { answer, retryAfterMs } = await ask({ url, scope, key: source.key }, { headers, clock, nowMs });
        waiting.cancel();
        const mayPass = answer.kind === 'failed' && answer.mayPass;
        const triesMax = answer.kind === 'failed' && answer.isSilent === true ? SILENT_TRIES_MAX : TRIES_MAX;
        if (!mayPass || tried >= triesMax || (retryAfterMs ?? 0) > PAUSE_MS_MAX) return answer;
        await clock.sleep(retryAfterMs ?? pauseMs);
        pauseMs *= 2;
      }
    },
  };
  return client;
}

function silentText(name: string, tried: number): string {
  const next = tried < SILENT_TRIES_MAX ? 'then it is asked once more' : 'then it is given up';
  return `${name} has not answered for ${formatDuration(TOLD_AFTER_MS)}: it has ${formatDuration(SILENCE_MS_MAX)}, ${next}`;
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
  const whole = clock.schedule(ANSWER_MS_MAX, () => abort.abort());
  let silence = clock.schedule(SILENCE_MS_MAX, () => abort.abort());
  const heard = (): void => {
    silence.cancel();
    silence = clock.schedule(SILENCE_MS_MAX, () => abort.abort());
  };
  try {
    const response = await fetch(asked.url, { headers, redirect: 'manual', signal: abort.signal });
    const answer: HttpAnswer = {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      location: response.headers.get('location'),
      text: await readBody(response, heard),
    };
    return {
      answer: judgeAnswer(answer, asked),
      retryAfterMs: retryAfter(response.headers.get('retry-after'), nowMs),
    };
  } catch (error) {
    return { answer: judgeError(error, abort.signal.aborted), retryAfterMs: null };
  } finally {
    silence.cancel();
    whole.cancel();
    // Whatever is still on its way is not wanted any more.
    abort.abort();
  }
}

/** Null where there is more of it than may be. */
async function readBody({ body }: Response, heard: () => void): Promise<string | null> {
  heard();
  if (body === null) return '';
  return (await wholeBytes(listened(body, heard), BODY_BYTES_MAX))?.toString('utf8') ?? null;
}

async function* listened(body: AsyncIterable<Uint8Array>, heard: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    heard();
    yield piece;
  }
}

/** In seconds, or until a date. */
function retryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const untilMs = Date.parse(header) - nowMs;
  return Number.isNaN(untilMs) || untilMs <= 0 ? null : Math.ceil(untilMs);
}
