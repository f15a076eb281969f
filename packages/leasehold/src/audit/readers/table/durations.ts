/** Unit of a duration that is a bare number. */
export type DurationUnit = 'ms' | 's' | 'min' | 'h';

const MS_PER: Readonly<Record<DurationUnit, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 };

/** Words behind a number, in the languages that exports come in, with their ms. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msec|msecs|millis|milliseconds?|millisekunden?|millisecondes?)$/, 1],
  [/^(?:us|µs|μs|microseconds?)$/, 0.001],
  [/^(?:s|sec|secs|seconds?|sek|sekunden?|secondes?|segundos?|secondi|secondo)$/, 1_000],
  [/^(?:m|min|mins|minutes?|minuten?|minutos?|minuti|minuto)$/, 60_000],
  [/^(?:h|hr|hrs|hours?|std|stunden?|heures?|horas?|ore|ora)$/, 3_600_000],
  [/^(?:d|days?|tage?|jours?|dias?|giorni|giorno)$/, 86_400_000],
];
const PART = /(\d+(?:[.,]\d+)?)\s*([a-zµμ]+)\.?/giu;
const CLOCK = /^(?:(\d+)(?:\.|\s+days?,?\s+|\s+))?(\d+):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,9}))?)?$/i;
const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const BARE = /^[+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^[+]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;
/** No run of ours took longer than this. */
const LONGEST_MS = 10 * 366 * 86_400_000;

/** Null where there is none; NaN for what is no duration. `unit` is that of bare numbers. */
export function readDuration(value: unknown, unit: DurationUnit): number | null {
  if (typeof value === 'number') return inBounds(value * MS_PER[unit]);
  if (typeof value !== 'string') return value === null || value === undefined ? null : Number.NaN;
  const text = value.trim();
  if (text === '' || text === '-' || /^(?:null|none|n\/a|nan)$/i.test(text)) return null;
  const bare = bareNumber(text);
  if (bare !== null) return inBounds(bare * MS_PER[unit]);
  return inBounds(ofClock(text) ?? ofIso(text) ?? ofWords(text) ?? Number.NaN);
}

/** A number without a unit; null for anything else. Of `1,234` the comma groups, of `12,5` it is a decimal point. */
export function bareNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (!BARE.test(text)) return null;
  const grouped = /^[+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  return Number(grouped ? text.replaceAll(',', '') : text.replace(',', '.'));
}

/** True for `01:20`, which may be minutes and seconds, or hours and minutes. */
export function isShortClock(value: unknown): boolean {
  return typeof value === 'string' && /^\s*\d+:\d{1,2}\s*$/.test(value);
}

/** `1:20` is minutes and seconds, `0:01:20` hours, `2 days, 0:01:20` and `2.00:01:20` days. */
function ofClock(text: string): number | null {
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [, days = '0', first = '0', second = '0', third, fraction = ''] = match;
  if (Number(second) > 59 || Number(third ?? '0') > 59) return Number.NaN;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const [hours, minutes, seconds] = third === undefined ? ['0', first, second] : [first, second, third];
  return (
    Number(days) * 86_400_000 + Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000 + ms
  );
}

function ofIso(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null || text.length < 3) return null;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match;
  return Number(days) * 86_400_000 + Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000;
}

/** `1m 20s`, `2 hours, 5 minutes`, `1.5 min`; nothing else may stand between the parts. */
function ofWords(text: string): number | null {
  let ms = 0;
  let parts = 0;
  const rest = text.replaceAll(PART, (whole, digits: string, word: string) => {
    const found = WORDS.find(([pattern]) => pattern.test(word.toLowerCase()));
    if (found === undefined) return whole;
    ms += Number(digits.replace(',', '.')) * found[1];
    parts += 1;
    return '';
  });
  return parts > 0 && /^(?:[\s,&]|and|und|et|y|e)*$/i.test(rest) ? ms : null;
}

function inBounds(ms: number): number {
  return ms >= 0 && ms <= LONGEST_MS ? Math.round(ms) : Number.NaN;
}
