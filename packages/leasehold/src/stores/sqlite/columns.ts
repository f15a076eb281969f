import { LeaseholdError } from '../../errors.ts';
import type { SqlRow } from './driver.ts';

/** Columns of a row by their types. The tables are strict, so another type is a fault of ours. */

export function readText(row: SqlRow, column: string): string {
  return textIn(row[column], column);
}

/** A value that is text, of the column that a fault would name. */
export function textIn(value: unknown, column: string): string {
  return typeof value === 'string' ? value : refuse(column, value);
}

export function integerIn(value: unknown, column: string): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse(column, value);
}

export function readTextOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : readText(row, column);
}

export function readInteger(row: SqlRow, column: string): number {
  return integerIn(row[column], column);
}

export function readIntegerOrNull(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : readInteger(row, column);
}

export function readDate(row: SqlRow, column: string): Date {
  return new Date(readInteger(row, column));
}

export function readDateOrNull(row: SqlRow, column: string): Date | null {
  return row[column] === null ? null : readDate(row, column);
}

/** A JSON object; null for anything else, because a person may have written it. */
export function readObjectOrNull(row: SqlRow, column: string): Readonly<Record<string, unknown>> | null {
  const text = readTextOrNull(row, column);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

/** A value as the JSON text of a column; null stays null. */
export function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function refuse(column: string, value: unknown): never {
  throw new LeaseholdError('INTERNAL', `column ${column} holds ${value === null ? 'null' : typeof value}`);
}
