import { valueOfSum } from '../../n8n-nodes/arithmetic.ts';

/** Of a month or a year the shortest. */
const UNIT_MS: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};

const LENGTH_MAX = 400;
const STEPS_MAX = 10;
const NOW = String.raw`(?:\$now|DateTime\.(?:now|local|utc)\(\s*\))`;
const FROM_NOW = new RegExp(
  String.raw`^=\s*\{\{\s*${NOW}((?:\s*\.(?:plus|minus)\([^()]*(?:\([^()]*\)[^()]*)*\))+)(.*)\}\}\s*$`,
  's',
);
const STEP = /\.(plus|minus)\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g;
/** What changes how the instant is written, and not the instant. */
const WRITING = /^(?:\s*\.(?:toISO|toString|toJSDate|toUTC|toMillis|valueOf|toISOString|setZone)\([^()]*\))*\s*$/;
const FROM_DATE =
  /^=\s*\{\{\s*new Date\(\s*(?:Date\.now\(\)|\+?new Date\(\)(?:\.(?:getTime|valueOf)\(\))?)\s*\+([^{}]*?)\)((?:\s*\.\w+\([^()]*\))*\s*)\}\}\s*$/s;

/** How long it is until an instant that is reckoned from now, `={{ $now.plus({ hours: 5 }) }}`; null where that isn't known. */
export function untilMs(instant: string): number | null {
  if (instant.length > LENGTH_MAX) return null;
  const [, added, writing] = FROM_DATE.exec(instant) ?? [];
  if (added !== undefined && WRITING.test(writing ?? '')) return positive(valueOfSum(added));
  const [, steps, rest] = FROM_NOW.exec(instant) ?? [];
  if (steps === undefined || !WRITING.test(rest ?? '')) return null;
  let sum = 0;
  for (const [, verb, amount = ''] of [...steps.matchAll(STEP)].slice(0, STEPS_MAX)) {
    const ms = amountMs(amount.trim());
    if (ms === null) return null;
    sum += verb === 'plus' ? ms : -ms;
  }
  return positive(sum);
}

const positive = (ms: number | null): number | null => (ms === null ? null : Math.max(0, ms));

/** `{ hours: 5, minutes: 30 }`, `5, 'hours'`, or milliseconds alone. */
function amountMs(amount: string): number | null {
  const object = /^\{(.*)\}$/s.exec(amount)?.[1];
  if (object === undefined) {
    const [count = '', unit, ...more] = amount.split(',');
    if (more.length > 0) return null;
    return ofUnit(count, unit === undefined ? 'millisecond' : unit.trim().replaceAll(/^["'`]|["'`]$/g, ''));
  }
  const parts = object.split(',').filter((part) => part.trim() !== '');
  const lengths = parts.map((part) => {
    const [, unit = '', count = ''] = /^\s*["'`]?(\w+)["'`]?\s*:(.*)$/s.exec(part) ?? [];
    return ofUnit(count, unit);
  });
  return lengths.reduce((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0);
}

function ofUnit(count: string, unit: string): number | null {
  const name = unit.toLowerCase().replace(/s$/, '');
  const unitMs = Object.hasOwn(UNIT_MS, name) ? UNIT_MS[name] : undefined;
  const number = valueOfSum(count.trim().replaceAll(/^["'`]|["'`]$/g, ''));
  return unitMs === undefined || number === null ? null : number * unitMs;
}
