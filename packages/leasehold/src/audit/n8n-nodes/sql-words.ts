import { replaceExpressions } from './blank.ts';

/** A value of n8n's; as a table's name it is one that nobody knows. */
export const VALUE = '?';
/** A text in quotes, whatever it says. */
export const TEXT = "''";

const NAME = '(?:[\\w$]+|"[^"\\n]{1,128}"|`[^`\\n]{1,128}`|\\[[^\\]\\n]{1,128}\\])';
const WORD = new RegExp(`${NAME}(?:\\.${NAME})*|[();,?]|''`, 'g');

/** The words of SQL in lower case, without comments, texts and what n8n fills in. */
export function wordsOf(source: string): string[] {
  return plainSql(source).match(WORD) ?? [];
}

/** SQL in lower case, with signs in place of texts and of what n8n fills in, and no comments. */
export function plainSql(source: string): string {
  return withoutTexts(replaceExpressions(source, ` ${VALUE} `)).toLowerCase();
}

/** Whatever begins first counts: two dashes in a text are no comment, an apostrophe in a comment no text. */
function withoutTexts(source: string): string {
  const parts: string[] = [];
  const begins = /'|--|\/\*|\$\w{0,63}\$/g;
  let from = 0;
  for (let found = begins.exec(source); found !== null; found = begins.exec(source)) {
    const [mark] = found;
    const end = endOf(source, mark, found.index + mark.length);
    parts.push(source.slice(from, found.index), mark === '--' || mark === '/*' ? ' ' : ` ${TEXT} `);
    from = end;
    begins.lastIndex = end;
  }
  parts.push(source.slice(from));
  return parts.join('');
}

/** Behind what closes it; the end of the source where nothing does. */
function endOf(source: string, mark: string, from: number): number {
  if (mark === "'") return endOfText(source, from);
  const close = mark === '--' ? '\n' : mark === '/*' ? '*/' : mark;
  const end = source.indexOf(close, from);
  return end < 0 ? source.length : end + close.length;
}

/** Two apostrophes in a text are one of its own. */
function endOfText(source: string, from: number): number {
  for (let end = source.indexOf("'", from); end >= 0; end = source.indexOf("'", end + 2))
    if (source[end + 1] !== "'") return end + 1;
  return source.length;
}
