/**
 * What the fields of a cron expression mean, in the two dialects that hosts have:
 *
 * - `vixie` (Debian's and Ubuntu's cron, cronie, macOS): a field that begins with `*` leaves the day to the other day
 *   field, also as `*\/2`; otherwise either day field is enough. A single number takes no step; a range that runs backwards fits nothing.
 * - `kelektiv` (the npm package `cron`, which n8n uses): a day field that allows every day leaves it to the other,
 *   however it is written; `5/10` begins at 5; six fields have seconds first.
 */
export type Dialect = 'vixie' | 'kelektiv';

export interface CronFields {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Whether a day must fit both day fields, or one is enough. */
  readonly dayRule: 'both' | 'either';
  /** Minute or hour begins with `*`: such a job goes by the clock on the wall when the clocks change. */
  readonly isWild: boolean;
  /** Steps that don't divide their field, so that they start anew at each of its ends. */
  readonly unevenSteps: readonly UnevenStep[];
}

export interface UnevenStep {
  readonly field: FieldName;
  readonly step: number;
}

type FieldName = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'weekday';

interface Field {
  readonly name: FieldName;
  readonly low: number;
  readonly high: number;
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Field[] = [
  { name: 'second', low: 0, high: 59, names: [] },
  { name: 'minute', low: 0, high: 59, names: [] },
  { name: 'hour', low: 0, high: 23, names: [] },
  { name: 'day', low: 1, high: 31, names: [] },
  { name: 'month', low: 1, high: 12, names: MONTHS },
  { name: 'weekday', low: 0, high: 7, names: WEEKDAYS },
];

/** Words for a whole expression; the values are five fields, or six with seconds first. */
const NICKNAMES: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  vixie: {
    '@yearly': '0 0 1 1 *',
    '@annually': '0 0 1 1 *',
    '@monthly': '0 0 1 * *',
    '@weekly': '0 0 * * 0',
    '@daily': '0 0 * * *',
    '@midnight': '0 0 * * *',
    '@hourly': '0 * * * *',
    '@every_minute': '* * * * *',
    '@every_second': '* * * * * *',
  },
  kelektiv: {
    '@yearly': '0 0 0 1 1 *',
    '@monthly': '0 0 0 1 * *',
    '@weekly': '0 0 0 * * 0',
    '@daily': '0 0 0 * * *',
    '@hourly': '0 0 * * * *',
    '@minutely': '0 * * * * *',
    '@secondly': '* * * * * *',
    '@weekdays': '0 0 0 * * 1-5',
    '@weekends': '0 0 0 * * 0,6',
  },
};

export type CronReading = { readonly fields: CronFields } | { readonly fault: string };

/** Longer ones are nobody's schedule; it bounds the work of reading. */
const LENGTH_MAX = 1_000;

/** Reads an expression; a fault is half a sentence: what about it is wrong. */
export function readCron(expression: string, dialect: Dialect): CronReading {
  const trimmed = expression.trim();
  if (trimmed.length > LENGTH_MAX) return { fault: `it has ${trimmed.length} characters` };
  const name = trimmed.toLowerCase();
  const words = ((Object.hasOwn(NICKNAMES[dialect], name) ? NICKNAMES[dialect][name] : null) ?? trimmed).split(/\s+/);
  if (words[0]?.startsWith('@')) return { fault: `${words[0]} is not a word that its cron knows` };
  if (words.length < 5 || words.length > 6) {
    const count = words[0] === '' ? 0 : words.length;
    return { fault: `it has ${count} field${count === 1 ? '' : 's'} instead of five or six` };
  }
  const six = words.length === 5 ? ['0', ...words] : words;
  const values: number[][] = [];
  for (const [index, field] of FIELDS.entries()) {
    const read = readField(six[index] ?? '', field, dialect);
    if (typeof read === 'string') return { fault: read };
    values.push(read);
  }
  return { fields: assemble(six, values, dialect) };
}

function assemble(words: readonly string[], values: readonly (readonly number[])[], dialect: Dialect): CronFields {
  const [seconds = [], minutes = [], hours = [], days = [], months = [], weekdays = []] = values;
  const week = new Set(weekdays.map((day) => day % 7));
  const isStar = (index: number): boolean => words[index]?.startsWith('*') === true;
  const isFree = dialect === 'vixie' ? isStar(3) || isStar(5) : days.length === 31 || week.size === 7;
  return {
    seconds,
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    weekdays: week,
    dayRule: isFree ? 'both' : 'either',
    isWild: isStar(1) || isStar(2),
    unevenSteps: unevenSteps(words),
  };
}

/** The one fault that a host takes. */
export const BACKWARDS = 'a range that runs backwards, which fits nothing';

function readField(text: string, field: Field, dialect: Dialect): number[] | string {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const read = readPart(part, field, dialect);
    if (typeof read === 'string') return `its ${field.name} "${text}" ${read}`;
    for (const value of read) values.add(value);
  }
  // Debian's cron takes it without a word, as one part of a list also rightly.
  if (values.size === 0) return `its ${field.name} "${text}" has ${BACKWARDS}`;
  return [...values].toSorted((one, other) => one - other);
}

const PART = /^(\*|[0-9a-z]+)(?:-([0-9a-z]+))?(?:\/(\d+))?$/i;

function readPart(part: string, field: Field, dialect: Dialect): number[] | string {
  const [, first = '', last, stepText] = PART.exec(part) ?? [];
  if (first === '' || (first === '*' && last !== undefined)) return 'can not be read';
  const step = stepText === undefined ? 1 : Number(stepText);
  if (step === 0) return 'has a step of zero';
  if (first === '*') return range(field.low, field.high, step);
  const from = toNumber(first, field, dialect);
  const to = last === undefined ? null : toNumber(last, field, dialect);
  if (from === undefined || to === undefined) return 'has a word that is no value of it';
  if (from < field.low || Math.max(from, to ?? from) > field.high) return `is outside ${field.low} to ${field.high}`;
  if (to !== null && to < from) return dialect === 'vixie' ? [] : 'has a range that runs backwards';
  if (to === null && stepText !== undefined) {
    return dialect === 'vixie' ? 'has a step without a range' : range(from, field.high, step);
  }
  return range(from, to ?? from, step);
}

function toNumber(text: string, field: Field, dialect: Dialect): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const word = text.toLowerCase();
  // The package `cron` puts numbers for names before it looks which field they stand in.
  const names = dialect === 'vixie' ? [field] : FIELDS;
  for (const each of names) {
    const index = each.names.indexOf(word);
    if (index !== -1) return index + each.low;
  }
  return undefined;
}

function range(from: number, to: number, step: number): number[] {
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

/** Only a step over the whole field was meant as "every n". Weekdays and months have no length that one expects. */
const CYCLES: Readonly<Partial<Record<FieldName, number>>> = { second: 60, minute: 60, hour: 24, day: 31 };

function unevenSteps(words: readonly string[]): UnevenStep[] {
  return FIELDS.flatMap(({ name }, index) => {
    const [, stepText] = /^\*\/(\d+)$/.exec(words[index] ?? '') ?? [];
    const step = Number(stepText ?? 1);
    const cycle = CYCLES[name];
    return cycle !== undefined && step > 1 && cycle % step !== 0 ? [{ field: name, step }] : [];
  });
}
