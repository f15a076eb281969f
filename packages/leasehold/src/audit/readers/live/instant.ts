/** An instant as n8n stores or sends it, in ms UTC; null where there is none, `isSuspect` where it can't be read. */
export interface ReadInstant {
  readonly ms: number | null;
  readonly isSuspect: boolean;
}

const NONE: ReadInstant = { ms: null, isSuspect: false };
const SUSPECT: ReadInstant = { ms: null, isSuspect: true };

/** Its SQLite has no mark of the zone: those instants are UTC, too. */
const FORM = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:?\d{2})?$/;

/** Reads text (with or without a zone), or ms since 1970 as our own SQL gives them. */
export function readInstant(value: unknown): ReadInstant {
  if (value === null || value === undefined || value === '') return NONE;
  if (typeof value === 'number') return Number.isFinite(value) ? { ms: Math.round(value), isSuspect: false } : SUSPECT;
  const parts = typeof value === 'string' ? FORM.exec(value) : null;
  if (parts === null) return SUSPECT;
  const [, date = '', time = '', zone = 'Z'] = parts;
  const ms = Date.parse(`${date}T${time}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`);
  return Number.isNaN(ms) ? SUSPECT : { ms, isSuspect: false };
}
