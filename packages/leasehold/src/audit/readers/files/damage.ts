/** What was caught while reading, as an error: it is kept until what came before it has been handed on. */
export function asError(caught: unknown): Error {
  return caught instanceof Error ? caught : new Error(String(caught), { cause: caught });
}
