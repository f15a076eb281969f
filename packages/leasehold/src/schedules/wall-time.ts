/** Local time, as the zone's rules have it. Pure: all instants are given. */

/** No change of clocks moves them by more, and no two lie closer together. */
const LONGEST_CHANGE_MS = 3 * 3_600_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far local time is ahead of UTC at an instant, in ms. */
export function offsetMs(instant: number, timezone: string): number {
  const parts = formatOf(timezone).formatToParts(instant);
  const field = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const local = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  );
  return local - Math.floor(instant / 1_000) * 1_000;
}

/** The first instant with the local time of this one: an earlier one in the second pass of a repeated hour, else itself. */
export function firstPass(at: Date, timezone: string): Date {
  const instant = at.getTime();
  const offset = offsetMs(instant, timezone);
  const before = offsetMs(instant - LONGEST_CHANGE_MS, timezone);
  const earlier = instant - (before - offset);
  const isRepeated = before > offset && offsetMs(earlier, timezone) === before;
  return isRepeated ? new Date(earlier) : at;
}

/** Making a format costs more than a hundred uses of it. */
function formatOf(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-u-ca-gregory', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timezone, format);
  }
  return format;
}
