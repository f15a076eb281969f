import { loadSqlBlocks } from '../sql-blocks.ts';

const NAMES = [
  'schema_version',
  'acquire',
  'acquire_or_probe',
  'renew',
  'release',
  'is_holder',
  'force_release',
  'pause',
  'resume',
  'marks',
  'status',
  'runs',
  'events',
  'watch',
  'prune',
  'take_alerts',
  'settle_alert',
  'alert_counts',
  'grant_to',
] as const;

/** The statements of `calls.sql` by name. */
export const CALLS: Readonly<Record<(typeof NAMES)[number], string>> = loadSqlBlocks(
  new URL('./calls.sql', import.meta.url),
  NAMES,
);
