/**
 * Takes out of a text what a report must never show: passwords, tokens, keys, e-mail addresses, and the user and query
 * of an address. Where a word may be a secret it is taken for one: a report goes to people who may not see the input.
 * But a word is no secret by standing beside "token": something about it has to look made up, or an equals sign or
 * colon has to give it.
 */
const SECRET_NAMES =
  'pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|account[_-]?key|credentials?|auth(?:[_-][\\w-]{0,40})?|signature|cookie|session[_-]?id';
const JOINED_NAMES =
  '[Pp]assword|PASSWORD|[Pp]asswd|PASSWD|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Aa]pi[Kk]ey|APIKEY|APIKey|AccessKey|PrivateKey|Credentials';

/** A word as people don't write: with a digit, a capital inside it, or what belongs to base64. */
const MADE_UP = '(?=[\\w.~+/=-]*(?:\\d|[a-z][A-Z]|[A-Z]{2}[a-z]|[=~+/]))[\\w.~+/=-]{6,}';
const VALUE = '(?:\\\\?"(?:[^"\\\\]|\\\\.)*"?|\'[^\']*\'?|[^\\s,;&"\'<>]+)';

const GIVEN = `(?:s|[_.-][\\w-]{0,20}|\\d{1,3})?\\\\?["']?\\s{0,3}(?:=>|[=:])\\s{0,3}`;

/** What is looked for, what takes its place, and what is in every text that has it: most texts have none of these. */
const RULES: readonly (readonly [pattern: RegExp, by: string, needs: RegExp | null])[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g, '***', /-----BEGIN/],
  // A password with a slash or an @ in it: what follows the user's colon is no port.
  [
    /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:'"<>]{0,200}:(?!\d{1,5}(?:[/?#\s'"]|$))[^\s'"<>]{0,500}@/gi,
    '$1***@',
    /:\/\//,
  ],
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#'"<>]{0,500}@/gi, '$1***@', /:\/\//],
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s?#'"<>]{0,1000})\?[^\s#'"<>]*/gi, '$1?***', /\?/],
  // Addresses whose path is the key.
  [
    /(\bhooks\.slack\.com|\bhook\.[\w-]{1,40}\.make\.(?:com|celonis\.com)|\bhook\.integromat\.com|\bhooks\.zapier\.com)\/[^\s'"<>?#]+/gi,
    '$1/***',
    /hook/i,
  ],
  [
    /(\bdiscord(?:app)?\.com\/api\/webhooks|\bwebhook\.office\.com|\/webhook(?:-test|-waiting)?)\/[^\s'"<>?#]+/gi,
    '$1/***',
    /webhook/i,
  ],
  [/\bbot\d{6,}:[\w-]{20,}/g, '***', /bot\d/],
  [
    /\b((?:proxy-)?authorization["']?\s{0,3}[=:]\s{0,3}["']?)(?:(?:bearer|basic|token|digest|apikey|negotiate)\s{1,3})?[^\s,;&"'<>]+/gi,
    '$1***',
    /authorization/i,
  ],
  [
    new RegExp(`\\b([Bb]earer|BEARER|[Bb]asic|BASIC|[Tt]oken)(\\s{1,3})${MADE_UP}`, 'g'),
    '$1$2***',
    /bearer|basic|token/i,
  ],
  [
    new RegExp(`(?<![\\p{L}\\d])((?:[\\w-]{0,40}[_.-])?(?:${SECRET_NAMES})${GIVEN})${VALUE}`, 'giu'),
    '$1***',
    /pass|pwd|secret|token|key|credential|auth|signature|cookie|session/iu,
  ],
  // A key may be that of a record: only one that nobody would type is taken for a secret.
  [
    /\b([Kk]ey|KEY)(\s{0,3}[=:]\s{0,3}["']?)(?=[\w.~+/-]{0,200}\d)(?=[\w.~+/-]{0,200}[a-z])(?:(?=[\w.~+/-]{0,200}[A-Z])[\w.~+/-]{12,}|[\w.~+/-]{24,})={0,2}/g,
    '$1$2***',
    /key/i,
  ],
  // Written in one: `clientSecret`, `PGPASSWORD`.
  [
    new RegExp(`(?<![\\p{L}\\d])([A-Za-z\\d]{1,40}(?:${JOINED_NAMES})${GIVEN})${VALUE}`, 'gu'),
    '$1***',
    /pass|secret|token|key|credential/iu,
  ],
  [
    /(\s--?(?:pass(?:word|wd|phrase)?|pwd|token|secret|api-?key|access-?key|client-?secret)\s{1,3})(?:"[^"]*"|'[^']*'|[^\s|;&]+)/gi,
    '$1***',
    /\s-/,
  ],
  [
    /(\b(?:curl|wget|https?|httpie)\b[^|;&\n]{0,200}?\s(?:-u|--user|--proxy-user)[\s=]{0,3})(?:"[^"\s:]*:[^"]*"|'[^'\s:]*:[^']*'|[^\s:'"]{1,200}:[^\s'"]+)/g,
    '$1***',
    /\s-/,
  ],
  [
    /(\b(?:mysql|mysqldump|mariadb|mariadb-dump|mysqladmin)\b[^|;&\n]{0,200}?\s-p)(?:"[^"]*"|'[^']*'|[^\s|;&]+)/g,
    '$1***',
    /\s-p/,
  ],
  [/(\bsshpass\s{1,3}-p\s{0,3})(?:"[^"]*"|'[^']*'|\S+)/g, '$1***', /sshpass/],
  [
    /[\p{L}\p{N}.!#$%&*+/=?^_`{|}~-]{1,80}(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}])/gu,
    '***@***',
    /@|%40/,
  ],
  [/\b(?:sk|pk|rk)[-_](?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Z]|[\w-]{24})[\w-]{12,}/g, '***', /[spr]k[-_]/],
  [
    /\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|SG\.|shp(?:at|ca|pa|ss)_|npm_|hf_|whsec_|n8n_api_|dop_v1_|eyJ)[\w.-]{10,}/g,
    '***',
    null,
  ],
  [/\bpat[A-Za-z0-9]{14}\.[\da-f]{20,}/g, '***', /pat/],
  // Longer than any id of a platform, and of capitals, small letters and digits.
  [/(?<![\w/+-])(?=[\w+-]{0,200}\d)(?=[\w+-]{0,200}[a-z])(?=[\w+-]{0,200}[A-Z])[\w+-]{40,}={0,2}/g, '***', null],
];

/** Nothing of this kind and length is looked at more closely: ids of runs, of which there are millions. */
const PLAIN = /^[A-Za-z\d]{0,20}$/;
const PREFIXED = /^(?:AKIA|ASIA|AIza|eyJ)/;

export function redact(text: string): string {
  if (PLAIN.test(text) && !PREFIXED.test(text)) return text;
  return RULES.reduce(
    (left, [pattern, by, needs]) => (needs === null || needs.test(left) ? left.replace(pattern, by) : left),
    text,
  );
}
