import { readIso } from '../table/iso-instant.ts';

/** An instant as n8n stores or sends it, in ms UTC; null where there is none, `isSuspect` where it can't be read. */
export interface ReadInstant {
  readonly ms: number | null;
  readonly isSuspect: boolean;
}

const NONE: ReadInstant = { ms: null, isSuspect: false };
const SUSPECT: ReadInstant = { ms: null, isSuspect: true };

/** Reads text, or ms since 1970 as our own SQL gives them. Its SQLite has no mark of the zone: those are UTC, too. */
export function readInstant(value: unknown): ReadInstant {
  if (value === null || value === undefined || value === '') return NONE;
  if (typeof value === 'number') return Number.isFinite(value) ? { ms: Math.round(value), isSuspect: false } : SUSPECT;
  const read = { ms: 0, isLocal: false };
  return typeof value === 'string' && readIso(value, read) ? { ms: read.ms, isSuspect: false } : SUSPECT;
}
