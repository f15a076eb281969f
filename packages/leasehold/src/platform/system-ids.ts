import { randomUUID } from 'node:crypto';
import type { Ids } from '../ports/ids.ts';

const random = Math.random;

/** The ids of production: version 4 UUIDs, 122 random bits from the system's generator. */
export const systemIds: Ids = Object.freeze({
  newId: (): string => randomUUID(),
  random: (): number => random(),
});
