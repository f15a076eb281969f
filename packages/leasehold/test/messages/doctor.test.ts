/** What `doctor` says of host, places, schema and a SQLite file, word for word. Which of it is a warning: domain/doctor.test.ts. */
import { describe } from 'node:test';
import { judgeHost, type HostFacts } from '../../src/domain/doctor-host.ts';
import { judgePlaces, type PlaceFacts } from '../../src/domain/doctor-places.ts';
import { judgeSchema } from '../../src/domain/doctor-schema.ts';
import { judgeSqlite } from '../../src/domain/doctor-sqlite.ts';
import type { SqliteFacts, StoreFileFacts } from '../../src/domain/store-facts.ts';
import { HEALTHY_SQLITE, LINUX, ONE_PLACE, place, STORE_FILE } from '../domain/doctor-samples.ts';
import { assertSaid, found, type Said } from './said.ts';

const MIB = 1_048_576;
const GIB = 1_024 * MIB;

const ofHost = (patch: Partial<HostFacts>) => () => found(judgeHost({ ...LINUX, ...patch }), 'platform');
const HOST: readonly Said[] = [
  [ofHost({}), 'linux; the end of a process of this host can be proven.'],
  [
    ofHost({ system: 'darwin', bootId: null, startTicks: null }),
    "darwin tells no id of its boot and no start time of a process: that a killed run has ended can't be proven here, so only its lease decides. Keep leases short.",
  ],
];

const ofPlaces = (check: string, patch: Partial<PlaceFacts>) => () =>
  found(judgePlaces({ ...ONE_PLACE, ...patch }), check);
const VARIABLE = place({ place: 'LEASEHOLD_STORE', store: 'sqlite:/other.db', isAmbient: false });
const BROKEN = place({ place: '/etc/x.json', store: null, fault: 'configuration /etc/x.json is not JSON' });
const SYSTEM_FILE = { path: '/etc/leasehold.json', mode: 0o100644, ownerId: 0 };
const PLACES: readonly Said[] = [
  [
    ofPlaces('config', { places: [VARIABLE, place({})] }),
    'The store is named by LEASEHOLD_STORE; passed by: the default (sqlite:/var/own.db).',
  ],
  [
    ofPlaces('config', { places: [place({}), BROKEN] }),
    'configuration /etc/x.json is not JSON. Whoever comes to it is refused (exit 78).',
  ],
  [
    ofPlaces('config', { places: [BROKEN, place({})] }),
    'configuration /etc/x.json is not JSON. Nothing can start here until it is mended.',
  ],
  [
    ofPlaces('config', { places: [] }),
    'Nothing names a store, and this user has no home directory for one; give --store URL.',
  ],
  [
    ofPlaces('config', { files: [{ ...SYSTEM_FILE, mode: 0o100664 }] }),
    '/etc/leasehold.json has mode 0664: others may name another store in it. chmod go-w /etc/leasehold.json',
  ],
  [
    ofPlaces('config', { files: [{ ...SYSTEM_FILE, ownerId: 1_001 }] }),
    '/etc/leasehold.json belongs to user 1001, neither root nor this one, who may name another store in it. chown root /etc/leasehold.json',
  ],
  [
    ofPlaces('stores', { places: [VARIABLE, place({})] }),
    'Two stores on this host: LEASEHOLD_STORE names sqlite:/other.db, and a job that lacks it, of cron for one, uses sqlite:/var/own.db (the default). If they share jobs, name the store in /etc/leasehold.json, which counts for every user.',
  ],
  [
    ofPlaces('stores', { others: [{ user: 'admin', store: 'sqlite:/var/admin.db' }] }),
    'Two stores on this host: user admin has sqlite:/var/admin.db, and this user has sqlite:/var/own.db. If they share jobs, name the store in /etc/leasehold.json, which counts for every user.',
  ],
  [
    ofPlaces('stores', { hiddenUsers: ['admin', 'b', 'c', 'd', 'e'] }),
    'No second store can be seen, but this user may not look for that of admin, b, c and 2 more; run doctor as root, too.',
  ],
  [ofPlaces('stores', {}), 'Every user of this host that has a store has the same one.'],
];

