import { TEXT_BYTES_MAX } from '../limits.ts';

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
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  try {
    const text: unknown = JSON.stringify(error);
    return typeof text === 'string' ? text : typeof error;
  } catch {
    return typeof error;
  }
}

/** Never half a character. */
function cutToBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}
