import { LeaseholdError } from '../../errors.ts';

/** What a record comes with, as JSON text (design §11). */
export const PAYLOAD_BYTES_MAX = 1_048_576;

/** `\u0000` or half of a surrogate pair, as JSON.stringify writes them: PostgreSQL's jsonb refuses both. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** The JSON text of a payload, at most 1 MiB. Throws INVALID_ARGUMENT. */
export function payloadText(value: unknown): string {
  const text = toJson(value);
  if (text === undefined) refuse('payload is something that JSON cannot hold (a function, a symbol)');
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > PAYLOAD_BYTES_MAX) refuse(`payload is ${bytes} bytes long as JSON; the limit is ${PAYLOAD_BYTES_MAX}`);
  if (UNSTORABLE.test(text)) refuse('payload has a NUL or is not valid Unicode text');
  return text;
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    return refuse('payload has something that JSON cannot hold (a cycle, a BigInt, too many levels)', cause);
  }
}

function refuse(message: string, cause?: unknown): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message, cause === undefined ? undefined : { cause });
}
