import { LeaseholdError } from '../errors.ts';
import { readTemplate, type UrlTemplate } from './url-template.ts';

/**
 * Which systems can be asked whether a holder is alive, and how. Checked where they are given, by a caller or in
 * a file. All functions throw INVALID_ARGUMENT, with no value that may be a secret in the message.
 */

/** How to ask n8n. A holder names its `executionId`, and should name its `workflowId`, in its holder info. */
export interface N8nProbeOptions {
  /** Where n8n is: `https://n8n.example.org`, with the path it is served under. */
  readonly url: string;
  /** A key of its public API that may read executions. Sent as a header, and said nowhere. */
  readonly apiKey: string;
}

/** How to ask any system that tells by HTTP, as JSON, what became of a run. */
export interface HttpProbeOptions {
  /** What to GET, with `{runId}`, `{holder}` or `{lock}` where theirs are to stand; at least one of the first two. */
  readonly url: string;
  /** Sent along, and said nowhere. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where in the answer the state is: a JSON pointer, such as `/status`. */
  readonly state: string;
  /** The states of a run that goes on … */
  readonly alive: readonly string[];
  /** … and of one of which nothing can be at work any more. All others are unknown. */
  readonly ended: readonly string[];
}

/** The systems that can be asked whether a holder is alive, beside the processes of this host. */
export interface ProbeSettings {
  readonly n8n?: N8nProbeOptions;
  readonly http?: HttpProbeOptions;
}

export interface N8nProbeSpec {
  /** Without a slash at its end. */
  readonly base: string;
  readonly apiKey: string;
}

export interface HttpProbeSpec {
  readonly template: UrlTemplate;
  readonly headers: Readonly<Record<string, string>>;
  /** Parts of the pointer to the state. */
  readonly path: readonly string[];
  readonly alive: ReadonlySet<string>;
  readonly ended: ReadonlySet<string>;
}

export function checkN8nProbe(options: N8nProbeOptions): N8nProbeSpec {
  const base = checkUrl(options.url, 'the URL of n8n');
  const apiKey = checkHeaderValue(options.apiKey, "n8n's API key");
  return { base: base.href.replace(/[?#].*$/s, '').replace(/\/+$/, ''), apiKey };
}

export function checkHttpProbe(options: HttpProbeOptions): HttpProbeSpec {
  const template = readTemplate(options.url);
  checkUrl(template.sample, 'the URL to ask');
  const alive = checkWords(options.alive, 'alive');
  const ended = checkWords(options.ended, 'ended');
  const both = [...alive].find((word) => ended.has(word));
  if (both !== undefined) refuse(`"${both}" can't mean both alive and ended`);
  return { template, headers: checkHeaders(options.headers ?? {}), path: readPointer(options.state), alive, ended };
}

/** http or https, and no credentials in it, which messages and logs of others would show. */
function checkUrl(value: unknown, label: string): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) refuse(`${label} must be a URL with http:// or https://`);
  if (url.username !== '' || url.password !== '') refuse(`${label} has credentials in it; send them as a header`);
  return url;
}

/** What may stand in a header: visible ASCII and blanks. */
function checkHeaderValue(value: unknown, label: string): string {
  if (typeof value !== 'string' || !/^[\x20-\x7e]{1,8192}$/.test(value) || value.trim() !== value) {
    refuse(`${label} must be 1 to 8,192 visible characters`);
  }
  return value;
}

function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]): [string, string] => {
    if (!/^[\w!#$%&'*+.^`|~-]{1,256}$/.test(name)) refuse(`"${name.slice(0, 40)}" is no name of a header`);
    return [name.toLowerCase(), checkHeaderValue(value, `the header ${name}`)];
  });
  return Object.fromEntries(named);
}

/** The parts of a JSON pointer (RFC 6901). */
function readPointer(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || !/^(?:\/(?:[^~]|~[01])*)?$/s.test(pointer)) {
    refuse('state must be a JSON pointer, such as /status or /data/0/state');
  }
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function checkWords(words: readonly string[], label: string): ReadonlySet<string> {
  if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === 'string')) {
    refuse(`${label} must be a list of the words that mean it`);
  }
  return new Set(words);
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
