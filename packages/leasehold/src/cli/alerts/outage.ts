import { isLeaseholdError, type LeaseholdErrorCode } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import type { CommandAlerts } from './delivery.ts';

/** What keeps every start of a store from beginning. */
const STORE_ERRORS: ReadonlySet<LeaseholdErrorCode> = new Set([
  'STORE_UNREACHABLE',
  'STORE_UNUSABLE',
  'STORE_FORBIDDEN',
  'SCHEMA_MISSING',
  'SCHEMA_NEWER',
]);

/** That nothing can start must not wait in a store that nobody reaches: it is told directly. Never throws; at most 2 s. */
export async function tellStoreError(
  context: CommandContext,
  { channels }: CommandAlerts,
  where: { readonly store: string | null; readonly lock: string | null },
  error: unknown,
): Promise<void> {
  if (channels.length === 0 || !isLeaseholdError(error) || !STORE_ERRORS.has(error.code)) return;
  const { tellOutage } = await import('./direct.ts');
  await tellOutage(context, channels, { ...where, error });
}
