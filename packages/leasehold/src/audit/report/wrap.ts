/** Lines that a terminal of 100 columns shows whole. A word that is longer keeps a line of its own. */
const COLUMNS = 100;

/** The first line begins after `first` spaces, the others after `further`. */
export function wrapped(text: string, first: number, further: number = first): string {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = ' '.repeat(further);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].join('\n');
}
