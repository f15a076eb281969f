/**
 * Addresses that let in whoever knows them: their host, the word before or the looks of a part of their path tell that
 * it is a key.
 */
import { isKey } from './made-up.ts';

/** Of these hosts everything behind the host, or one label of it, is the key. */
const KEY_HOSTS =
  /(?:^|\.)(?:hc-ping\.com|nosnch\.in|ntfy\.sh|webhook\.site|cronitor\.link|hooks\.slack\.com|hooks\.zapier\.com|hook\.integromat\.com|make\.celonis\.com|hook\.[\w-]+\.make\.com|hook\.[\w-]+\.make\.celonis\.com|api\.day\.app|requestbin\.com|ptsv\d?\.com|opsgenie\.com)$/i;
const KEY_LABELS =
  /^[\w-]+(?=\.(?:m\.pipedream\.net|requestcatcher\.com|ngrok\.(?:io|app)|ngrok-free\.(?:app|dev)|beeceptor\.com)$)/i;
/** What follows is a key, whatever it looks like. */
const BEFORE_KEY = /^(?:keys?|tokens?|secrets?|passw(?:or)?d|api-?keys?|webhooks?(?:-test|-waiting)?|webhookb2)$/i;
/** What follows is a key where it has a digit or is long. */
const BEFORE_MADE_UP = /^(?:hooks?|ping|push|heartbeats?|p|d|s|u|e|catch|in|invite|share|cron)$/i;
const MADE_UP_MIN = 8;

const SCHEME = '[a-z][a-z0-9+.-]{0,30}:\\/\\/';
const BARE_HOST = '(?<![\\w./@:+~-])(?:[a-z0-9-]{1,63}\\.){1,6}[a-z]{2,24}(?=[:/\\s)"\',;]|$)';
const ADDRESS = new RegExp(
  `((?:${SCHEME})[^\\s/?#'"<>]{0,300}|${BARE_HOST}(?::\\d{1,5})?)((?:\\/[^\\s?#'"<>|;,)]{0,1000})?)`,
  'gi',
);

export function redactAddresses(text: string): string {
  return text.replaceAll(
    ADDRESS,
    (_all, origin: string, path: string) => shownHost(origin) + shownPath(hostOf(origin), path),
  );
}

const hostOf = (origin: string): string =>
  origin
    .replace(/^.*?:\/\//, '')
    .replace(/^.*@/, '')
    .replace(/:\d+$/, '');

function shownHost(origin: string): string {
  const host = hostOf(origin);
  const shown = host
    .replace(KEY_LABELS, '***')
    .split('.')
    .map((label) => (!label.includes('-') && isKey(label) ? '***' : label))
    .join('.');
  return shown === host ? origin : origin.replace(host, () => shown);
}

function shownPath(host: string, path: string): string {
  if (path.length < 2) return path;
  if (KEY_HOSTS.test(host)) return '/***';
  let before = '';
  const shown: string[] = [];
  for (const part of path.split('/')) {
    const isSecret =
      part !== '' && (BEFORE_KEY.test(before) || isKey(part) || (BEFORE_MADE_UP.test(before) && isOdd(part)));
    // What a webhook's address goes on with belongs to its key.
    shown.push(isSecret && part !== '***' ? '***' : part);
    before = isSecret && /^webhook/i.test(before) ? before : part;
  }
  return shown.join('/').replaceAll(/\/\*\*\*(?:\/\*\*\*)+/g, '/***');
}

const isOdd = (part: string): boolean =>
  part.length >= MADE_UP_MIN &&
  (/\d/.test(part) ? /[a-z]/i.test(part) : /[a-z][A-Z]/.test(part) && part.length >= 2 * MADE_UP_MIN);
