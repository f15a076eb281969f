import { redact } from '../../redact.ts';

/** What one request of the API came to. */
export type ApiAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  /** `status` is 0 where no answer came at all. `why` goes on behind the name of the source, without address and key. */
  | {
      readonly kind: 'failed';
      readonly status: number;
      readonly why: string;
      /** The same request may well succeed a little later. */
      readonly mayPass: boolean;
      /** No answer came in the time that it had. */
      readonly isSilent?: boolean;
    };

/** What of an answer decides. `text` is null where it was longer than may be. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | null;
  readonly text: string | null;
}

/** What was asked for. */
export interface Asked {
  readonly url: URL;
  /** The one that the request needs. */
  readonly scope: string;
  /** Taken out of whatever the server says: it may quote it in what it refuses. */
  readonly key: string;
}

export function judgeAnswer(answer: HttpAnswer, { url, scope, key }: Asked): ApiAnswer {
  const { status, text, contentType } = answer;
  if (status === 200) return text === null ? failed(status, 'sent a page that is too large to read') : parse(answer);
  if (status >= 300 && status <= 399) return failed(status, redirectText(answer, url, key));
  const reason = text === null || !contentType.includes('json') ? '' : reasonOf(text, key);
  return failed(status, statusText(status, scope) + reason);
}

function parse({ status, text, contentType }: HttpAnswer): ApiAnswer {
  if (contentType.includes('html') || text?.trimStart().startsWith('<') === true) {
    return failed(status, 'answers with a web page where its API should be: a login or a proxy stands before it');
  }
  try {
    return { kind: 'json', value: JSON.parse(text ?? '') as unknown };
  } catch {
    return failed(status, 'sent something other than JSON');
  }
}

function redirectText({ status, location }: HttpAnswer, asked: URL, key: string): string {
  const target = location === null ? null : URL.parse(location, asked.href);
  if (target === null) return `answers with a redirect (${status}) to nowhere`;
  if (target.host === asked.host && target.protocol === 'https:' && asked.protocol === 'http:') {
    return `is to be asked by TLS: write n8n:${target.origin}`;
  }
  return `answers with a redirect (${status}) to ${quoted(target.origin, key)}, as a login page does; the key is not sent there`;
}

function statusText(status: number, scope: string): string {
  switch (status) {
    case 401:
      return 'refuses the key (401): is LEASEHOLD_N8N_KEY a key of this n8n, and has it not expired?';
    case 403:
      return `does not let this key read them (403): it needs the scope ${scope}`;
    case 404:
      return 'has no public API there (404): write the address that its editor has; N8N_PUBLIC_API_DISABLED switches the API off';
    case 429:
      return 'asks for fewer requests (429) and was asked often enough';
    default:
      return `answers ${status}`;
  }
}

/** n8n says in `message` what it refused; other people's words, so not many of them. */
function reasonOf(text: string, key: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' && message !== '' ? ` (${quoted(message, key).slice(0, 160)})` : '';
  } catch {
    return '';
  }
}

/** Whole, before anything is cut: half a key would be known as none. */
const quoted = (text: string, key: string): string => redact(text.replaceAll(key, '***'));

const CERTIFICATE = 'shows a certificate that this computer does not trust';
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: is it up, and is the port right?',
  ENOTFOUND: 'has a host name that is not known',
  EAI_AGAIN: 'has a host name that could not be looked up',
  DEPTH_ZERO_SELF_SIGNED_CERT: `${CERTIFICATE} (self-signed): give it in NODE_EXTRA_CA_CERTS`,
  SELF_SIGNED_CERT_IN_CHAIN: `${CERTIFICATE} (of an authority of its own): give that in NODE_EXTRA_CA_CERTS`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${CERTIFICATE} (its authority is missing): give that in NODE_EXTRA_CA_CERTS`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${CERTIFICATE} (its authority is missing): give that in NODE_EXTRA_CA_CERTS`,
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate of another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS there; is it http://, or another port?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS there; is it http://, or another port?',
};

/** Where asking again may change something. */
const PASSING = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET']);

/** Never the message of an error: it may quote the URL or a header. */
export function judgeError(error: unknown, isLate: boolean): ApiAnswer {
  if (isLate) return { kind: 'failed', status: 0, why: 'did not answer in time', mayPass: true, isSilent: true };
  const cause = (error as { readonly cause?: unknown }).cause ?? error;
  const { code } = cause as { readonly code?: unknown };
  const known = typeof code === 'string' && /^[\w-]{1,64}$/.test(code) ? code : 'unknown error';
  const why = NETWORK[known] ?? `can't be reached (${known})`;
  return { kind: 'failed', status: 0, why, mayPass: PASSING.has(known) };
}

function failed(status: number, why: string): ApiAnswer {
  const mayPass = status === 408 || status === 429 || (status >= 500 && status !== 501);
  return { kind: 'failed', status, why, mayPass };
}
