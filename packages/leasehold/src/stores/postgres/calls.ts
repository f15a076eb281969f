import { loadSqlBlocks } from '../sql-blocks.ts';

/** The statements of `calls.sql` by name. */
export const CALLS = loadSqlBlocks(new URL('./calls.sql', import.meta.url), [
  'schema_version',
  'acquire',
  'renew',
  'release',
  'is_holder',
  'force_release',
  'status',
  'runs',
  'events',
  'grant_to',
]);
