import { readIso } from '../table/iso-instant.ts';

/** An instant as n8n stores or sends it, in ms UTC; null where there is none, `isSuspect` where it can't be read. */
export interface ReadInstant {
  readonly ms: number | null;
  readonly isSuspect: boolean;
}

const NONE: ReadInstant = { ms: null, isSuspect: false };
const SUSPECT: ReadInstant = { ms: null, isSuspect: true };
const out = { ms: 0, isLocal: false };

/**
 * Reads text, or ms since 1970 as our own SQL gives them. Text without a zone is UTC: n8n's SQLite has none of the mark,
 * and never another zone.
 */
export function readInstant(value: unknown): ReadInstant {
  if (value === null || value === undefined || value === '') return NONE;
  if (typeof value === 'number') return Number.isFinite(value) ? { ms: Math.round(value), isSuspect: false } : SUSPECT;
  if (typeof value !== 'string' || !readIso(value, out) || Number.isNaN(out.ms)) return SUSPECT;
  return { ms: out.ms, isSuspect: false };
}
