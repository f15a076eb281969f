import { type Fields, textOf } from '../readers/n8n-workflow/definition.ts';
import { replaceBetween } from './blank.ts';
import { factsWith, type NodeFacts } from './facts.ts';

/** Words by which code reaches beyond its items. */
const CALLS_OUT =
  /\bhttpRequest\w*|\bfetch\s*\(|\baxios\b|\brequire\s*\(|\bimport\s*\(|\bchild_process\b|\bthis\.helpers\b|\$helpers\b|\brequests\.|\burllib|\bsmtplib|\bsubprocess/;
const STATIC_DATA = /getWorkflowStaticData|\$workflow\.staticData|staticData\b/;
const LOCK_WORDS = /\b(?:is)?_?(?:lock(?:ed)?|running|busy|in_?progress|mutex|already_?running)\b/i;
const TIME_WORDS = /last_?(?:run|check|sync|poll|execution|processed|fetch|seen|id|time|timestamp)/i;
const KEPT_IN = /\b(?:const|let|var)\s+(\w{1,60})\s*=\s*(?:this\.)?\$?getWorkflowStaticData/;
const LIST_WORDS = /seen|processed_?ids|already|sent_?ids/i;

export interface CodeFacts {
  readonly text: string;
  /** What it uses static data for: a lock, an instant to read on from, a list of what was seen, or nothing. */
  readonly remembers: 'lock' | 'time' | 'list' | null;
  readonly callsOut: boolean;
  /** Uses only the first of its items. */
  readonly takesFirst: boolean;
  /** Uses only the first of a list inside its item, as an answer of HTTP has it. */
  readonly takesFirstOfList: boolean;
  /** Ends by handing on one item that it has written out, whatever came in. */
  readonly makesOne: boolean;
}

const LENGTH_MAX = 200_000;
const TAKES_FIRST =
  /\$input\.first\(\)|\$input\.all\(\)\[0\]|(?<!\.)\bitems\[0\]|\$input\.item\b(?!s)|\.slice\(\s*0\s*,\s*1\s*\)/;
const TAKES_MORE =
  /\$input\.all\(\)(?!\[0\])|\bfor\s*\(|\.(?:map|forEach|filter|reduce|flatMap)\s*\(|\bitems\b(?!\[0\])/;

export function codeOf(parameters: Fields): CodeFacts {
  const source = ['jsCode', 'functionCode', 'pythonCode']
    .map((name) => textOf(parameters[name]) ?? '')
    .join('\n')
    .slice(0, LENGTH_MAX);
  // A word in a comment does nothing.
  const text = replaceBetween(source, { open: '/*', close: '*/', by: ' ' }).replaceAll(/(?<![:'"`])\/\/[^\n]*/g, ' ');
  return {
    text,
    remembers: memoryIn(text),
    callsOut: CALLS_OUT.test(text),
    makesOne: parameters['mode'] !== 'runOnceForEachItem' && makesOne(text),
    takesFirstOfList: takesFirstOfList(text),
    takesFirst: parameters['mode'] !== 'runOnceForEachItem' && TAKES_FIRST.test(text) && !TAKES_MORE.test(text),
  };
}

/** `….json.results[0]`, `data.deals?.[0]`, or what was taken out of the answer by its name: `results[0]`, `results.at(0)`. */
const LISTS =
  'results|records|rows|hits|entries|values|objects|deals|contacts|leads|orders|customers|invoices|tickets|issues|users';
const FIRST = String.raw`\s*(?:\?\.)?(?:\[0\]|\.(?:at\(0\)|shift\(\)))`;
const OF_LIST = new RegExp(
  String.raw`\b(?:json(?:\??\.\w{1,60}){1,6}|\w{1,60}\??\.(?:${LISTS}|items|data|list)|${LISTS})${FIRST}`,
  'g',
);
/** Lists of one, and lists that are no records. */
const NO_RECORDS =
  /(?:choices|candidates|content|parts|outputs?|messages?|embeddings?|match\w*|groups|words|lines|args|argv|input|all\(\))\s*(?:\?\.)?(?:\[|\.(?:at|shift)\()/;

function takesFirstOfList(text: string): boolean {
  if (TAKES_MORE.test(text)) return false;
  return (text.match(OF_LIST) ?? []).some((found) => !NO_RECORDS.test(found));
}

function makesOne(text: string): boolean {
  const last = text.slice(text.lastIndexOf('return') + 'return'.length, text.length);
  return text.includes('return') && /^\s*(?:\[\s*)?\{/.test(last);
}

function memoryIn(text: string): CodeFacts['remembers'] {
  if (!STATIC_DATA.test(text)) return null;
  if (LOCK_WORDS.test(text)) return 'lock';
  const name = KEPT_IN.exec(text)?.[1] ?? 'staticData';
  const isList = new RegExp(`\\b${name}\\.\\w+(?:\\.(?:push|includes|indexOf|some|find|filter|add|has)\\(|\\[)`).test(
    text,
  );
  if (isList || LIST_WORDS.test(text)) return 'list';
  return TIME_WORDS.test(text) ? 'time' : null;
}

/** Code that calls nothing can only change its items; what calls out may do anything. */
export function codeFacts(parameters: Fields): NodeFacts {
  const { remembers, callsOut } = codeOf(parameters);
  const guard = remembers === null ? null : 'static-data';
  return callsOut ? factsWith('unknown', 'code that calls out', { guard }) : factsWith('transform', 'code', { guard });
}
