import type { StoreFacts } from '../domain/store-facts.ts';

/**
 * The part of a store that `doctor` asks. Reads and never writes; unlike every other call it also works where the
 * schema is missing, older or may not be used, since that is what it is asked for.
 *
 * Throws STORE_UNREACHABLE, STORE_UNUSABLE, STORE_FORBIDDEN (no log-in). A crash leaves nothing.
 */
export interface InspectableStore {
  inspect(): Promise<StoreFacts>;
}
