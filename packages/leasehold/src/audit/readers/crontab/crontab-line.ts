/**
 * One line of a crontab, as cron reads it: comments only at the beginning, variables before jobs, `%` in the command. Forms
 * that Debian's cron doesn't have are read as those who have them do, and named, since the files are found everywhere:
 * six fields with seconds first, seven with a year, a zone inside the line (Go), `@every 5m`, words of FreeBSD.
 */
export type CrontabLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  | JobLine
  | { readonly kind: 'unknown' };

export interface JobLine {
  readonly kind: 'job';
  /** `*\/5 * * * *`, six fields with seconds first, or a word with `@`. */
  readonly expression: string;
  /** A zone that stands in the line itself. */
  readonly timezone: string | null;
  /** All behind the schedule: in a system's crontab the user comes first. */
  readonly rest: string;
  /** Sentences about the form. */
  readonly assumes: readonly string[];
}

const NOTHING: CrontabLine = { kind: 'nothing' };
const VARIABLE = /^\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z_]\w*))\s*=\s*(.*?)\s*$/;
const NICKNAME = /^(@every\s+\S+|@\w+)\s+(\S.*)$/;

/** What a schedule field may consist of; names of months and days are the only letters it begins with. */
const NAME = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
const FIELD = String.raw`(?:[\d*?~]|${NAME})(?:[\d*?/,~L#W-]|${NAME})*`;
const FIELDS = (count: number): RegExp =>
  new RegExp(String.raw`^(${FIELD}(?:\s+${FIELD}){${count - 1}})\s+(\S.*)$`, 'i');
const FIVE = FIELDS(5);
const SIX = FIELDS(6);
const SEVEN = FIELDS(7);

export function readLine(raw: string): CrontabLine {
  const line = raw.trim();
  if (line === '' || line.startsWith('#')) return NOTHING;
  const variable = VARIABLE.exec(line);
  if (variable !== null) {
    const name = variable[1] ?? variable[2] ?? variable[3] ?? '';
    const value = variable[4] ?? '';
    return inlineZone(name, value) ?? { kind: 'variable', name, value: unquoted(value) };
  }
  return readJob(line) ?? { kind: 'unknown' };
}

/** `CRON_TZ=Asia/Tokyo 0 6 * * * command`, as Go's cron libraries take it. */
function inlineZone(name: string, value: string): JobLine | null {
  if (name !== 'CRON_TZ' && name !== 'TZ') return null;
  const [, zone = '', rest = ''] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  const job = readJob(rest);
  if (job === null) return null;
  const sentence = `${name} inside the line is the form of Go's cron libraries; cron itself would read the line as a variable.`;
  return { ...job, timezone: zone, assumes: [sentence, ...job.assumes] };
}

function readJob(text: string): JobLine | null {
  // SUSE's cron and cronie take a minus for "don't log".
  const line = text.replace(/^-(?=[\d*@])/, '');
  const nickname = NICKNAME.exec(line);
  if (nickname !== null) return namedJob(nickname[1] ?? '', nickname[2] ?? '');
  const seven = SEVEN.exec(line);
  if (seven !== null) return wideJob(seven[1] ?? '', seven[2] ?? '', 7);
  const six = SIX.exec(line);
  if (six !== null) return wideJob(six[1] ?? '', six[2] ?? '', 6);
  const five = FIVE.exec(line);
  if (five === null) return looseJob(line);
  return { kind: 'job', expression: oneSpace(five[1] ?? ''), timezone: null, rest: five[2] ?? '', assumes: [] };
}

function namedJob(word: string, rest: string): JobLine {
  const name = word.toLowerCase();
  const assumes =
    name === '@every_minute' || name === '@every_second'
      ? [`${name} is a word of FreeBSD's cron; Debian's refuses the line.`]
      : name.startsWith('@every ')
        ? ["@every is a word of Go's cron libraries; cron itself refuses the line."]
        : [];
  return { kind: 'job', expression: oneSpace(word), timezone: null, rest, assumes };
}

/** Years are looked at by people only: hardly a file has them, and none of them ends soon. */
function wideJob(fields: string, rest: string, count: 6 | 7): JobLine {
  const words = fields.replaceAll('?', '*').split(/\s+/);
  const isYear = count === 7 || /^(?:19|20)\d\d/.test(words[5] ?? '');
  const expression = (isYear && count === 6 ? words.slice(0, 5) : words.slice(0, 6)).join(' ');
  const form =
    count === 7
      ? 'Seven fields were read as seconds first and a year last'
      : isYear
        ? 'Six fields were read as five and a year'
        : 'Six fields were read as seconds first';
  const year = isYear && words.at(-1) !== '*' ? ', and the year was left aside' : '';
  const sentence = `${form}${year}; Debian's cron and cronie take five fields and would run the rest as the command.`;
  return { kind: 'job', expression, timezone: null, rest, assumes: [sentence] };
}

/** Five words of which one is no field: a job with a mistake in it, if its first word is the beginning of one. */
function looseJob(line: string): JobLine | null {
  const [, fields = '', rest = ''] = /^(\S+(?:\s+\S+){4})\s+(\S.*)$/.exec(line) ?? [];
  const looksLikeFields = fields.split(/\s+/).filter((word) => /^[\d*]/.test(word)).length >= 3;
  if (!/^[\d*]/.test(fields) || !looksLikeFields) return null;
  return { kind: 'job', expression: oneSpace(fields), timezone: null, rest, assumes: [] };
}

const oneSpace = (text: string): string => text.replaceAll(/\s+/g, ' ');

function unquoted(value: string): string {
  return /^"(.*)"$/.exec(value)?.[1] ?? /^'(.*)'$/.exec(value)?.[1] ?? value;
}

/** The command up to its first `%`: what follows is its standard input. `\%` is a percent sign. */
export function splitPercent(rest: string): { readonly command: string; readonly hasInput: boolean } {
  const at = rest.search(/(?<!\\)%/);
  // The sign of a mail address, encoded: what stands before it is a person and no word of the command.
  const isCut = /^%40[\w-]+\.\w/.test(rest.slice(Math.max(0, at)));
  const command = at === -1 ? rest : rest.slice(0, at).replace(isCut ? /[^\s'"]+$/ : /$^/, '');
  return { command: command.replaceAll(String.raw`\%`, '%').trim(), hasInput: at !== -1 };
}
