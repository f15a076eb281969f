/**
 * Puts a text in place of all that stands between two marks. A search by regular expression would go through the rest
 * of the text for each opening mark that nothing closes; this goes through it once.
 */
export function replaceBetween(
  text: string,
  { open, close, by }: { readonly open: string; readonly close: string; readonly by: string },
): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, from)) {
    const end = text.indexOf(close, start + open.length);
    if (end < 0) break;
    parts.push(text.slice(from, start), by);
    from = end + close.length;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** What n8n fills in (`{{ … }}`), replaced. */
export function replaceExpressions(text: string, by: string): string {
  return replaceBetween(text, { open: '{{', close: '}}', by });
}

/** What n8n fills in, without its brackets, in order. */
export function expressionsIn(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (let start = text.indexOf('{{'); start >= 0; start = text.indexOf('{{', from)) {
    const end = text.indexOf('}}', start + 2);
    if (end < 0) break;
    found.push(text.slice(start + 2, end).trim());
    from = end + 2;
  }
  return found;
}

/** The same text with a sign in place of each of theirs: what stands in it is found where it stood. */
export function blankExpressions(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf('{{'); start >= 0; start = text.indexOf('{{', from)) {
    const end = text.indexOf('}}', start + 2);
    if (end < 0) break;
    parts.push(text.slice(from, start), '?'.repeat(end + 2 - start));
    from = end + 2;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
