import assert from 'node:assert/strict';

/** Exactly these fields, no more: a field too many is how a token leaks. */
export function assertKeys(value: object, keys: readonly string[]): void {
  assert.deepEqual(Object.keys(value).toSorted(), keys.toSorted());
}

/** A whole number that JavaScript can hold exactly, from `min` (default 0). */
export function assertCount(value: unknown, label: string, min = 0): void {
  assert.ok(Number.isSafeInteger(value) && (value as number) >= min, `${label} is ${inspect(value)}`);
}

/** An age is unknown or at least 1 ms: never 0, negative or NaN. */
export function assertAge(value: unknown, label: string): void {
  if (value !== null) assertCount(value, label, 1);
}

export function assertInstant(value: unknown, label: string): void {
  assert.ok(value instanceof Date && Number.isSafeInteger(value.getTime()), `${label} is ${inspect(value)}`);
}

export function assertInstantOrNull(value: unknown, label: string): void {
  if (value !== null) assertInstant(value, label);
}

export function assertTextOrNull(value: unknown, label: string): void {
  assert.ok(value === null || typeof value === 'string', `${label} is ${inspect(value)}`);
}

export function assertSentence(message: unknown): void {
  assert.ok(
    typeof message === 'string' && message.length > 0 && !message.includes('\n'),
    `message ${inspect(message)}`,
  );
}

function inspect(value: unknown): string {
  return value === null || value === undefined ? String(value) : `${typeof value} ${JSON.stringify(value)}`;
}
