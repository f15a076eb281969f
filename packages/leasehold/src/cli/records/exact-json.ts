/**
 * JSON with its numbers as they were written: JavaScript has no number for `12345678901234567890`, and a payload that
 * came with it must not go on with another.
 */

/** What JavaScript has since 2024 and its declarations lack. */
interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Numbers shorter than this, without fraction and exponent, are exact. */
const MAY_BE_INEXACT = /\d{16}|\d[.eE]/;

/** Parses JSON so that JSON.stringify writes every number back as it stood. Throws SyntaxError. */
export function parseExactly(text: string): unknown {
  if (!MAY_BE_INEXACT.test(text)) return JSON.parse(text);
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value,
  );
}
