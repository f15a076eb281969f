/** What a report never shows, in whatever text it came. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { redact } from '../../src/audit/redact.ts';

const RUNS = 500;
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'.split('');
/** As keys are: letters of both kinds and digits. */
const madeUp = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...ALPHABET), { minLength: min - 3, maxLength: max - 3 })
    .map((characters) => `q7Z${characters.join('')}`);
/** As people choose passwords, with what breaks addresses and quotes left to tests of their own. */
const password = fc
  .array(fc.constantFrom(...'abcdefXYZ0189-_.!$*()^~'.split('')), { minLength: 8, maxLength: 24 })
  .map((characters) => `Sesame${characters.join('')}`);
const around = fc.constantFrom('', ' ', 'sync of ', 'job "', '(', ' and then ', 'line 12: ', '\n', '\t');

/** Texts that carry one secret, and the secret. */
const carrying: readonly (readonly [string, (secret: string) => string])[] = [
  ['a connection string', (secret) => `postgres://app:${secret}@db.example.com:5432/orders`],
  ['a user alone', (secret) => `redis://${secret}@10.0.0.5:6379/0`],
  ['a query', (secret) => `https://api.example.com/v1/rows?limit=5&key=${secret}`],
  ['the first of a query', (secret) => `https://api.example.com/v1/rows?sig=${secret}&limit=5`],
  ['a key that is given', (secret) => `api_key=${secret}`],
  ['a password of an environment', (secret) => `PGPASSWORD=${secret} psql -c 'select 1'`],
  ['a field of JSON', (secret) => `{"password":"${secret}","host":"db"}`],
  ['a field of JSON in JSON', (secret) => `"{\\"clientSecret\\": \\"${secret}\\", \\"a\\": 1}"`],
  ['a header', (secret) => `X-Api-Key: ${secret}`],
  ['an authorization', (secret) => `Authorization: Bearer ${secret}`],
  ['another kind of authorization', (secret) => `"Authorization": "Token ${secret}"`],
  ['words of a connection', (secret) => `host=db user=app password=${secret} dbname=x`],
  ['words of another connection', (secret) => `Server=db;User Id=app;Pwd=${secret};`],
  ['an option', (secret) => `backup --password ${secret} --host db`],
  ['a user and password of curl', (secret) => `curl -u app:${secret} https://example.com`],
  ['a password of mysqldump', (secret) => `mysqldump -u app -p${secret} orders`],
  ['YAML', (secret) => `access_token: ${secret}`],
  ['a Ruby hash', (secret) => `:secret_token => '${secret}'`],
];

