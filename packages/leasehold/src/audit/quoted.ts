/** `"A", "B"`, or `"A", "B" and 3 more`: of any number of names at most so many are said. */
export function quoted(names: readonly string[], most: number): string {
  const some = names.slice(0, most).map((name) => `"${name}"`);
  return names.length > most ? `${some.join(', ')} and ${names.length - most} more` : some.join(', ');
}
