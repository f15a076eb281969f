import { BUSINESS } from './business.ts';
import { DATABASES } from './databases.ts';
import type { NodeDefault, NodeDefaults } from './default.ts';
import { FILES } from './files.ts';
import { FURTHER } from './further.ts';
import { MESSAGES } from './messages.ts';
import { TABLES } from './tables.ts';
import { WORK } from './work.ts';

const ALL: NodeDefaults = { ...DATABASES, ...TABLES, ...MESSAGES, ...BUSINESS, ...WORK, ...FILES, ...FURTHER };

/** Resource and operation of a node that leaves them out; null for a type that the tables don't have. */
export function defaultsOf(type: string, version: number): NodeDefault | null {
  const versions = Object.hasOwn(ALL, type) ? ALL[type] : undefined;
  return versions?.find(({ from }) => version >= from) ?? versions?.at(-1) ?? null;
}

/** The default operation of a resource; null where there is none. */
export function operationOf(found: NodeDefault, resource: string | null): string | null {
  const { operation } = found;
  const usual = typeof operation === 'object' ? operation[resource ?? ''] : operation;
  // A form that makes people choose has an empty default.
  return usual === undefined || usual === '' ? null : usual;
}

export const KNOWN_TYPES: readonly string[] = Object.keys(ALL);
