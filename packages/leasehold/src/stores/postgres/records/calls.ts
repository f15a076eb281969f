import { loadSqlBlocks } from '../../sql-blocks.ts';

const NAMES = [
  'enqueue_records',
  'claim_records',
  'claim_next_records',
  'work',
  'extend',
  'return_unworked',
  'sweep',
  'take_to_ask',
  'note_holder_ended',
  'apply_lookup',
  'decide_record',
  'change_pool',
  'pools',
  'records',
  'work_times',
] as const;

/** The statements of `calls.sql` by name. */
export const CALLS: Readonly<Record<(typeof NAMES)[number], string>> = loadSqlBlocks(
  new URL('./calls.sql', import.meta.url),
  NAMES,
);
