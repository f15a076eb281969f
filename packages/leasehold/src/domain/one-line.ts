/** Text that a caller's own code made, as one short line that every store can keep; empty where nothing of it is left. */
export function oneLine(text: string, charactersMax: number): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, charactersMax)
    .toWellFormed()
    .trim();
}
