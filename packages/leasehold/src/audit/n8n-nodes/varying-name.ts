/**
 * What a lock's name is made of, where something in it changes by itself. A name that is another one for each run is a lock
 * for each run: nobody is kept out. One that changes with the clock is another one only where it changes from start to start.
 */
import { valueOfSum } from './arithmetic.ts';

export interface VaryingPart {
  /** As it stands, for people. */
  readonly text: string;
  /**
   * How long it stays the same, in ms: 0 where each run has its own. `items` counts items of the run (`$itemIndex`),
   * `slot` is what a clock's trigger hands on.
   */
  readonly keepsMs: number | 'items' | 'passes' | 'slot';
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const OF_RUN = /\$execution\s*(?:\.\s*(?:id|resume\w*)|\[\s*["'`](?:id|resume\w*)["'`]\s*\])/;
const CHANCE = /\bMath\.random\b|\brandomUUID\b|\bcrypto\.(?:random|getRandom)\w*|\brandomInt\b|\buuid(?:v?4)?\(/i;
const CLOCK = /\$now\b|\bDate\.now\(\)|\bnew Date\(\s*\)|\bDateTime\.(?:now|local|utc)\(\s*\)/;
const OF_TRIGGER = /\b(?:json|\$json)\s*(?:\.\s*timestamp\b|\[\s*["'`](?:timestamp|Readable (?:date|time))["'`]\s*\])/;
const SQL_CHANCE =
  /\b(?:random|gen_random_uuid|uuid_generate_v[14](?:mc)?|uuidv[47]|txid_current|pg_current_xact_id|pg_backend_pid|nextval)\s*\(/i;
const SQL_CLOCK =
  /\b(?:now\(\)|(?:clock|statement|transaction)_timestamp\(\)|timeofday\(\)|current_timestamp\b|localtimestamp\b)/i;
const SHOWN_MAX = 60;
/** What is longer is read as far as this. */
const LENGTH_MAX = 500;

/** Of an expression of n8n's, without its brackets; null where nothing in it is known to change. */
export function varyingExpression(whole: string): VaryingPart | null {
  const expression = whole.slice(0, LENGTH_MAX);
  const text = shown(`{{ ${expression.trim()} }}`);
  const own = (OF_RUN.exec(expression) ?? CHANCE.exec(expression))?.[0];
  if (own !== undefined) return { text: own, keepsMs: 0 };
  if (/\$itemIndex\b/.test(expression)) return { text, keepsMs: 'items' };
  if (/\$runIndex\b/.test(expression)) return { text, keepsMs: 'passes' };
  if (OF_TRIGGER.test(expression)) return { text, keepsMs: 'slot' };
  return CLOCK.test(expression) ? { text, keepsMs: stepOf(expression) } : null;
}

/** Of SQL: `code` is `text` without its texts. */
export function varyingSql(code: string, text: string): VaryingPart | null {
  const chance = SQL_CHANCE.exec(code)?.[0];
  if (chance !== undefined) return { text: shown(`${chance})`), keepsMs: 0 };
  const clock = SQL_CLOCK.exec(code)?.[0];
  if (clock === undefined) return null;
  const [, field] = /date_trunc\s*\(\s*'(\w+)'/i.exec(text) ?? [];
  const [, format] = /to_char\s*\([^']*'([^']*)'/i.exec(text) ?? [];
  const isDay = /::\s*date\b|\bdate\s*\(/i.test(code);
  const ofFormat = format === undefined ? (isDay ? DAY : 0) : sqlFormatMs(format);
  return { text: shown(clock), keepsMs: field === undefined ? ofFormat : unitMs(field) };
}

const shown = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);

function unitMs(unit: string): number {
  const name = unit.toLowerCase().replace(/s$/, '');
  return (
    { second: SECOND, minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY, month: 28 * DAY, year: 365 * DAY }[name] ?? 0
  );
}

/** What is left of an instant, by the last thing that is taken of it. */
function stepOf(expression: string): number {
  const format = /\.(?:toFormat|format)\(\s*["'`]([^"'`]*)["'`]/.exec(expression)?.[1];
  if (format !== undefined) return formatMs(format);
  const start = /\.startOf\(\s*["'`](\w+)["'`]/.exec(expression)?.[1];
  if (start !== undefined) return unitMs(start);
  const bucket = /Math\.(?:floor|trunc|round)\(.*?\/\s*([\d_*+\s().]+?)\s*\)\s*\)?\s*$/s.exec(expression)?.[1];
  if (bucket !== undefined) return bucketMs(expression, bucket);
  const cut = /\.(?:slice|substring|substr)\(\s*0\s*,\s*(\d+)\s*\)/.exec(expression)?.[1];
  if (cut !== undefined) return cutMs(Number(cut));
  if (/\.(?:toISODate|toDateString|toLocaleDateString)\(|split\(\s*["'`]T["'`]\s*\)\s*\[\s*0\s*\]/.test(expression))
    return DAY;
  const field =
    /\.(?:(second|minute|hour|day|weekday|ordinal|month|year)\b|get(Seconds|Minutes|Hours|Date|Day|Month|FullYear)\(\))/.exec(
      expression,
    );
  const name = (field?.[1] ?? field?.[2] ?? '')
    .toLowerCase()
    .replace(/^(?:weekday|ordinal|date)$/, 'day')
    .replace('fullyear', 'year');
  return unitMs(name);
}

function bucketMs(expression: string, divisor: string): number {
  const value = valueOfSum(divisor.replace(/\)+$/, '').trim()) ?? 0;
  return /toSeconds|toUnixInteger/.test(expression) ? value * SECOND : value;
}

/** `2026-11-01T03:04:05`: so many signs of it. */
function cutMs(signs: number): number {
  if (signs >= 17) return signs >= 20 ? 0 : SECOND;
  if (signs >= 15) return MINUTE;
  return signs >= 12 ? HOUR : signs >= 9 ? DAY : 28 * DAY;
}

/** Luxon and its kind: what is written between apostrophes, or in brackets, is a text. */
function formatMs(format: string): number {
  const signs = format.replaceAll(/'[^']*'|\[[^\]]*\]/g, '');
  if (/S|u|x|X|T{3,4}|f{3,4}|F/.test(signs)) return /S|u|x/.test(signs) ? 0 : SECOND;
  if (/s/.test(signs)) return SECOND;
  if (/m|t|T|f/.test(signs)) return MINUTE;
  if (/[hHkK]/.test(signs)) return HOUR;
  return /[dDoEc]/.test(signs) ? DAY : 28 * DAY;
}

function sqlFormatMs(format: string): number {
  if (/MS|US|FF/.test(format)) return 0;
  if (/SS/i.test(format)) return SECOND;
  if (/MI/i.test(format)) return MINUTE;
  if (/HH/i.test(format)) return HOUR;
  return /D/i.test(format) ? DAY : 28 * DAY;
}
