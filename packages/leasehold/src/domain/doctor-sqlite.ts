import { type Finding, ok, problem, unknown, warning } from './doctor.ts';
import { judgeSchema } from './doctor-schema.ts';
import { shellWord } from './messages.ts';
import type { SqliteFacts, StoreFileFacts } from './store-facts.ts';

/** A store that has less can't write soon; a page of the log is 4 KiB, and a start writes a few. */
const FREE_BYTES_MIN = 100 * 1_048_576;
const FULL = 2;
const SUPERUSER_ID = 0;

/** Everything that is to be said of an embedded store itself. `userId` is whose process this is; null where there are no ids. */
export function judgeSqlite(facts: SqliteFacts, userId: number | null): Finding[] {
  const { file, schema } = facts;
  const own = judgeSchema(schema, 'run any command of this Leasehold, which installs it');
  if (file === null) {
    const message = 'It is in memory and ends with its process, so on a command line it guards nothing: name a file.';
    return [warning('file', message), own];
  }
  return [
    ok(
      'file',
      `${file.path}, ${sizeText(file.size)} on ${file.fileSystem ?? 'a file system without a name'}, SQLite ${facts.version}.`,
    ),
    judgePermissions(file, userId),
    ...judgeFolder(file, userId),
    judgeSpace(file),
    judgeJournal(facts),
    judgeIntegrity(facts, file),
    own,
  ];
}

function judgePermissions({ path, mode, ownerId }: StoreFileFacts, userId: number | null): Finding {
  const check = 'permissions';
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  if (userId === null) return unknown(check, 'This system has no file modes.');
  if ((mode & 0o007) !== 0) {
    return warning(
      check,
      `Its mode is ${octal}: every user may ${(mode & 0o002) === 0 ? 'read' : 'write'} it, and with it the tokens of running jobs. chmod 0600 ${path}`,
    );
  }
  if ((mode & 0o070) !== 0) {
    return ok(check, `Mode ${octal}: its group shares it, and with it the tokens of running jobs.`);
  }
  if (ownerId !== userId && userId !== SUPERUSER_ID) {
    return warning(
      check,
      `It belongs to user ${ownerId} and this is user ${userId}: what this one makes beside it may shut the other out. Run doctor and jobs as one user.`,
    );
  }
  return ok(check, `Mode ${octal}: its owner's alone.`);
}

/** Who may write a folder may rename what lies in it, whoever owns that, unless the folder is sticky as /tmp is. */
function judgeFolder({ folder, folderMode }: StoreFileFacts, userId: number | null): Finding[] {
  if (userId === null || (folderMode & 0o002) === 0 || (folderMode & 0o1000) !== 0) return [];
  const octal = (folderMode & 0o777).toString(8).padStart(4, '0');
  const message = `Its folder has mode ${octal}: every user may move the store away and put another in its place. chmod o-w ${shellWord(folder)}`;
  return [warning('folder', message)];
}

function judgeSpace({ freeBytes }: StoreFileFacts): Finding {
  if (freeBytes >= FREE_BYTES_MIN) return ok('disk', `${sizeText(freeBytes)} free.`);
  return warning('disk', `Only ${sizeText(freeBytes)} free: on a full disk nothing starts (exit 69). Make room.`);
}

function judgeJournal({ journalMode, synchronous }: SqliteFacts): Finding {
  if (journalMode === 'wal' && synchronous >= FULL) {
    return ok('durability', 'WAL with synchronous=FULL: what was answered survives a power cut.');
  }
  return problem(
    'durability',
    `journal_mode ${journalMode} with synchronous ${synchronous}: a power cut may lose the last acquisition. Report this: Leasehold sets WAL and FULL itself.`,
  );
}

function judgeIntegrity({ integrity }: SqliteFacts, { path, size }: StoreFileFacts): Finding {
  if (integrity === 'ok') return ok('integrity', 'The quick check of SQLite found no fault.');
  if (integrity === null) {
    return unknown(
      'integrity',
      `Not read as a whole, being ${sizeText(size)}; do so when nothing runs: sqlite3 ${path} 'pragma quick_check'`,
    );
  }
  return problem(
    'integrity',
    `The quick check of SQLite found a fault (${integrity}). Stop all jobs and restore the file from a backup.`,
  );
}

/** Bytes for people: whole KiB, MiB or GiB, rounded down. */
function sizeText(bytes: number): string {
  if (bytes < 1_048_576) return `${Math.floor(bytes / 1_024)} KiB`;
  return bytes < 1_073_741_824 ? `${Math.floor(bytes / 1_048_576)} MiB` : `${Math.floor(bytes / 1_073_741_824)} GiB`;
}