const ofSchema = (installed: number | null, needs: number | null) => () =>
  judgeSchema({ installed, needs, known: 3 }, 'do this').message;
const SCHEMA: readonly Said[] = [
  [ofSchema(null, null), 'Its version may not be read by this role; see rights.'],
  [ofSchema(0, 0), 'There is no Leasehold schema; do this.'],
  [ofSchema(5, 4), 'Version 5 needs Leasehold of schema 4 or later, and this one knows 3; update leasehold here.'],
  [ofSchema(2, 2), 'Version 2 is older than 3; do this.'],
  [ofSchema(4, 3), 'Version 4, newer than this Leasehold (3), which may still use it.'],
  [ofSchema(3, 3), 'Version 3, the newest that this Leasehold knows.'],
];

const ofStore =
  (check: string, patch: Partial<SqliteFacts>, userId: number | null = 1_000) =>
  () =>
    found(judgeSqlite({ ...HEALTHY_SQLITE, ...patch }, userId), check);
const ofFile = (check: string, patch: Partial<StoreFileFacts>) => ofStore(check, { file: { ...STORE_FILE, ...patch } });
const SQLITE: readonly Said[] = [
  [
    ofStore('schema', { schema: { installed: 0, needs: 0, known: 1 } }),
    'There is no Leasehold schema; run any command of this Leasehold, which installs it.',
  ],
  [
    ofStore('file', { file: null }),
    'It is in memory and ends with its process, so on a command line it guards nothing: name a file.',
  ],
  [ofFile('file', { size: 5_000 }), '/var/s.db, 4 KiB on ext4, SQLite 3.53.4.'],
  [
    ofFile('file', { fileSystem: null, size: 3 * GIB }),
    '/var/s.db, 3 GiB on a file system without a name, SQLite 3.53.4.',
  ],
  [ofStore('permissions', {}), "Mode 0600: its owner's alone."],
  [ofStore('permissions', {}, null), 'This system has no file modes.'],
  [
    ofFile('permissions', { mode: 0o100644 }),
    'Its mode is 0644: every user may read it, and with it the tokens of running jobs. chmod 0600 /var/s.db',
  ],
  [
    ofFile('folder', { folderMode: 0o40777 }),
    'Its folder has mode 0777: every user may move the store away and put another in its place. chmod o-w /var',
  ],
  [
    ofFile('permissions', { mode: 0o100666 }),
    'Its mode is 0666: every user may write it, and with it the tokens of running jobs. chmod 0600 /var/s.db',
  ],
  [
    ofFile('permissions', { mode: 0o100660 }),
    'Mode 0660: its group shares it, and with it the tokens of running jobs.',
  ],
  [
    ofStore('permissions', {}, 1_001),
    'It belongs to user 1000 and this is user 1001: what this one makes beside it may shut the other out. Run doctor and jobs as one user.',
  ],
  [ofFile('disk', { freeBytes: 3 * GIB }), '3 GiB free.'],
  [ofFile('disk', { freeBytes: 20 * MIB }), 'Only 20 MiB free: on a full disk nothing starts (exit 69). Make room.'],
  [ofStore('durability', {}), 'WAL with synchronous=FULL: what was answered survives a power cut.'],
  [
    ofStore('durability', { synchronous: 1 }),
    'journal_mode wal with synchronous 1: a power cut may lose the last acquisition. Report this: Leasehold sets WAL and FULL itself.',
  ],
  [ofStore('integrity', {}), 'The quick check of SQLite found no fault.'],
  [
    ofStore('integrity', { integrity: null }),
    "Not read as a whole, being 2 MiB; do so when nothing runs: sqlite3 /var/s.db 'pragma quick_check'",
  ],
  [
    ofStore('integrity', { integrity: 'row 1 missing' }),
    'The quick check of SQLite found a fault (row 1 missing). Stop all jobs and restore the file from a backup.',
  ],
];

describe('of the host', () => assertSaid(HOST));
describe('of places that may name a store', () => assertSaid(PLACES));
describe('of the schema', () => assertSaid(SCHEMA));
describe('of a SQLite file', () => assertSaid(SQLITE));
