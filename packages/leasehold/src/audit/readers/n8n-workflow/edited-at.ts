import { readInstant } from '../live/instant.ts';
import type { Fields } from './definition.ts';

/** When it was last changed, in ms since 1970, UTC; null where the file doesn't say, or not so that it can be read. */
export function editedAtMs(value: Fields): number | null {
  return readInstant(value['updatedAt']).ms ?? readInstant(value['createdAt']).ms;
}
