/**
 * Takes out of a text what a report must never show: passwords, tokens, keys, e-mail addresses, and the user and query
 * of an address. Where a word may be a secret it is taken for one: a report goes to people who may not see the input.
 * But a word is no secret by standing beside "token": something about it has to look made up, or an equals sign or
 * colon has to give it.
 */
import { redactAddresses } from './redact-addresses.ts';

const SECRET_NAMES =
  'pass(?:word|wd|phrase|code)?|pwd?|passwort|kennwort|wachtwoord|contrase[ñn]a|senha|mdp|mot\\sde\\spasse|jwt|otp|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|account[_-]?key|credentials?|auth(?:[_-][\\w-]{0,40})?|signature|cookie|session[_-]?id';
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
    /pass|pw|kennwort|wachtwoord|contrase|senha|mdp|jwt|otp|secret|token|key|credential|auth|signature|cookie|session/iu,
  ],
  // In words, or as an element: `the password is …`, `<password>…`.
  [
    /\b((?:pass(?:word|wd|phrase|wort)?|kennwort|pwd?|secret|token)(?:\s{1,3}(?:is|ist|was|lautet))?\s{1,3}["']?)(?=[^\s"'<>]{0,200}\d)(?=[^\s"'<>]{0,200}[a-z])[^\s,;"'<>()]{6,}/gi,
    '$1***',
    /pass|kennwort|pw|secret|token/i,
  ],
  [new RegExp(`(<(?:[\\w-]{0,40}[_.:-])?(?:${SECRET_NAMES})>)[^<]{1,500}`, 'giu'), '$1***', /<\w/],
  // A key may be that of a record: only one that nobody would type is taken for a secret.
  [
    /\b([Kk]ey|KEY)(\s{0,3}[=:]\s{0,3}["']?)(?=[\w.~+/-]{0,200}\d)(?=[\w.~+/-]{0,200}[a-z])(?:(?=[\w.~+/-]{0,200}[A-Z])[\w.~+/-]{6,}|[\w.~+/-]{24,})={0,2}/g,
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
    /(\b(?:ldap\w{3,10}|redis-cli|openssl)\b[^|;&\n]{0,200}?\s(?:-w|-a|-k|--pass)\s{1,3})(?:"[^"]*"|'[^']*'|[^\s|;&]+)/g,
    '$1***',
    /\s-/,
  ],
  // An option of one letter, and a word that nobody would type.
  [
    /(\s-[a-zA-Z]\s{1,3})(?=\S{0,200}\d)(?=\S{0,200}[a-z])(?=\S{0,200}[A-Z])[\w.!#$%^&*~+=-]{6,}(?!\S)/g,
    '$1***',
    /\s-/,
  ],
  // `user/password@host` of Oracle's tools.
  [/((?:\bsqlplus\s{1,3}|:thin:)[\w$#]{1,40}\/)[^\s/@]{1,200}(?=@)/gi, '$1***', /\//],
  [
    /[\p{L}\p{N}.!#$%&*+/=?^_`{|}~-]{1,80}(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}])/gu,
    '***@***',
    /@|%40/,
  ],
  [/"[^"\n]{1,64}"(?:@|%40)[\p{L}\p{N}.-]{1,200}/gu, '***@***', /"(?:@|%40)/],
  [/\b(?:sk|pk|rk)[-_](?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Z]|[\w-]{24})[\w-]{12,}/g, '***', /[spr]k[-_]/],
  [
    /\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|SG\.|shp(?:at|ca|pa|ss)_|npm_|hf_|whsec_|n8n_api_|dop_v1_|eyJ)[\w.-]{10,}/g,
    '***',
    null,
  ],
  [/\bpat[A-Za-z0-9]{14}\.[\da-f]{20,}/g, '***', /pat/],
  // Amazon's, of which some have a slash.
  [/(?<![\w+/=-])(?=[\w+/]{0,39}\d)(?=[\w+/]{0,39}[a-z])(?=[A-Za-z\d])[A-Za-z\d+/]{40}(?![\w+/=-])/g, '***', /\w\/\w/],
  // Longer than any id of a platform, and of capitals, small letters and digits.
  [/(?<![\w/+-])(?=[\w+-]{0,200}\d)(?=[\w+-]{0,200}[a-z])(?=[\w+-]{0,200}[A-Z])[\w+-]{40,}={0,2}/g, '***', null],
];

/** Nothing of this kind and length is looked at more closely: ids of runs, of which there are millions. */
const PLAIN = /^[A-Za-z\d]{0,20}$/;
const PREFIXED = /^(?:AKIA|ASIA|AIza|eyJ)/;

export function redact(text: string): string {
  const left = withoutShapes(text);
  return left.length < DIGITS_MIN ? left : left.replaceAll(DIGITS, '***');
}

/** As `redact`, but where it is one word, hexadecimal digits stay: so ids look, of runs and of versions. */
export function redactId(text: string): string {
  return /\s/.test(text) ? redact(text) : withoutShapes(text);
}

function withoutShapes(text: string): string {
  if (PLAIN.test(text) && !PREFIXED.test(text)) return text;
  const left = RULES.reduce(
    (before, [pattern, by, needs]) => (needs === null || needs.test(before) ? before.replace(pattern, by) : before),
    text,
  );
  return ADDRESS_LIKE.test(left) ? redactAddresses(left) : left;
}

/** A dot before a letter, as few sentences have. */
const ADDRESS_LIKE = /\w\.[a-z]|:\/\//i;

const DIGITS_MIN = 32;
const DIGITS = /(?<![\w-])(?=[\da-f]{0,200}\d)(?=[\da-f]{0,200}[a-f])[\da-f]{32,}(?![\w-])/gi;
