/** What is said of addresses of running systems, and of those that can't be read, word for word. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { historyBegin } from '../../src/audit/readers/live/history-begin.ts';
import { type LiveSource, parseLiveSource } from '../../src/audit/readers/live/source.ts';
import { judgeAnswer, judgeError } from '../../src/audit/readers/n8n-api/answer.ts';
import { failureText } from '../../src/audit/readers/n8n-database/failure.ts';
import { createPgReader } from '../../src/audit/readers/n8n-database/postgres-driver.ts';
import { LeaseholdError } from '../../src/errors.ts';
import { assertSaid, type Said } from './said.ts';

const parse =
  (argument: string, key: string | undefined = 'a-key') =>
  (): LiveSource | null =>
    parseLiveSource(argument, key);

const ADDRESSES: readonly Said[] = [
  [parse('n8n:n8n.example.com'), 'n8n: needs the whole address of the n8n; write n8n:https://HOST'],
  [
    parse('n8n:https://me:50%@n8n.example.com'),
    "the n8n address can't be read; percent-encode the special characters of user and password (/ is %2F, ? is %3F, # is %23, @ is %40, \\ is %5C)",
  ],
  [
    parse('n8n:https://sec\\ret@n8n.example.com'),
    "the n8n address can't be read; percent-encode the special characters of user and password (/ is %2F, ? is %3F, # is %23, @ is %40, \\ is %5C)",
  ],
  [
    () => parseLiveSource('n8n:https://me:secret@n8n.example.com/path/?token=secret#x', undefined),
    'n8n:https://n8n.example.com/path is read with an API key: make one in n8n (Settings, n8n API) with the scopes workflow:list and execution:list, and put it into LEASEHOLD_N8N_KEY',
  ],
  [parse('n8n:https://n8n.example.com', 'a key\nof two lines'), 'LEASEHOLD_N8N_KEY has characters that no API key has'],
  [
    parse('sqlite:'),
    'sqlite: needs the path of a file; write sqlite:PATH, for example sqlite:/var/lib/n8n/.n8n/database.sqlite',
  ],
  [
    parse('postgres://me:se/cret@host/n8n'),
    "the PostgreSQL address can't be read; percent-encode the special characters of user and password (/ is %2F, ? is %3F, # is %23, @ is %40, \\ is %5C)",
  ],
  [parse('https://n8n.example.com'), 'of addresses on the web only those of an n8n are read; write n8n:https://HOST'],
  [
    parse('mysql://me:secret@host/n8n'),
    "n8n's MySQL databases are not read; read that n8n by its API: n8n:https://HOST",
  ],
  [
    parse('redis://me:secret@host'),
    'no source is known by "redis:"; write a path, n8n:https://HOST, sqlite:PATH or postgres://USER@HOST/DATABASE',
  ],
];

const url = new URL('http://n8n.example.com/api/v1/workflows');
const asked = { url, scope: 'workflow:list', key: 'a-key' };
const answer =
  (status: number, fields: object = {}) =>
  (): string | undefined => {
    const whole = { status, contentType: 'application/json', location: null, text: '', ...fields };
    const judged = judgeAnswer(whole, asked);
    return judged.kind === 'failed' ? judged.why : undefined;
  };
const fault =
  (code: string): (() => string | undefined) =>
  () => {
    const judged = judgeError(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) }), false);
    return judged.kind === 'failed' ? judged.why : undefined;
  };
const CERTIFICATE = 'shows a certificate that this computer does not trust';

const ANSWERS: readonly Said[] = [
  [answer(200, { text: null }), 'sent a page that is too large to read'],
  [answer(200, { text: '{"cut' }), 'sent something other than JSON'],
  [
    answer(302, { location: '/login' }),
    'answers with a redirect (302) to http://n8n.example.com, as a login page does; the key is not sent there',
  ],
  [answer(302), 'answers with a redirect (302) to nowhere'],
  [answer(502, { contentType: 'text/html', text: '<html>' }), 'answers 502'],
  [answer(400, { text: '{"message":"cursor of me@example.com"}' }), 'answers 400 (cursor of ***@***)'],
  [fault('ENOTFOUND'), 'has a host name that is not known'],
  [fault('EAI_AGAIN'), 'has a host name that could not be looked up'],
  [fault('SELF_SIGNED_CERT_IN_CHAIN'), `${CERTIFICATE} (of an authority of its own): give that in NODE_EXTRA_CA_CERTS`],
  [
    fault('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    `${CERTIFICATE} (its authority is missing): give that in NODE_EXTRA_CA_CERTS`,
  ],
  [fault('CERT_HAS_EXPIRED'), 'shows a certificate that has expired'],
  [fault('ERR_TLS_CERT_ALTNAME_INVALID'), 'shows a certificate of another host'],
  [fault('EPROTO'), "can't be reached (EPROTO)"],
];

const sqlite = (errcode: number) => (): string => failureText(Object.assign(new Error('of SQLite'), { errcode }));
const code = (name: string) => (): string => failureText(Object.assign(new Error('of a driver'), { code: name }));
const said = (message: string) => (): string => failureText(new Error(message));

const DATABASES: readonly Said[] = [
  [sqlite(3), 'this user may not read the file'],
  [sqlite(5), 'another process keeps it locked'],
  [
    sqlite(776),
    'a change in it was cut off, and only a process that may write can undo that; copy it together with its -journal or -wal file to a folder that you may write',
  ],
  [sqlite(10), 'the disk answers with an error'],
  [
    sqlite(14),
    "SQLite can't open it; if a file of the same name with -wal stands beside it, copy both to a folder that you may write",
  ],
  [sqlite(21), 'SQLite answers with its code 21'],
  [code('EACCES'), 'this user may not read the file'],
  [code('ECONNRESET'), 'the connection to the server broke'],
  [code('EAI_AGAIN'), 'the name of its host could not be looked up'],
  [code('ETIMEDOUT'), 'the server did not answer in time'],
  [
    code('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'the server shows a self-signed certificate; name it by sslrootcert in the address',
  ],
  [
    code('SELF_SIGNED_CERT_IN_CHAIN'),
    "the server's certificate is of an unknown authority; name that by sslrootcert in the address",
  ],
  [code('28000'), 'the server refuses this role; look at its pg_hba.conf'],
  [code('42501'), 'this role may not read it; grant it select on the tables of n8n'],
  [code('53300'), 'the server has no connection left'],
  [code('55P03'), 'somebody keeps a table locked; try again later'],
  [code('57014'), 'a statement took longer than 60 s and was stopped'],
  [code('57P01'), 'the server is shutting down'],
  [code('57P03'), 'the server is starting up or shutting down'],
  [code('XX000'), 'the server answers with XX000'],
  [said('Connection terminated unexpectedly'), 'the connection to the server broke'],
  [said('Query read timeout'), 'the server did not answer in time'],
  [
    said('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    'the server asks for a password: in the address, PGPASSWORD or .pgpass',
  ],
  [said('row 12 holds secrets'), 'a fault of Leasehold itself came between; please report it'],
  [
    () => failureText(new TypeError('x is not a function')),
    'a fault of Leasehold itself came between (TypeError); please report it',
  ],
  [() => failureText(new LeaseholdError('STORE_UNUSABLE', 'needs "pg"')), 'needs "pg"'],
];

const NOW_MS = Date.parse('2026-11-30T12:00:00.000Z');
const begin = (count: number, days: number) => (): string | null =>
  historyBegin({ count, oldestMs: NOW_MS - days * 86_400_000 }, { nowMs: NOW_MS, days: 30 });

const HISTORIES: readonly Said[] = [
  [
    begin(9_998, 3),
    'Its history begins at 2026-11-27T12:00:00Z, 3.0 days ago (30 were asked for), and has 9,998 runs of all workflows: n8n keeps 10,000 unless it is set otherwise, so a busy workflow pushes out the runs of a rare one.',
  ],
  [
    begin(812, 14),
    'Its history begins at 2026-11-16T12:00:00Z, 14.0 days ago (30 were asked for), and has 812 runs of all workflows: n8n deletes runs after 14 days unless it is set otherwise.',
  ],
  [
    begin(1, 5),
    'Its history begins at 2026-11-25T12:00:00Z, 5.0 days ago (30 were asked for), and has 1 run of all workflows: it is new, or what was before is deleted.',
  ],
];

describe('of addresses', () => {
  assertSaid(ADDRESSES);
  it('a warning where the key goes without TLS, and none on this computer', () => {
    const warning = (address: string): string | null => {
      const source = parseLiveSource(address, 'a-key');
      return source?.kind === 'n8n-api' ? source.warning : null;
    };
    assert.equal(
      warning('n8n:http://n8n:5678'),
      'n8n:http://n8n:5678 is asked without TLS: whoever is on the way can read the API key',
    );
    for (const near of [
      'http://localhost:5678',
      'http://127.0.0.1:5678',
      'http://[::1]:5678',
      'https://n8n.example.com',
    ]) {
      assert.equal(warning(`n8n:${near}`), null, near);
    }
  });
  it('paths are none of them', () => {
    for (const path of ['exports', './a:b/c.csv', '-', '/etc/crontab', 'C:\\exports\\runs.csv', 'runs:today.csv']) {
      assert.equal(parseLiveSource(path, undefined), null, path);
    }
  });
  it('a name has no user, password, query or fragment', () => {
    const names = [
      parseLiveSource('n8n:https://me:secret@n8n.example.com/sub/?q=1#top', 'a-key')?.name,
      parseLiveSource('postgresql://me:secret@db.example.com:5433/n8n?sslmode=disable', undefined)?.name,
      parseLiveSource('sqlite:./database.sqlite', undefined)?.name,
    ];
    assert.deepEqual(names, [
      'n8n:https://n8n.example.com/sub',
      'postgres://db.example.com:5433/n8n',
      'sqlite:./database.sqlite',
    ]);
  });
  it('a user and a password of an n8n address are for the proxy before it', () => {
    const source = parseLiveSource('n8n:https://me:p%40ss@n8n.example.com', 'a-key');
    assert.ok(source?.kind === 'n8n-api');
    assert.equal(source.authorization, `Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    assert.equal(source.base.href, 'https://n8n.example.com/');
  });
});
describe('of answers of n8n', () => assertSaid(ANSWERS));
describe('of databases', () => {
  assertSaid(DATABASES);
  it('a missing driver is named with the remedy', async () => {
    // Installed here: only the words can be looked at.
    assert.match(
      createPgReader.toString(),
      /a PostgreSQL database needs the package "pg", which is not installed; add it beside leasehold: npm install pg/,
    );
  });
});
describe('of how far a history reaches', () => assertSaid(HISTORIES));
it('a history that reaches back far enough needs no sentence', () => assert.equal(begin(5, 29.5)(), null));
it('of a file, which is read as a whole, only what looks deleted is told', () => {
  const all = { nowMs: NOW_MS, days: Number.POSITIVE_INFINITY };
  assert.equal(historyBegin({ count: 5, oldestMs: NOW_MS - 5 * 86_400_000 }, all), null);
  assert.match(
    historyBegin({ count: 9_998, oldestMs: NOW_MS - 5 * 86_400_000 }, all) ?? '',
    /5\.0 days ago, and has 9,998/,
  );
});
