import { TEXT_BYTES_MAX } from '../limits.ts';

const CAUSES_MAX = 3;
/** Of one cause: what the error itself says stays the larger part. */
const CAUSE_BYTES_MAX = 512;

/**
 * What went wrong, as text that every store can keep: one line of at most 4,096 bytes. It is made to fit and never
 * refused, since a verdict must not be lost over its words. Null where there are none.
 */
export function errorText(error: unknown): string | null {
  const text = wordsOf(error)
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .trim();
  return text === '' ? null : cutToBytes(text, TEXT_BYTES_MAX);
}

function wordsOf(error: unknown): string {
  if (error === undefined || error === null) return '';
  if (typeof error === 'string') return error;
  try {
    if (error instanceof Error) return wordsOfChain(error);
    const text: unknown = JSON.stringify(error);
    return typeof text === 'string' ? text : typeof error;
  } catch {
    return typeof error;
  }
}

/** A fetch that failed says so, and its cause why: "fetch failed: connect ECONNREFUSED 127.0.0.1:25". */
function wordsOfChain(error: Error): string {
  const words = [wordsAlone(error) || error.name];
  let cause = error.cause;
  for (let depth = 0; depth < CAUSES_MAX && cause !== undefined && cause !== null; depth += 1) {
    const said = cutToBytes(typeof cause === 'string' ? cause : wordsAlone(cause), CAUSE_BYTES_MAX);
    if (said !== '' && !words.some((word) => word.includes(said))) words.push(said);
    cause = (cause as { readonly cause?: unknown }).cause;
  }
  return words.join(': ');
}

/** Of several addresses that were tried, the error has no message, but a code. */
function wordsAlone(error: unknown): string {
  const { message, code } = error as { readonly message?: unknown; readonly code?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return typeof code === 'string' ? code : '';
}

/** Never half a character. */
function cutToBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}
