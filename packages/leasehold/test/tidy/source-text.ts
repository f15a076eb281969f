/**
 * Source as the rules see it: the same text, of the same length, with the insides of comments, strings,
 * templates and regular expressions blanked, so that a rule never trips over a word in a sentence.
 */

/** Characters after which a `/` starts a regular expression and not a division. */
const BEFORE_REGEXP = /(^|[(,=:[!&|?{};+\-*%~^<>]|\b(return|typeof|case|in|of|await|yield|void|throw|else))\s*$/;

/** The code of a TypeScript text: comments gone, the quotes of literals kept, their insides blank. Line breaks stay. */
export function codeOf(text: string): string {
  let code = '';
  let at = 0;
  /** Depth of braces inside each open `${`. */
  const templates: number[] = [];
  while (at < text.length) {
    const end = literalEnd(text, at, code, templates);
    if (end === at) {
      code += text[at];
      at += 1;
      continue;
    }
    code += blanked(text, at, end);
    at = end;
  }
  return code;
}

/** Where the comment or literal that begins at `at` ends; `at` itself where none begins. */
function literalEnd(text: string, at: number, code: string, templates: number[]): number {
  const two = text.slice(at, at + 2);
  if (two === '//') return endOr(text, text.indexOf('\n', at));
  if (two === '/*') return endOr(text, text.indexOf('*/', at + 2), 2);
  const character = text[at];
  if (character === "'" || character === '"') return quotedEnd(text, at, character);
  if (character === '`') return templateEnd(text, at, templates);
  if (character === '/' && BEFORE_REGEXP.test(code.slice(-200))) return regexpEnd(text, at);
  const depth = templates.at(-1);
  if (depth === undefined) return at;
  if (character === '{') templates[templates.length - 1] = depth + 1;
  if (character !== '}') return at;
  if (depth > 0) {
    templates[templates.length - 1] = depth - 1;
    return at;
  }
  templates.pop();
  return templateEnd(text, at, templates);
}

const endOr = (text: string, found: number, length = 0): number => (found === -1 ? text.length : found + length);

function quotedEnd(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote || text[at] === '\n') return at + 1;
  }
  return text.length;
}

/** From a backquote, or from the brace that closes a `${…}`, to the closing backquote or the next `${`. */
function templateEnd(text: string, from: number, templates: number[]): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '`') return at + 1;
    else if (text.startsWith('${', at)) {
      templates.push(0);
      return at + 2;
    }
  }
  return text.length;
}

function regexpEnd(text: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n') return from;
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return at + 1;
  }
  return from;
}

/** The span with its delimiters kept and everything between them blank; a comment goes altogether. */
function blanked(text: string, from: number, end: number): string {
  const span = text.slice(from, end);
  const blank = (part: string): string => part.replaceAll(/[^\n]/g, ' ');
  if (span.startsWith('//') || span.startsWith('/*') || span.length < 2) return blank(span);
  const tail = span.endsWith('${') ? '${' : span.slice(-1);
  return `${span[0]}${blank(span.slice(1, -tail.length))}${tail}`;
}

/** One module that a file names, and how. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

const FROM = /\b(?:import|export)\b[^;'"]*?\bfrom\s*(['"])/g;
const BARE_OR_CALL = /\bimport\s*\(?\s*(['"])/g;

/** Every module that the text imports: `import`, `import type`, `export … from`, `import()`, `typeof import()`. */
export function importsOf(text: string): Import[] {
  const code = codeOf(text);
  const imports: Import[] = [];
  for (const pattern of [FROM, BARE_OR_CALL]) {
    for (const match of code.matchAll(pattern)) {
      const from = match.index + match[0].length;
      const end = code.indexOf(match[1] ?? '', from);
      imports.push({ specifier: text.slice(from, end), line: lineOf(text, from) });
    }
  }
  return imports.toSorted((a, b) => a.line - b.line);
}

/** The line, counted from 1, in which the character at `at` stands. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
