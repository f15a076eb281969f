import { type Fields, textOf } from '../readers/n8n-workflow/definition.ts';
import { redact } from '../redact.ts';
import { replaceExpressions } from './blank.ts';
import { factsWith, type NodeFacts, type Place, type Write } from './facts.ts';
import { httpLockCall } from './lock-terms.ts';
import { textIn } from './values.ts';

/** Addresses that compute and change nothing: models, speech, pictures, search engines for them. */
const MODELS =
  /(?:^|\.)(?:openai\.com|anthropic\.com|generativelanguage\.googleapis\.com|aiplatform\.googleapis\.com|openrouter\.ai|mistral\.ai|groq\.com|cohere\.(?:ai|com)|perplexity\.ai|deepseek\.com|together\.(?:ai|xyz)|huggingface\.co|replicate\.com|elevenlabs\.io|stability\.ai|x\.ai|tavily\.com|exa\.ai|serper\.dev|jina\.ai|firecrawl\.dev|openai\.azure\.com|ollama(?::\d+)?|localhost:11434)$/i;
/** Systems whose POST reaches a person, money or the public. */
const OUTSIDE =
  /(?:^|\.)(?:hooks\.slack\.com|slack\.com|api\.telegram\.org|graph\.facebook\.com|graph\.instagram\.com|twilio\.com|sendgrid\.com|resend\.com|mailgun\.net|postmarkapp\.com|brevo\.com|mailjet\.com|vapi\.ai|bland\.ai|retellai\.com|stripe\.com|paypal\.com|ntfy\.sh|pushover\.net|api\.linkedin\.com|api\.twitter\.com|api\.x\.com|discord(?:app)?\.com|chat\.googleapis\.com|office\.com)$/i;
const LOOKS_UP =
  /[/:]_?(?:search(?:stream)?|query|queries|find|filter|lookup|graphql|select|list|batch\/read|token|oauth2?|login|auth|authenticate|validate|verify|check)(?:$|[/?:.'"`\s])/i;
const SPEAKS_OUT =
  /\/(?:\w*send\w*|\w*messages?|mail|e-?mails?|sms|calls?|phone|dial|publish|posts?|notify|notifications?|tweets?|charges?|payments?|payouts?|transfers?|invoices?|webhooks?|alerts?)(?:$|[/?:.])/i;
const SETTLED_KEY = /idempotency[_-]?key|x-idempotency|request-id-key/i;
const EXECUTIONS = /\/executions(?:$|[/?])/i;
const RETRY = /\/executions\/[^/]+\/retry|\/retry(?:$|\?)/i;
const OURS =
  /\/v1\/(?:locks\/[^/]+\/(acquire|release|renew|check)|pools\/[^/]+\/(claim|begin|verdicts|extend|return|sweep))\b/i;

/** Longer addresses are cut: what tells host and path stands at their beginning. */
const ADDRESS_MAX = 2_000;

export interface Address {
  /** Null where it is computed. */
  readonly host: string | null;
  /** For people: without what may be a key. */
  readonly shownHost: string | null;
  readonly path: string;
  /** As it stands; where all of it is computed, the words in it are all there is. */
  readonly text: string;
}

/** The parts of an address that stand fixed, also before and after what n8n fills in. */
export function addressOf(value: unknown): Address {
  const whole = (textOf(value) ?? '').slice(0, ADDRESS_MAX).replace(/^=/, '').trim();
  const text = replaceExpressions(whole, '*');
  const [origin, path] = partsOf(text);
  const host = origin === '' || origin.includes('*') ? null : origin.toLowerCase();
  return { host, shownHost: host === null ? null : partsOf(redact(text))[0].toLowerCase(), path, text: whole };
}

function partsOf(text: string): readonly [host: string, path: string] {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([^/?#\s]*)([^?#\s]*)/i.exec(text) ?? [];
  return [host.replace(/^[^@]*@/, ''), path];
}

export function httpFacts(parameters: Fields): NodeFacts {
  const method = (textOf(parameters['method']) ?? textOf(parameters['requestMethod']) ?? 'GET').toUpperCase();
  const address = addressOf(parameters['url'] ?? parameters['endpoint']);
  const words = `HTTP ${method} ${address.shownHost ?? '(computed address)'}`;
  // Of an address that is put together the words in it are all there is.
  const ours = OURS.exec(address.path) ?? (address.host === null ? OURS.exec(address.text) : null);
  if (ours !== null) return oursBy(words, (ours[1] ?? ours[2] ?? '').toLowerCase(), parameters);
  const place = placeOf(address);
  if (/^(?:GET|HEAD|OPTIONS)$/.test(method)) {
    const guard = EXECUTIONS.test(address.path) ? 'asks-executions' : null;
    return factsWith('read', words, { reads: [place], isLookup: isOfOneRecord(address), guard });
  }
  if (method.startsWith('=')) return factsWith('unknown', 'HTTP with a computed method');
  if (address.host !== null && MODELS.test(address.host)) return factsWith('cost', words);
  if (method === 'POST' && isLookUp(address, parameters))
    return factsWith('read', words, { reads: [place], isLookup: /oauth|token|login|auth/i.test(address.text) });
  return factsWith('write', words, { writes: [{ ...place, repeat: repeatOf(method, address, parameters) }] });
}

/** POST to repeat a run of n8n's: what an auto-retry does. */
export function isRetryOfRuns(parameters: Fields): boolean {
  return RETRY.test(textOf(parameters['url']) ?? '') && /executions/i.test(textOf(parameters['url']) ?? '');
}

/** A skip is no error but an answer, as is a record that another one has: both have to be asked for. */
function oursBy(words: string, verb: string, parameters: Fields): NodeFacts {
  const call = httpLockCall(parameters, verb);
  if (verb === 'acquire') return factsWith('transform', words, { guard: 'lock', asks: 'proceed', call });
  if (verb !== 'claim') return factsWith('transform', words, { guard: verb === 'release' ? 'release' : null, call });
  return factsWith('transform', words, { guard: 'claim', asks: /\bids\b/.test(textIn(parameters)) ? 'owned' : null });
}

function isLookUp({ host, path, text }: Address, parameters: Fields): boolean {
  if (!LOOKS_UP.test(host === null && path === '' ? text : path)) return false;
  return !/graphql/i.test(path) || !/\bmutation\b/i.test(textIn(parameters));
}

function repeatOf(method: string, { host, path }: Address, parameters: Fields): Write['repeat'] {
  if (/^(?:PUT|PATCH|DELETE)$/.test(method) || SETTLED_KEY.test(textIn(parameters))) return 'same';
  return (host !== null && OUTSIDE.test(host)) || SPEAKS_OUT.test(path) ? 'leaves' : 'again';
}

/** Part of the path comes from the record at hand; a part that comes from settings does not make it one record's. */
function isOfOneRecord({ path, text }: Address): boolean {
  if (!path.includes('*')) return false;
  return path.slice(path.lastIndexOf('/')).includes('*') || /\$json\b|\.item\.json/.test(text);
}

/** Host, and the collection: the path up to the first id or computed part. */
function placeOf({ host, path }: Address): Place {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part.includes('*') || /^\d+$|^[0-9a-f-]{20,}$/i.test(part)) break;
    if (part !== '' && !LOOKS_UP.test(`/${part}`)) parts.push(part.toLowerCase());
  }
  return { system: 'http', base: host, table: parts.length === 0 ? null : parts.join('/') };
}
