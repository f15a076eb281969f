/** How lines of crontabs are read, in the forms that public files have (cases.md lists them by their shape). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planStarts } from '../../../src/audit/schedule/planned-starts.ts';
import { horizon, utc } from '../schedule/found.ts';
import { only, read } from './read.ts';

const expressions = (lines: readonly string[], path?: string): string[] =>
  read(lines, path).workflows.map(({ id, name, schedule }) => `${id} ${schedule?.rules[0]?.expression ?? ''} ${name}`);

describe('a crontab', () => {
  it('of the system has a user before the command, among variables, tabs, names and zeros', () => {
    const lines = [
      '# a comment',
      'SHELL=/bin/sh',
      'PATH = "/sbin:/bin"',
      'MAILTO="one@example.com, two@example.com; three"',
      'CRON_TZ=America/Los_Angeles',
      '',
      '17 *\t* * *\troot    cd / && run-parts --report /etc/cron.hourly',
      '\t25 6 * * * root /bin/daily',
      '00 04 1 May mon-tue backup /bin/backup',
      '*/3 15-25/2 * * * root /bin/often',
      '@yearly root /bin/yearly',
    ];
    const { workflows, unread } = read(lines, '/etc/crontab');
    assert.deepEqual(unread, []);
    assert.deepEqual(
      workflows.map(({ id, name, schedule }) => `${id} ${schedule?.rules[0]?.expression ?? ''} ${name}`),
      [
        '/etc/crontab:7 17 * * * * run-parts /etc/cron.hourly',
        '/etc/crontab:8 25 6 * * * daily',
        '/etc/crontab:9 00 04 1 May mon-tue backup',
        '/etc/crontab:10 */3 15-25/2 * * * often',
        '/etc/crontab:11 @yearly yearly',
      ],
    );
    assert.ok(workflows.every(({ schedule }) => schedule?.timezone === 'America/Los_Angeles'));
    assert.ok(!JSON.stringify(workflows).includes('example.com'));
  });

  it('elsewhere is judged by its lines: a known user, a user before a path, or a command', () => {
    assert.deepEqual(expressions(['0 5 * * * root /bin/x']), ['crontab:1 0 5 * * * x']);
    const read1 = read(['0 5 * * * deploy /bin/x', '0 6 * * * deploy php y.php']).workflows[0];
    assert.equal(read1?.name, 'x');
    assert.ok(read1?.schedule?.assumes.includes('"deploy" was read as the user that the command runs as.'));
    const read2 = read(['0 5 * * * deploy everything']).workflows[0];
    assert.equal(read2?.name, 'deploy everything');
    assert.ok(
      read2?.schedule?.assumes.includes(
        `"deploy" could be a user or a command: it was read as the command, as in a user's own crontab.`,
      ),
    );
    assert.deepEqual(expressions(['0 5 * * * php artisan x'], '/var/spool/cron/crontabs/root'), [
      '/var/spool/cron/crontabs/root:1 0 5 * * * php artisan x',
    ]);
  });

  it('is called by what does the work, and not by what spreads the load before it', () => {
    const names = [
      String.raw`0 */12 * * * root test -x /usr/bin/certbot -a \! -d /run/systemd/system && perl -e 'sleep int(rand(43200))' && certbot -q renew`,
      "*/5 * * * * root python3 -c 'import random, time; time.sleep(random.random())' && /srv/poll.sh",
      '*/5 * * * * root sleep 30; /srv/poll.sh',
      "*/5 * * * * root perl -e 'print sleep(3); system(1)'",
    ].map((line) => read([line], '/etc/crontab').workflows[0]?.name);
    assert.deepEqual(names, ['certbot renew', 'poll.sh', 'poll.sh', 'perl']);
  });

  it('with line ends of Windows, and without an end, is read as any other', () => {
    assert.deepEqual(expressions(['0 5 * * * /a\r\n0 6 * * * /b']), ['crontab:1 0 5 * * * a', 'crontab:2 0 6 * * * b']);
  });

  it('says which line it could not read, and reads the others', () => {
    const { workflows, unread } = read(['0 5 * * * /a', 'what is this', '0 6 * * * /b']);
    assert.equal(workflows.length, 2);
    assert.deepEqual(unread, ['crontab:2: Neither a schedule with a command, nor a variable, nor a comment.']);
  });

  it('of more lines than anybody has is cut, and that is said', () => {
    const { workflows, unread } = read(Array.from({ length: 20_010 }, () => '@reboot /a'));
    assert.equal(workflows.length, 20_000);
    assert.deepEqual(unread, ['crontab: Only the first 20000 lines were read.']);
  });
});

