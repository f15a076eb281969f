const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  millisecond: 1,
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
};
const PART = /\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*,?/iy;

/** `21 minutes`, `1 hour 30 min`, `01:30:00`, `90` (seconds), `PT5M`, `5m`; null for what is no length of time. */
export function leaseMsOf(text: string): number | null {
  const [, hours, minutes, seconds] = /^\s*(\d+):(\d\d)(?::(\d\d))?\s*$/.exec(text) ?? [];
  if (hours !== undefined) return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1_000;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1_000;
  const words = text.trim().replace(/^PT?/i, '').replace(/T/, '');
  let sum: number | null = null;
  PART.lastIndex = 0;
  while (PART.lastIndex < words.length) {
    const [, count, unit = ''] = PART.exec(words) ?? [];
    const name = unit.toLowerCase();
    const key = Object.hasOwn(UNIT_MS, name) ? name : name.replace(/s$/, '');
    const unitMs = Object.hasOwn(UNIT_MS, key) ? UNIT_MS[key] : undefined;
    if (count === undefined || unitMs === undefined) return null;
    sum = (sum ?? 0) + Number(count) * unitMs;
  }
  return sum;
}
