/** What is said where a store can’t be reached or used, word for word: by what SQLite, the system, PostgreSQL or the network says. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { LeaseholdError } from '../../src/errors.ts';
import { toLeaseholdError } from '../../src/stores/postgres/errors.ts';
import { checkSchema } from '../../src/stores/postgres/migrate.ts';
import { latestVersion } from '../../src/stores/postgres/install-script.ts';
import { openStore } from '../stores/postgres/database.ts';
import {
  closedError,
  goneError,
  noSharedMemoryError,
  sharedDiskError,
  storeError,
} from '../../src/stores/sqlite/errors.ts';
import { assertSaid, type Said } from './said.ts';

/** An error as `node:sqlite` throws it. */
const sqlite = (errcode: number, message = 'said') =>
  storeError(Object.assign(new Error(message), { errcode }), 'sqlite:x.db');
/** An error as `node:fs` throws it. */
const file = (code: string) => storeError(Object.assign(new Error('said'), { code }), 'sqlite:x.db');

const UNREACHABLE = "store sqlite:x.db can't be reached:";
const UNUSABLE = "store sqlite:x.db can't be used:";
const BUSY = `${UNREACHABLE} other processes kept it locked for too long; nothing was changed. Try again. If it stays so, one of them keeps a transaction open: end it`;
const READ_ONLY = `${UNREACHABLE} this user may not write to its file and folder; give write access to both`;
const FULL = `${UNREACHABLE} its disk is full; nothing was changed. Free some space`;
const DAMAGED = `${UNUSABLE} its file is damaged (said); restore it from a backup, or move it away`;

const SQLITE: readonly Said[] = [
  ...[5, 6, 15, 261].map((code): Said => [() => sqlite(code), BUSY]),
  [() => sqlite(8), READ_ONLY],
  [() => sqlite(13), FULL],
  [() => sqlite(4_874), FULL],
  [() => sqlite(10), `${UNREACHABLE} its disk reports an error (said); look at the disk, then try again`],
  [
    () => sqlite(522),
    `${UNREACHABLE} its file, or the log beside it (-wal), is shorter than it was (said): it was deleted or cut while processes work on it. End the processes that use it, then try again`,
  ],
  [
    () => sqlite(14),
    `${UNREACHABLE} it can't be opened (said); see that its folder exists and that this user may write to it`,
  ],
  [() => sqlite(11), DAMAGED],
  [() => sqlite(24), DAMAGED],
  [
    () => sqlite(1, 'no such table: locks'),
    `${UNUSABLE} its file is damaged (no such table: locks); restore it from a backup, or move it away`,
  ],
  [() => sqlite(1), 'store sqlite:x.db: said'],
  [() => sqlite(20), 'store sqlite:x.db: said'],
  [() => sqlite(26), `${UNUSABLE} this file is not a SQLite database; name another file`],
  ...['EROFS', 'EACCES', 'EPERM'].map((code): Said => [() => file(code), READ_ONLY]),
  ...['ENOSPC', 'EDQUOT'].map((code): Said => [() => file(code), FULL]),
  ...['ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'].map(
    (code): Said => [() => file(code), `${UNUSABLE} no file can be at this path (${code}); name another one`],
  ),
  ...['ENOENT', 'EIO', 'ESTALE', 'EMFILE', 'ENFILE', 'ENODEV', 'ENXIO'].map(
    (code): Said => [
      () => file(code),
      `${UNREACHABLE} the file system refuses it (${code}); try again when it is there`,
    ],
  ),
  [
    () => noSharedMemoryError('sqlite:x.db'),
    `${UNUSABLE} its file system offers no shared memory to SQLite (WAL mode); put it on a local disk`,
  ],
  [
    () => sharedDiskError('sqlite:x.db', null),
    `${UNUSABLE} it lies on a network share; put it on a local disk, or use PostgreSQL for several machines`,
  ],
  [
    () => sharedDiskError('sqlite:x.db', 'NFS'),
    `${UNUSABLE} it lies on NFS, where the locks of SQLite don't reach every process; put it on a local disk, or use PostgreSQL for several machines`,
  ],
  [
    () => goneError('sqlite:x.db'),
    `${UNREACHABLE} its file is not there any more: deleted, moved, or on a disk that is not mounted. Bring it back; or start anew, which forgets every lease in it`,
  ],
  [() => closedError('sqlite:x.db'), `${UNREACHABLE} it was closed by this process; open it again`],
];

/** An error as `pg`, the server or the network gives it. */
const postgres = (code: string | null, message = 'said') =>
  toLeaseholdError(Object.assign(new Error(message), code === null ? {} : { code }), 'postgres://db/jobs');

const NOT_REACHED = (advice: string, said = 'said') => `Store postgres://db/jobs can't be reached (${said}); ${advice}`;
const NOT_USED = (advice: string) => `Store postgres://db/jobs can't be used (said); ${advice}`;
const NO_SCHEMA = 'Store postgres://db/jobs has no Leasehold schema, or an older one;';
const TIMED_OUT = 'it did not answer in time; what became of the call is not known';

