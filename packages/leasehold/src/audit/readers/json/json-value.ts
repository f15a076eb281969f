/** An object of somebody's JSON: anything may be missing, and be of any type. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text at one of `keys`, the first that has one; a number counts as its digits. */
export function textAt(value: JsonObject, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const found = value[key];
    if (typeof found === 'string' && found !== '') return found;
    if (typeof found === 'number') return String(found);
  }
  return null;
}

export function objectAt(value: JsonObject, key: string): JsonObject | null {
  const found = value[key];
  return isObject(found) ? found : null;
}

export function listAt(value: JsonObject, key: string): readonly unknown[] {
  const found = value[key];
  return Array.isArray(found) ? found : [];
}
