/** What `doctor` says of a PostgreSQL server, word for word. Which of it is a warning: domain/doctor-postgres.test.ts. */
import { describe } from 'node:test';
import { judgePostgres } from '../../src/domain/doctor-postgres.ts';
import type { PostgresFacts } from '../../src/domain/store-facts.ts';
import { HEALTHY_POSTGRES, NOW } from '../domain/doctor-samples.ts';
import { assertSaid, found, type Said } from './said.ts';

const HOUR = 3_600_000;
const { old, rights, settings, standbys } = HEALTHY_POSTGRES;

const of = (check: string, patch: Partial<PostgresFacts> = {}): (() => string) => {
  return () => found(judgePostgres({ ...HEALTHY_POSTGRES, ...patch }), check);
};
const set = (check: string, patch: PostgresFacts['settings']): (() => string) =>
  of(check, { settings: { ...settings, ...patch } });

const SERVER: readonly Said[] = [
  [of('server'), 'PostgreSQL 18.1.'],
  [
    of('server', { version: '14.9', versionNumber: 140_009 }),
    'PostgreSQL 14.9 is too old; Leasehold needs 15 to 18: update the server.',
  ],
  [
    of('server', { version: '19.0', versionNumber: 190_000 }),
    'PostgreSQL 19.0 is newer than what this Leasehold was tested on (15 to 18); see whether a newer Leasehold knows it.',
  ],
  [of('writable'), 'A primary that takes writes.'],
  [of('writable', { isStandby: true }), 'This is a standby, so nothing can start; name the primary in the store URL.'],
  [
    of('writable', { isReadOnly: true }),
    'Transactions are read-only here (default_transaction_read_only), so nothing can start; switch that off for this role and database.',
  ],
  [
    of('schema', { schema: { installed: 0, needs: 0, known: 1 } }),
    'There is no Leasehold schema; as the owner role run: leasehold migrate.',
  ],
  [of('pooler'), 'None: this process talks to the server itself.'],
  [
    of('pooler', { pooler: { isBetween: null, sharing: null } }),
    'Whether a pooler is in between can not be seen; Leasehold works either way.',
  ],
  [
    of('pooler', { pooler: { isBetween: true, sharing: null } }),
    'A pooler is in between, in which mode was not seen; Leasehold works in each.',
  ],
  [
    of('pooler', { pooler: { isBetween: true, sharing: 'transaction' } }),
    'A pooler in transaction mode is in between. That works: nothing of Leasehold hangs on a session.',
  ],
  [of('clock'), "The server's clock and this host's differ by 0 ms (measured to 2 ms)."],
  [
    of('clock', { clock: { askedAt: NOW, serverAt: NOW - 600_000, answeredAt: NOW } }),
    "The server's clock is 10m behind this host's (measured to 0 ms). Leases don't mind: the server's alone decides. Slots go by this host's, and logs of both don't fit together: set both by NTP.",
  ],
  [
    of('clock', { clock: { askedAt: NOW, serverAt: NOW + HOUR, answeredAt: NOW } }),
    "The server's clock is 1h ahead of this host's (measured to 0 ms). Leases don't mind: the server's alone decides. Slots go by this host's, and logs of both don't fit together: set both by NTP.",
  ],
];

const RIGHTS: readonly Said[] = [
  [of('rights'), 'Role jobs may execute what it needs and owns nothing.'],
  [
    of('rights', { schema: { installed: 0, needs: 0, known: 1 } }),
    'Role jobs; what it may do is known once there is a schema.',
  ],
  [
    of('rights', { rights: { ...rights, role: "o'brien", maySee: false } }),
    "Role o'brien may not use the schema leasehold; as the schema's owner: select leasehold.grant_to('o''brien').",
  ],
  [
    of('rights', { rights: { ...rights, missing: ['acquire', 'pause', 'renew', 'resume', 'runs'] } }),
    "Role jobs may not execute acquire, pause, renew and 2 more functions of the schema leasehold; as the schema's owner: select leasehold.grant_to('jobs').",
  ],
  [
    of('rights', { rights: { ...rights, isSuperuser: true } }),
    'Role jobs is a superuser; a role with EXECUTE alone is enough to run jobs.',
  ],
  [
    of('rights', { rights: { ...rights, isOwner: true } }),
    'Role jobs owns the schema; a role with EXECUTE alone is enough to run jobs.',
  ],
];