const POSTGRES: readonly Said[] = [
  ...['LH001', 'LH002', 'LH003', '42704', '22021', '22P05'].map((code): Said => [() => postgres(code), 'said']),
  [() => postgres('LH004'), NOT_USED('nothing was installed')],
  ...['42P07', '42710', '42723'].map(
    (code): Said => [() => postgres(code), NOT_USED('something else has this name in the schema leasehold')],
  ),
  [() => postgres('28P01'), NOT_USED('check the password of this role')],
  [
    () => toLeaseholdError(new Error('SASL: client password must be a string'), 'postgres://db/jobs'),
    "Store postgres://db/jobs can't be used (SASL: client password must be a string); it asks for a password: in the URL, PGPASSWORD or .pgpass",
  ],
  [() => postgres('28000'), NOT_USED('check the role and the server’s pg_hba.conf')],
  [() => postgres('42501'), NOT_USED("as the schema's owner: select leasehold.grant_to('ROLE')")],
  [() => postgres('3D000'), NOT_USED('create the database or correct its name')],
  [() => postgres('3F000'), `${NO_SCHEMA} install it as the owner role: leasehold migrate`],
  [() => postgres('42P01'), `${NO_SCHEMA} install it as the owner role: leasehold migrate`],
  [() => postgres('42883'), `${NO_SCHEMA} install or update it as the owner role: leasehold migrate`],
  [() => postgres('25006'), NOT_REACHED('the server is read-only; name the primary')],
  [() => postgres('40001'), NOT_REACHED('other calls got in the way each time; try again')],
  [() => postgres('40P01'), NOT_REACHED('other calls got in the way each time; try again')],
  [() => postgres('55P03'), NOT_REACHED('another transaction keeps the row locked; look at pg_stat_activity')],
  [() => postgres('25P03'), NOT_REACHED('the server ended an idle transaction')],
  [() => postgres('25P04'), NOT_REACHED('the server ended a transaction that took too long')],
  [() => postgres('57014'), NOT_REACHED('the statement was cancelled or timed out')],
  [() => postgres('53100'), NOT_REACHED('the disk of the server is full')],
  [() => postgres('53300'), NOT_REACHED('the server has no connection left')],
  [() => postgres('57P01'), NOT_REACHED('the server is shutting down')],
  [() => postgres('57P02'), NOT_REACHED('the server is restarting after a crash')],
  [() => postgres('57P03'), NOT_REACHED('the server is starting up or shutting down')],
  [() => postgres('57P05'), NOT_REACHED('the server ended an idle connection')],
  ...['08006', '53000', '58030'].map(
    (code): Said => [() => postgres(code), NOT_REACHED('the server is in trouble; see its log')],
  ),
  [() => postgres('ECONNREFUSED'), NOT_REACHED('is the server up, and are host and port right?')],
  [() => postgres('ENOTFOUND'), NOT_REACHED('its host name is not known')],
  [() => postgres('EAI_AGAIN'), NOT_REACHED('its host name could not be looked up')],
  [() => postgres('ENOENT'), NOT_REACHED('a file that it needs is not there: its socket, or a certificate')],
  [() => postgres('ETIMEDOUT'), NOT_REACHED(TIMED_OUT)],
  [() => postgres(null, 'timeout expired'), NOT_REACHED(TIMED_OUT, 'timeout expired')],
  [() => postgres('ECONNRESET'), NOT_REACHED('is the server up, and is the network between?')],
  [
    () => postgres(null, 'Cannot use a pool after calling end on the pool'),
    NOT_REACHED('this store has been closed', 'Cannot use a pool after calling end on the pool'),
  ],
  [() => postgres('XX000'), NOT_USED('please report this')],
  [() => toLeaseholdError(new LeaseholdError('INTERNAL', 'as it was'), 'postgres://db/jobs'), 'as it was'],
];

const UNUSED = 'Store postgres://db/jobs has';
const schema = (version: number, needs: number) => checkSchema({ version, needs }, 'postgres://db/jobs');
const KNOWN = latestVersion();

const SCHEMAS: readonly Said[] = [
  [() => schema(0, 0), `${UNUSED} no Leasehold schema; as the owner role run: leasehold migrate`],
  [
    () => schema(KNOWN - 1, 0),
    `${UNUSED} schema version ${KNOWN - 1} of ${KNOWN}; as the owner role run: leasehold migrate`,
  ],
];

describe('of the embedded store', () => assertSaid(SQLITE));
describe('of PostgreSQL', () => assertSaid(POSTGRES));
describe('of its schema', () => assertSaid(SCHEMAS));

it('of a server that takes the connection and never answers, within the time-out of the call', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const store = await openStore(`postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/jobs`, false);
  await assert.rejects(store.isHolder('a', 'no-token', { timeoutMs: 200 }), {
    message: `Store postgres://test can't be reached (no answer within 200 ms); ${TIMED_OUT}`,
  });
  await store.close();
  server.close();
});
