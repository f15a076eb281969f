import { realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteFacts, StoreFileFacts } from '../../domain/store-facts.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { mountOf } from './file-system.ts';
import { checkSchema, LATEST_VERSION } from './migrate.ts';
import type { Session } from './session.ts';
import { IN_MEMORY, readMountinfo } from './store-file.ts';

/** A larger file isn't read as a whole: that takes seconds, in which this process does nothing else. */
const CHECKED_BYTES_MAX = 100 * 1_048_576;

const sql = loadSqlBlocks(new URL('./sql/facts.sql', import.meta.url), [
  'library',
  'journal_mode',
  'synchronous',
  'quick_check',
]);

/** What the store says of itself. `path` is what the caller named, `store` the store's name. */
export function inspect(session: Session, path: string, store: string): SqliteFacts {
  const file = path === IN_MEMORY ? null : fileFacts(path);
  const installed = checkSchema(session, store);
  const isChecked = file === null || file.size <= CHECKED_BYTES_MAX;
  return {
    kind: 'sqlite',
    version: String(session.get(sql.library)?.['version']),
    file,
    schema: { installed, needs: Math.min(installed, LATEST_VERSION), known: LATEST_VERSION },
    journalMode: String(session.get(sql.journal_mode)?.['journal_mode']),
    synchronous: Number(session.get(sql.synchronous)?.['synchronous']),
    integrity: isChecked ? String(session.get(sql.quick_check)?.['quick_check']) : null,
  };
}

function fileFacts(named: string): StoreFileFacts {
  const path = realpathSync(named);
  const { mode, uid, size } = statSync(path);
  const { bavail, bsize } = statfsSync(path);
  const fileSystem = mountOf(path, readMountinfo())?.type ?? null;
  const folder = dirname(path);
  const { mode: folderMode } = statSync(folder);
  return { path, folder, folderMode, fileSystem, mode, ownerId: uid, size, freeBytes: bavail * bsize };
}
