/** What `doctor` may see: everything as it should be, for tests that change one thing. */
import type { LockStatus } from '../../src/domain/answers.ts';
import type { HostFacts } from '../../src/domain/doctor-host.ts';
import type { PlaceFacts, StorePlace } from '../../src/domain/doctor-places.ts';
import type { Run } from '../../src/domain/run.ts';
import type { PostgresFacts, SqliteFacts, StoreFileFacts } from '../../src/domain/store-facts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MIB = 1_048_576;
export const NOW: number = Date.UTC(2026, 10, 30, 9);

/** A server as it should be. */
export const HEALTHY_POSTGRES: PostgresFacts = {
  kind: 'postgres',
  version: '18.1',
  versionNumber: 180_001,
  isStandby: false,
  isReadOnly: false,
  schema: { installed: 1, needs: 1, known: 1 },
  clock: { askedAt: NOW, serverAt: NOW + 2, answeredAt: NOW + 4 },
  pooler: { isBetween: false, sharing: null },
  settings: {
    default_transaction_isolation: 'read committed',
    fsync: 'on',
    full_page_writes: 'on',
    lock_timeout: '0',
    statement_timeout: '0',
    synchronous_commit: 'on',
    synchronous_standby_names: '',
  },
  standbys: { count: 0, synchronousCount: 0, hiddenCount: 0 },
  rights: { role: 'jobs', isSuperuser: false, isOwner: false, maySee: true, missing: [] },
  old: { transactionMs: 5_000, preparedMs: null, hiddenCount: 0 },
};

/** Lock `nightly`, which nobody has. */
export const FREE_LOCK: LockStatus = {
  lock: 'nightly',
  state: 'free',
  holder: null,
  holderInfo: null,
  since: null,
  ageMs: null,
  usualMs: null,
  leaseUntil: null,
  remainingMs: null,
  skipsInRow: 0,
  lastSuccessAt: null,
  nextSlotAt: null,
  paused: false,
};

/** Took 20 minutes of a lease of an hour. */
export const FINISHED_RUN: Run = {
  runId: 'r1',
  lock: 'nightly',
  outcome: 'acquired',
  reason: null,
  slotAt: null,
  holder: 'h',
  holderInfo: null,
  trigger: null,
  fence: 1,
  startedAt: new Date(NOW - 3 * HOUR),
  endedAt: new Date(NOW - 3 * HOUR + 20 * MINUTE),
  status: 'success',
  leaseMs: HOUR,
  renewedAt: null,
  ageMs: null,
  previousRunId: null,
  message: '',
};

/** A file as Leasehold makes it. */
export const STORE_FILE: StoreFileFacts = {
  path: '/var/s.db',
  fileSystem: 'ext4',
  mode: 0o100600,
  ownerId: 1_000,
  size: 2 * MIB,
  freeBytes: 3_000 * MIB,
  folder: '/var',
  folderMode: 0o40700,
};
export const HEALTHY_SQLITE: SqliteFacts = {
  kind: 'sqlite',
  version: '3.53.4',
  file: STORE_FILE,
  schema: { installed: 1, needs: 1, known: 1 },
  journalMode: 'wal',
  synchronous: 2,
  integrity: 'ok',
};
export const LINUX: HostFacts = {
  nodeVersion: '24.21.0',
  system: 'linux',
  bootId: 'b',
  startTicks: 7,
  userId: 1_000,
  accounts: [],
};

export const place = (patch: Partial<StorePlace>): StorePlace => ({
  place: 'the default',
  store: 'sqlite:/var/own.db',
  fault: null,
  isAmbient: true,
  exists: true,
  ...patch,
});

/** One user, one place, one store. */
export const ONE_PLACE: PlaceFacts = { places: [place({})], files: [], others: [], hiddenUsers: [], userId: 1_000 };
