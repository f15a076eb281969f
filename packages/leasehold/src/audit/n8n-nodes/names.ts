/** A set of names, written several to a line. */
export function names(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(',')));
}