const TIME: readonly Said[] = [
  [of('isolation'), 'read committed, the usual level.'],
  [of('isolation', { settings: {} }), 'The default isolation level was not told.'],
  [
    set('isolation', { default_transaction_isolation: 'serializable' }),
    'serializable. That works; calls that meet one another are repeated, so a busy lock is slower.',
  ],
  [of('timeouts'), 'The server ends no call early.'],
  [set('timeouts', { statement_timeout: '30000' }), 'statement_timeout 30s: long enough.'],
  [
    set('timeouts', { statement_timeout: '500', lock_timeout: '100' }),
    'statement_timeout 500 ms, lock_timeout 100 ms for this role: the server ends calls that would have been answered, and a start then is exit 69. Give the role 5 s or more, or none: alter role … set.',
  ],
  [of('transactions'), 'None is older than 10m.'],
  [
    of('transactions', { old: { ...old, preparedMs: 2 * HOUR } }),
    'A prepared transaction is 2h old. It keeps its locks and every old row until somebody ends it: see pg_prepared_xacts.',
  ],
  [
    of('transactions', { old: { ...old, transactionMs: 2 * HOUR } }),
    'A transaction has been open for 2h; old rows stay until it ends. See pg_stat_activity.',
  ],
  [
    of('transactions', { old: { ...old, hiddenCount: 3 } }),
    'Of 3 sessions this role may not see how old their transactions are; with pg_read_all_stats it may.',
  ],
];

const DURABILITY: readonly Said[] = [
  [of('durability'), "Commits are on the server's disk before they are answered (synchronous_commit on)."],
  [of('durability', { settings: {} }), 'synchronous_commit was not told.'],
  [
    set('durability', { fsync: 'off' }),
    "fsync is off: a crash of the server's host may destroy the store. Switch it on and restart the server.",
  ],
  [
    set('durability', { full_page_writes: 'off' }),
    "full_page_writes is off: a crash of the server's host may leave half-written pages. Switch it on, unless the file system writes pages whole.",
  ],
  [
    set('durability', { synchronous_commit: 'off' }),
    'synchronous_commit is off: a crash may lose the last acquisition, and another run would start beside it. Set it on for this role and database.',
  ],
];

const NAMED = { ...settings, synchronous_standby_names: 'a' };
const REPLICATION: readonly Said[] = [
  [of('replication'), 'No standby is connected. (Copies that a provider makes below the server can not be seen.)'],
  [of('replication', { settings: {} }), 'synchronous_standby_names was not told.'],
  [
    of('replication', { standbys: { ...standbys, count: 1 } }),
    'One standby or subscriber is connected and none is synchronous: a failover may lose the last acquisition, and another run would start beside it. Name one in synchronous_standby_names, or fail over by hand when nothing runs.',
  ],
  [
    of('replication', { standbys: { ...standbys, count: 2 } }),
    '2 standbys or subscribers are connected and none is synchronous: a failover may lose the last acquisition, and another run would start beside it. Name one in synchronous_standby_names, or fail over by hand when nothing runs.',
  ],
  [
    of('replication', { settings: { ...NAMED, synchronous_commit: 'local' } }),
    'synchronous_commit is local for this role, so no standby is waited for: a failover may lose the last acquisition. Set it on.',
  ],
  [
    of('replication', { settings: NAMED }),
    'Synchronous standbys are named and none is connected, so every commit waits: bring one back, or calls end in exit 69.',
  ],
  [
    of('replication', {
      settings: { ...NAMED, synchronous_commit: 'remote_write' },
      standbys: { ...standbys, synchronousCount: 1 },
    }),
    'Synchronous (remote_write): a failover keeps each acquisition unless both hosts crash at once.',
  ],
  [
    of('replication', { settings: NAMED, standbys: { ...standbys, synchronousCount: 1 } }),
    'Synchronous: a failover keeps each acquisition that was answered.',
  ],
];

describe('of the server', () => assertSaid(SERVER));
describe('of rights', () => assertSaid(RIGHTS));
describe('of levels, time-outs and old transactions', () => assertSaid(TIME));
describe('of what a crash may take', () => assertSaid(DURABILITY));
describe('of what a failover may take', () => assertSaid(REPLICATION));
