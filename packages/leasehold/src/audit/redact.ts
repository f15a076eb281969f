/**
 * Takes out of a text what a report must never show: passwords, tokens, keys, e-mail addresses, and the query and
 * user of an address. It errs on the side of taking too much: a report goes to people who may not see the input.
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]*@/gi, '$1***@'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#'"]*)\?[^\s#'"]*/gi, '$1?***'],
  [/\b(bearer|basic|token)(\s+)[\w.~+/=-]{6,}/gi, '$1$2***'],
  [
    /\b([\w-]*(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|auth)[\w-]*)(\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;&]+)/gi,
    '$1$2***',
  ],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '***@***'],
  [/\b(?:sk|pk|rk|ghp|gho|xox[abpr]|AKIA|eyJ)[\w.-]{12,}/g, '***'],
];

export function redact(text: string): string {
  return RULES.reduce((left, [pattern, by]) => left.replace(pattern, by), text);
}