describe('redact', () => {
  for (const [name, text] of carrying) {
    it(`takes the secret out of ${name}, whatever stands around it`, () => {
      fc.assert(
        fc.property(fc.oneof(madeUp(10, 40), password), around, around, (secret, before, after) => {
          const redacted = redact(before + text(secret) + after);
          assert.doesNotMatch(redacted, new RegExp(secret.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
          assert.match(redacted, /\*\*\*/);
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('takes tokens out that tell themselves', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'sk-',
          'sk_live_',
          'ghp_',
          'gho_',
          'xoxb-',
          'glpat-',
          'npm_',
          'AKIA',
          'eyJ',
          'AIza',
          'SG.',
          'whsec_',
        ),
        madeUp(20, 60),
        around,
        around,
        (prefix, rest, before, after) => {
          assert.ok(!redact(`${before}${prefix}${rest}${after}`).includes(rest));
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('takes e-mail addresses out, of any script, and with the sign encoded', () => {
    const local = fc
      .array(fc.constantFrom(...'abcxyzÄöé019._+-'.split('')), { minLength: 1, maxLength: 20 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(local, fc.constantFrom('@', '%40'), around, around, (name, sign, before, after) => {
        const redacted = redact(`${before}${name}${sign}mail.exämple.de${after}`);
        assert.ok(!redacted.includes('exämple'), redacted);
      }),
      { numRuns: RUNS },
    );
  });

  for (const [text, left] of [
    ['postgres://app:p@ss@db/x', 'postgres://***@db/x'],
    ['postgres://app:pa/s:s@db:5432/x', 'postgres://***@db:5432/x'],
    ['amqp://guest:guest@mq', 'amqp://***@mq'],
    ['https://hooks.slack.com/services/T0/B0/abcdef', 'https://hooks.slack.com/***'],
    ['https://hook.eu1.make.com/abcdefgh', 'https://hook.eu1.make.com/***'],
    ['https://n8n.example.com/webhook/orders-7f3a', 'https://n8n.example.com/webhook/***'],
    [
      'https://api.telegram.org/bot123456789:AAAbbbCCCdddEEEfffGGGhhh/sendMessage',
      'https://api.telegram.org/***/sendMessage',
    ],
    ['Gmail of jo.doe+x@example.co.uk', 'Gmail of ***@***'],
    ['https://example.com/a?token=abc#top', 'https://example.com/a?***#top'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '***'],
  ] as const) {
    it(`leaves of ${JSON.stringify(text)} ${JSON.stringify(left)}`, () => assert.equal(redact(text), left));
  }

  it('takes a key out that nobody would type', () => {
    assert.equal(redact('Every day, key=tok_Q7xLive9Secret1'), 'Every day, key=***');
    assert.equal(redact('KEY: "0f3c2a9b8d7e6f5a4b3c2d1e" there'), 'KEY: "***" there');
  });

  for (const text of [
    'token bucket',
    'a token bucket limiter',
    'basic training of staff',
    'Bearer market report',
    'the author: nightly build',
    'skipped because the previous run still runs',
    'skeleton-framework-sync',
    'pkg-release-pipeline',
    'n8n-nodes-base@2.41.2',
    'DelayCLIAPI@1.1.1',
    'https://medium.com/@somebody/post',
    'https://example.com:8443/path/to/x',
    '2026-11-30T20:04:24.123Z',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    '/var/log/exports/runs-2026-11.csv:12',
    'Sync HubSpot -> Postgres (every 5 min)',
    'the key column is the id',
    'key=order-2026-11-30',
    'key: leads/2026',
    'password reset mails',
    'e.g. 10.0.0.5:6379',
    'Author: Sales',
    '5 runs passed: 3 failed',
    'cd /srv && flock -n /tmp/x.lock ./sync.sh -u',
    'mkdir -p /var/backups',
    'rsync -u src:a dst',
    'ssh -p 2222 host',
    'flock -w 10 /tmp/x.lock',
    'orders-2026-11-30-v2-final.csv',
    'https://example.com/exports/2026-11-30/orders.csv',
    'https://n8n.example.com/workflow/sync-orders',
    'https://example.com/runs/20261130T100000Z/log',
    'password policy of 2026 is checked',
    'Nightly/Export to S3 (eu-central-1)',
    'exports/node_modules.d/readme.md',
    'k8s-backup.sh',
    'n8n:https://n8n-production-7f3a.up.railway.app',
    'postgres://db-postgresql-fra1-12345.b.db.ondigitalocean.com:25060/defaultdb',
    'https://api.example.com/v2/customers/1234567890/orders',
    'docker.io/library/postgres:18.1-alpine3.22',
    'Report 2026-11 (v2.final)',
    'key=Order',
    'the token is not used',
  ]) {
    it(`leaves ${JSON.stringify(text)} as it is`, () => assert.equal(redact(text), text));
  }

  it('does nothing more to what it has redacted', () => {
    fc.assert(
      fc.property(fc.constantFrom(...carrying), password, around, ([, text], secret, before) => {
        const once = redact(before + text(secret));
        assert.equal(redact(once), once);
      }),
      { numRuns: RUNS },
    );
  });

  it('is done with a long text at once, whatever it repeats', () => {
    for (const piece of ['a', 'a-', 'a.', 'a@', 'pass', '-p ', 'https://', '"', 'token ', 'x=', '\\']) {
      const text = piece.repeat(20_000);
      const before = process.cpuUsage().user;
      redact(text);
      const tookMs = (process.cpuUsage().user - before) / 1_000;
      assert.ok(tookMs < 2_000, `${JSON.stringify(piece)} took ${tookMs} ms`);
    }
  });
});
