/** A state as its system gives it, for people; what is long or odd is not passed on. */
export function stateWord(value: unknown): string {
  const isWord = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isWord ? String(value) : '';
  return /^[\w .-]{1,40}$/.test(text) ? text : 'something else';
}