describe('a zone', () => {
  it('of CRON_TZ holds for the lines after it, with or without one said (C140)', () => {
    const { workflows } = read(['0 5 * * * /a', 'CRON_TZ=Asia/Tokyo', '0 5 * * * /b', 'CRON_TZ=""', '0 5 * * * /c']);
    assert.deepEqual(
      workflows.map(({ schedule }) => schedule?.timezone),
      [null, 'Asia/Tokyo', null],
    );
    const plans = workflows.map(({ schedule }) => schedule && planStarts(schedule, horizon('2026-06-01')));
    assert.deepEqual(
      plans.map((plan) => plan?.isZoneKnown),
      [false, true, false],
    );
    assert.ok(
      plans[0]?.assumes.includes(
        'The time zone is not known: UTC was taken, which has no daylight saving; name it with --timezone.',
      ),
    );
    assert.deepEqual(plans[1]?.between(Date.parse('2026-06-01T00:00Z'), Date.parse('2026-06-02T00:00Z'), 9).map(utc), [
      '2026-06-01T20:00:00Z',
    ]);
    assert.ok(
      plans[1]?.assumes.includes(
        "CRON_TZ is read by cronie; Debian's and Ubuntu's cron ignore it and go by the zone of the system.",
      ),
    );
  });

  it('that does not exist is named, and UTC taken', () => {
    const { schedule } = only('CRON_TZ=Mars/Olympus', '0 5 * * * /a');
    const plan = schedule && planStarts(schedule, horizon('2026-06-01'));
    assert.ok(
      plan?.assumes.includes(
        '"Mars/Olympus" is no time zone that is known: UTC was taken; name one with --timezone, for example Europe/Berlin.',
      ),
    );
  });

  it("of TZ is the command's only, and that is said, and which cron was assumed", () => {
    const { schedule } = only('TZ=Asia/Tokyo', '0 5 * * * /a');
    assert.equal(schedule?.timezone, null);
    assert.deepEqual(schedule?.assumes, [
      "Debian's cron (Vixie cron 3.0pl1) was assumed; cronie does the same when the clocks change.",
      'TZ sets the clock of the command only; the schedule goes by the zone of the system.',
    ]);
  });

  it('inside the line is the form of Go, with seconds and question marks', () => {
    const { schedule } = only('CRON_TZ=Asia/Tokyo 0 30 4 * * ? /a');
    assert.equal(schedule?.timezone, 'Asia/Tokyo');
    assert.equal(schedule?.rules[0]?.expression, '0 30 4 * * *');
    assert.deepEqual(schedule?.assumes, [
      "CRON_TZ inside the line is the form of Go's cron libraries; cron itself would read the line as a variable.",
      "Six fields were read as seconds first; Debian's cron and cronie take five fields and would run the rest as the command.",
    ]);
  });
});

describe('a line', () => {
  const assumed = (line: string): string => only(line).schedule?.assumes.join(' ') ?? '';

  it('of six or seven fields is read with seconds, a year, or both', () => {
    assert.equal(only('*/10 * * * * * /a').schedule?.rules[0]?.expression, '*/10 * * * * *');
    assert.equal(only('0 0 5 * * * * /a').schedule?.rules[0]?.expression, '0 0 5 * * *');
    assert.match(assumed('0 0 5 * * * * /a'), /^Seven fields were read as seconds first and a year last; Debian's/);
    assert.equal(only('0 5 * * * 2030 /a').schedule?.rules[0]?.expression, '0 5 * * *');
    assert.match(
      assumed('0 5 * * * 2030 /a'),
      /^Six fields were read as five and a year, and the year was left aside;/,
    );
  });

  it('with a word of another cron is read as that cron does, and that is said', () => {
    assert.match(
      assumed('@every_minute /a'),
      /^@every_minute is a word of FreeBSD's cron; Debian's refuses the line\./,
    );
    assert.match(assumed('@every 90m /a'), /^@every is a word of Go's cron libraries; cron itself refuses the line\./);
    assert.deepEqual(only('@every 1h30m /a').schedule?.rules[0]?.plan, { kind: 'interval', everyMs: 5_400_000 });
    assert.equal(only('@every soon /a').schedule?.rules[0]?.fault, 'its interval can not be read');
    assert.match(
      assumed('~ 4 * * * /a'),
      /A field with ~ is drawn by chance when cron reads the file: its instants are not known\.$/,
    );
    assert.equal(only('-*/15 * * * * /a').name, 'a');
  });

  it('of @reboot has no instants, and nothing is said about its guard', () => {
    const { schedule, findings } = only('@reboot /a');
    assert.equal(schedule?.kind, 'reboot');
    assert.ok(schedule?.assumes.includes('@reboot starts once, when cron starts after a boot.'));
    assert.deepEqual(findings, []);
  });

  it('has its standard input behind the first percent sign, unless that is escaped', () => {
    const { name, schedule } = only('0 5 * * * /bin/mail -s x%Hello%there');
    assert.equal(name, 'mail x');
    assert.ok(
      schedule?.assumes.includes(
        'What follows the first % is the standard input of the command; a percent sign is written \\%.',
      ),
    );
    assert.equal(only('0 5 * * * /bin/dump a$(date +\\%F).sql').schedule?.assumes.length, 1);
  });

  it('is called by its program and what it works on, and by no secret of it', () => {
    const named = (command: string): string => only(`0 5 * * * ${command}`).name;
    assert.equal(named('cd /srv && /usr/bin/env A=1 nice -n 5 python3 /srv/sync.py --all'), 'python3 /srv/sync.py');
    assert.equal(named('su - deploy -c "cd /srv/app && ./daily.sh fast"'), 'daily.sh fast');
    assert.equal(named('bash -lc "timeout 10m node sync.js"'), 'node sync.js');
    assert.equal(named('mysqldump -u root -pS3cret shop > /backup/x.sql'), 'mysqldump shop');
    assert.match(
      named('curl -H "X-Key: abcdef123456" https://u:hunter2@example.com/run?key=s3cret'),
      /^curl (?!.*(?:abcdef|hunter2|s3cret))/,
    );
    assert.equal(named('/x --token abcdef --password=hunter2 sk_live_abcdefgh12345678 a1b2c3d4e5f6a7b8c9d0e1'), 'x');
    assert.equal(named('A=secret B=2 /x'), 'x');
  });

  it('is called by no password of an address that is longer than a name may be', () => {
    const address = `postgres://report:${'0123456789abcdef'.repeat(5)}@db.internal/shop`;
    assert.equal(only(`0 5 * * * psql ${address} -f daily.sql`).name, 'psql postgres:***@***/shop daily.sql');
  });
});
