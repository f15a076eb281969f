/** A crontab is known by its lines, whatever it is called; and whatever its lines are, reading it ends well. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CRONTAB_FORMAT, isCrontab } from '../../../src/audit/readers/crontab/crontab-format.ts';
import { readPath } from '../../../src/audit/readers/files/read-files.ts';
import type { FoundWorkflow } from '../../../src/audit/model/workflow.ts';
import { read } from './read.ts';

describe('a crontab is recognised', () => {
  const YES: readonly (readonly [what: string, text: string])[] = [
    ['one line', '*/5 * * * * /srv/poll.sh\n'],
    ['variables and comments around few lines', '# m h dom\nSHELL=/bin/sh\nMAILTO=""\n\n0 5 * * 1 root /bin/x\n'],
    ['words', '@daily /bin/x\n@reboot /bin/y'],
    ['five lines and one that is wrong', '1 * * * * /a\n2 * * * * /a\n3 * * * * /a\n4 * * * * /a\nwhat is this\n'],
    ['a line with a mistake', '61 * * * * /bin/x\n5 4 * * * /bin/y\n'],
  ];
  for (const [what, text] of YES) it(`by ${what}`, () => assert.equal(isCrontab(text, true), true));

  const NO: readonly (readonly [what: string, text: string])[] = [
    ['a table', 'id,start,end\n1,2026-01-01T00:00:00Z,2026-01-01T00:01:00Z\n'],
    ['a table of numbers', '1 2 3 4 5 6\n2 3 4 5 6 7\n'],
    ['numbers with a sign between', '1 2 3 4 5 , 7\n1 2 3 4 5 ; 7\n'],
    [
      'a table of Czech dates',
      '1. 10. 2026 2:00:00;Success;20 min;5;1 KB\n2. 10. 2026 2:00:00;Success;20 min;5;1 KB\n',
    ],
    ['JSON', '{"nodes":[{"name":"* * * * *"}]}\n'],
    ['NDJSON', '{"id":1}\n{"id":2}\n'],
    ['variables alone', 'A=1\nB=2\n'],
    ['a log', '2026-01-01 00:00:01 INFO started\n2026-01-01 00:00:02 INFO done\n'],
    ['prose that quotes one', 'The line\n\n*/5 * * * * /srv/poll.sh\n\nstarts the job.\nIt has no lock.\n'],
    ['a binary', '\0\0* * * * * /bin/x\n'],
    ['nothing', ''],
  ];
  for (const [what, text] of NO) it(`not by ${what}`, () => assert.equal(isCrontab(text, true), false));

  it('by whole lines only: the last one of a head may be cut', () => {
    assert.equal(isCrontab('*/5 * * * * /srv/poll.sh\n*/5 * * *', false), true);
    assert.equal(isCrontab('*/5 * * * * /srv/po', false), false);
  });

  it('among files, and a huge one is cut and that is said', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crontab-'));
    try {
      const path = join(folder, 'any-name.bak');
      writeFileSync(
        path,
        `@daily /bin/x\n${'# a comment of some length, to fill the file\n'.repeat(200_000)}@daily /bin/y\n`,
      );
      const workflows: FoundWorkflow[] = [];
      const unread: string[] = [];
      const sink = {
        run: () => undefined,
        limit: () => undefined,
        workflow: (workflow: FoundWorkflow) => void workflows.push(workflow),
        unread: (_where: string, reason: string) => void unread.push(reason),
      };
      await readPath(path, sink, {
        timezone: null,
        columns: null,
        stdin: () => assert.fail('nothing was piped'),
        readDatabase: () => assert.fail('it is no database'),
      });
      assert.deepEqual(
        workflows.map(({ id, name }) => [id, name]),
        [[`${path}:1`, 'x']],
      );
      assert.deepEqual(unread, [
        'Only the first 8 MiB of this crontab were read.',
        'Only the first 20000 lines were read.',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is one format of the list', () => assert.equal(CRONTAB_FORMAT.name, 'crontab'));
});

const PIECES = [
  '*',
  '*/5',
  '0',
  '61',
  '22-2',
  '1-5',
  'mon',
  '@daily',
  '@every 5m',
  'CRON_TZ=',
  'A=1',
  '#',
  '%',
  '\\%',
  '"',
  "'",
  '`',
  '$(',
  ')',
  '(',
  '{',
  '}',
  '&',
  '&&',
  '||',
  '|',
  ';',
  '>',
  '>>',
  '2>&1',
  '&>>',
  '9>/x',
  '<',
  'flock',
  '-n',
  '-c',
  '/run/x.lock',
  'bash',
  'su',
  '-',
  'env',
  'timeout',
  '5m',
  'pgrep',
  '-f',
  '[',
  ']',
  'leasehold',
  'run',
  '--',
  '--lease',
  'systemd-run',
  '--unit=x',
  'nohup',
  '/srv/a.sh',
  'ümläut',
  '__proto__',
  'constructor',
  'toString',
  'if',
  '!',
  'then',
  '\\',
  '\t',
  '\0',
];

describe('reading a crontab', () => {
  it('ends well, whatever stands in it', () => {
    const line = fc
      .array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 30 })
      .map((words) => words.join(' '));
    const job = line.map((words) => `*/5 * * * * ${words}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(line, job), { maxLength: 20 }), (lines) => {
        for (const { findings } of read(lines).workflows)
          for (const { message } of findings) assert.ok(message.length < 2_000);
      }),
      { numRuns: 500 },
    );
  });

  it('of one endless line or of nested shells takes no time to speak of', () => {
    read(`*/5 * * * * ${'bash -c "'.repeat(5_000)}`);
    read(`*/5 * * * * ${'a && '.repeat(100_000)}b`);
    read(`*/5 * * * * ${'$('.repeat(100_000)}`);
    read('*/5 '.repeat(200_000));
    read(`*/5 * * * * ${'x'.repeat(1_000_000)}`);
  });

  it('keeps every secret of it', () => {
    const secret = fc.constantFrom(
      'hunter2Secret',
      'Sup3rS3cretPassw0rd',
      'xoxb-123456789012-abcdefghijkl',
      'eyJhbGciOiJIUzI1NiJ9.abcdefgh',
    );
    const around = fc.constantFrom(
      (text: string) => `mysqldump -u root -p${text} shop`,
      (text: string) => `curl -u admin:${text} https://example.com/x`,
      (text: string) => `curl -H "Authorization: Bearer ${text}" https://example.com/x`,
      (text: string) => `curl https://example.com/x?key=${text}`,
      (text: string) => `psql postgres://app:${text}@db/shop -c "select 1"`,
      (text: string) => `PASSWORD=${text} /srv/a.sh`,
      (text: string) => `/srv/a.sh --password ${text}`,
      (text: string) => `/srv/a.sh --api-key=${text}`,
      (text: string) => `bash -c "TOKEN=${text} flock -n /run/x.lock /srv/a.sh --token ${text}"`,
      (text: string) => `/srv/a.sh%${text}`,
    );
    fc.assert(
      fc.property(secret, around, (text, command) => {
        const found = read([`MAILTO=${text}@example.com`, `TOKEN=${text}`, `*/5 * * * * ${command(text)}`]);
        assert.ok(!JSON.stringify(found).includes(text), JSON.stringify(found));
      }),
      { numRuns: 80 },
    );
  });
});
