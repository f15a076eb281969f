import type { Command } from 'commander';
import { parseDuration } from '../domain/duration.ts';
import {
  checkAfterMs,
  checkId,
  checkLeaseMs,
  checkPageSize,
  checkReason,
  checkToken,
  checkWaitMs,
  LEASE_MS_MIN,
} from '../domain/limits.ts';
import { EVENT_KINDS } from '../domain/event-kinds.ts';
import { LeaseholdError } from '../errors.ts';

/**
 * How option values are read. Everything is checked here, before a store is opened: a mistake in a
 * crontab is exit 64 whatever state the store is in.
 */

export const parseLease = (text: string): number => checkLeaseMs(parseDuration(text, 'lease'));
export const parseWait = (text: string): number => checkWaitMs(parseDuration(text, 'wait'));
export const parseAfter = (text: string): number => checkAfterMs(parseDuration(text, 'after'));
export const parseHolder = (text: string): string => checkId(text, 'holder');
export const parseRunId = (text: string): string => checkId(text, 'run id');
export const parseTrigger = (text: string): string => checkId(text, 'trigger');
export const parseToken = (text: string): string => checkToken(text);
export const parseReason = (text: string): string => checkReason(text, 'reason');
export const parseProgress = (text: string): string => checkReason(text, 'progress');
export const parseSchedule = (text: string): string => checkId(text, 'schedule');
export const parseTimezone = (text: string): string => checkId(text, 'timezone');
export const parseStoreWait = (text: string): number => checkWaitMs(parseDuration(text, 'store-wait'));
export const parseMaxHold = (text: string): number => checkSpan(text, 'max-hold');
export const parseStall = (text: string): number => checkSpan(text, 'stall');
/** A mistyped kind would look like an event that never happened. */
export const parseKind = (text: string): string => parseChoice('kind', EVENT_KINDS)(text);

/** A whole number without sign, exponent or fraction: `1e2` and `0x10` are mistakes in a script. */
export function parseLimit(text: string): number {
  return checkPageSize(/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);
}

/** A whole number between bounds. */
export function parseWhole(label: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new LeaseholdError('INVALID_ARGUMENT', `${label}: "${text}" is not a whole number from ${min} to ${max}`);
  };
}

function checkSpan(text: string, label: string): number {
  const ms = parseDuration(text, label);
  if (ms >= LEASE_MS_MIN) return ms;
  throw new LeaseholdError('INVALID_ARGUMENT', `${label}: "${text}" is too short; it must be 1s or longer`);
}

/** A date, a time and a zone: without its zone it would be another instant on another host. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Reads `2026-11-30T09:00:00Z` or the same with an offset. Throws INVALID_ARGUMENT. */
export function parseInstant(label: string): (text: string) => Date {
  return (text) => {
    const instant = new Date(INSTANT.test(text) ? text : Number.NaN);
    if (!Number.isNaN(instant.getTime()) && isDayOfCalendar(text)) return instant;
    throw new LeaseholdError(
      'INVALID_ARGUMENT',
      `${label}: "${text}" is not an instant; write ISO 8601 with a zone, for example 2026-11-30T09:00:00Z`,
    );
  };
}

/** Date takes 30 February for the first days of March. */
function isDayOfCalendar(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export const parseSlot: (text: string) => Date = parseInstant('slot');

/** Reads one word of a list. Throws INVALID_ARGUMENT, naming them. */
export function parseChoice<T extends string>(label: string, choices: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) {
      throw new LeaseholdError('INVALID_ARGUMENT', `${label}: "${text}" is not one of ${choices.join(', ')}`);
    }
    return choice;
  };
}

/** Adds the options that every command takes. */
export function withGlobalOptions(command: Command): Command {
  return command
    .option(
      '--store <url>',
      'sqlite:PATH or postgres://…; default $LEASEHOLD_STORE, a configuration, a file of this user',
    )
    .option('--config <file>', 'a JSON file: store, alerts, probes, retention; default $LEASEHOLD_CONFIG')
    .option('--json', 'one JSON object per line on stdout');
}

/** A mistake in how options are put together. */
export function usageError(message: string): LeaseholdError {
  return new LeaseholdError('INVALID_ARGUMENT', message);
}
