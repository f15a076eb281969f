import { parseDuration } from '../domain/duration.ts';
import { checkRetentionMs, RETENTION_DEFAULT, type Retention } from '../domain/retention.ts';
import { LeaseholdError } from '../errors.ts';

/**
 * `"retention": {"runs": "90d", "events": "365d"}` of a configuration file; what it leaves out is the default. Throws
 * INVALID_ARGUMENT, which says what to write.
 */
export function readRetention(value: unknown): Retention {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misread('is no object');
  const given = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((key) => key !== 'runs' && key !== 'events');
  if (unknown !== undefined) throw misread(`has an unknown key "${unknown}"`);
  return {
    runsMs: retentionMs(given['runs'], 'runs') ?? RETENTION_DEFAULT.runsMs,
    eventsMs: retentionMs(given['events'], 'events') ?? RETENTION_DEFAULT.eventsMs,
  };
}

function retentionMs(value: unknown, label: string): number | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') throw misread(`says for ${label} what is no duration in quotes`);
  return checkRetentionMs(parseDuration(value, `retention of ${label}`), label);
}

function misread(what: string): LeaseholdError {
  return new LeaseholdError('INVALID_ARGUMENT', `"retention" ${what}; write {"runs": "90d", "events": "365d"}`);
}
