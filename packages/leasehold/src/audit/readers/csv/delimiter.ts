const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** So many records are looked at, and this share of them has to be alike; one may always differ. */
const RECORDS_SEEN = 25;
const ALIKE_SHARE = 0.8;
/** Excel's own line about the separator. */
const EXCEL_LINE = /^sep=.\r?\n/i;

/**
 * The character that stands equally often in each of the first records, outside of quotes; null where none does.
 * `isWhole`: the text is all there is, and not cut in the middle of a record.
 */
export function delimiterIn(text: string, isWhole: boolean): Delimiter | null {
  const records = text.replace(EXCEL_LINE, '');
  let best: { readonly delimiter: Delimiter; readonly count: number } | null = null;
  for (const delimiter of DELIMITERS) {
    const counts = countsIn(records, delimiter, isWhole);
    const usual = mostFrequent(counts);
    if (usual === 0 || counts.length === 0) continue;
    const alike = counts.filter((count) => count === usual).length;
    const odd = counts.length - alike;
    if (odd > Math.max(alike >= 2 ? 1 : 0, counts.length * (1 - ALIKE_SHARE))) continue;
    if (best === null || usual > best.count) best = { delimiter, count: usual };
  }
  return best?.delimiter ?? null;
}

/** How often `delimiter` stands in each record. */
function countsIn(text: string, delimiter: string, isWhole: boolean): number[] {
  const counts: number[] = [];
  let count = 0;
  let isQuoted = false;
  let isEmpty = true;
  let isFieldStart = true;
  for (let at = 0; at < text.length && counts.length < RECORDS_SEEN; at += 1) {
    const character = text[at];
    if (isQuoted) {
      // Two quotes are one in the text.
      if (character === '"' && text[at + 1] === '"') at += 1;
      else if (character === '"') isQuoted = false;
      continue;
    }
    if (character === '\n') {
      if (!isEmpty) counts.push(count);
      count = 0;
      isEmpty = true;
      isFieldStart = true;
      continue;
    }
    if (character === '"' && isFieldStart) isQuoted = true;
    if (character === delimiter) count += 1;
    isFieldStart = character === delimiter;
    if (character !== '\r' && character !== ' ') isEmpty = false;
  }
  if (!isEmpty && isWhole && counts.length < RECORDS_SEEN) counts.push(count);
  return counts;
}

function mostFrequent(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? 0;
}
