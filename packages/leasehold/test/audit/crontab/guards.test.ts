/** What guards a line, how good it is, and what is said of it: word for word. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { about, messages, only, read, rules } from './read.ts';

describe('a line that nothing guards', () => {
  it('is a warning where it starts often, and worth knowing where it starts once a day', () => {
    const [often] = about('/srv/poll.sh');
    assert.equal(often?.severity, 'warning');
    assert.equal(
      often?.message,
      'Nothing in this line keeps "poll.sh" from starting while it still runs; it starts every 5m. A lock that the command takes by itself can not be seen here.',
    );
    assert.equal(
      often?.advice,
      'Put `leasehold run poll.sh --` before the command; on one host, with no records to protect, `flock -n /run/lock/poll.sh.lock` is enough.',
    );
    assert.deepEqual(often?.evidence, [{ line: 1, command: 'poll.sh', schedule: ['*/5 * * * *'], minGapMs: 300_000 }]);
    assert.equal(only('30 2 * * * /srv/poll.sh').findings[0]?.severity, 'info');
    const [uneven] = only('0 9,17 * * * /srv/poll.sh').findings;
    assert.match(uneven?.message ?? '', /its starts are 8h to 16h apart\./);
  });

  it('is worth knowing where timeout ends it before the next start', () => {
    assert.deepEqual(messages(about('timeout -k 5 4m /srv/poll.sh'), 'cron.unlocked'), [
      'info: Nothing in this line keeps "poll.sh" from starting while it still runs, but timeout ends it after 4m; it starts every 5m. A lock that the command takes by itself can not be seen here.',
    ]);
    assert.equal(about('timeout 6m /srv/poll.sh')[0]?.severity, 'warning');
  });

  it('names the other lines of its minute, as four loaders and three jobs that meet', () => {
    const { workflows } = read([
      '0 * * * * /srv/hourly.sh',
      '0 */2 * * * /srv/second.sh',
      '0 6 * * * su - app -c "/srv/daily.sh"',
      '15 6 * * * /srv/load.sh &>> /var/log/load.log',
    ]);
    const [daily, load] = [workflows[2]?.findings[0], workflows[3]?.findings[0]];
    assert.match(daily?.message ?? '', /2 other lines start at the same minute \(06:00\)\.$/);
    assert.match(daily?.advice ?? '', / Move it to a minute of its own\.$/);
    assert.deepEqual(daily?.evidence[1], { at: '06:00', sameMinute: ['crontab:1', 'crontab:2'] });
    assert.match(
      load?.message ?? '',
      /sh reads "&>" as "&" and ">": the command goes to the background, and what it prints elsewhere\.$/,
    );
    assert.match(load?.advice ?? '', / Write ">> FILE 2>&1" in place of "&>> FILE"\.$/);
    assert.equal(load?.evidence[0]?.['background'], true);
    const bash = read(['SHELL=/bin/bash', '15 6 * * * /srv/load.sh &>> /var/log/load.log']).workflows[0];
    assert.doesNotMatch(bash?.findings[0]?.message ?? '', /background/);
    const two = read(['0 6 * * * /a.sh', '0 6 * * * /b.sh']).workflows[0];
    assert.match(two?.findings[0]?.message ?? '', /One other line starts at the same minute \(06:00\)\.$/);
  });

  it('is no finding where it only prepares, or locks by itself, or never starts', () => {
    for (const command of ['touch /tmp/alive', 'leasehold work', 'rm -f /tmp/x', 'echo hello']) {
      assert.deepEqual(about(command), []);
    }
    assert.deepEqual(only('0 0 31 2 * /srv/poll.sh').findings, []);
  });
});

describe('a good guard', () => {
  const GOOD = [
    '/usr/bin/flock -n /run/lock/x.lock /srv/poll.sh',
    'A=1 flock -xn /run/x.lock -c "/srv/poll.sh --all"',
    'cd /srv && flock -w 10 /run/x.lock ./poll.sh',
    'flock --nonblock /run/x.lock env A=1 nice -n 10 ./poll.sh',
    'bash -c "flock -n /run/x.lock ./poll.sh"',
    'sudo -u app flock -n /run/x.lock ./poll.sh | logger -t poll',
    '( flock -n 9 || exit 1; /srv/poll.sh ) 9>/run/x.lock',
    'flock -n /run/x.lock /srv/poll.sh || echo busy',
    'leasehold run poll --lease 5m -- /srv/poll.sh',
    'lockrun --lockfile=/run/x.lock -- /srv/poll.sh',
    'setlock -n /run/x.lock /srv/poll.sh',
    'chpst -L /run/x.lock /srv/poll.sh',
    'lckdo /run/x.lock /srv/poll.sh',
    'lckdo -q -W 10 /run/x.lock /srv/poll.sh',
    'with-lock-ex -q /run/x.lock /srv/poll.sh',
    'CRONLOCK_HOST=redis.example.com CRONLOCK_RELEASE=600 cronlock /srv/poll.sh',
    's6-setlock -n /run/x.lock /srv/poll.sh',
    'run-one /srv/poll.sh',
    'solo -port=3801 /srv/poll.sh',
    'systemctl start poll.service',
    'systemd-run --unit=poll /srv/poll.sh',
    '{ /usr/bin/shlock -f /run/x.lock -p $$ && { /srv/poll.sh; rm -f /run/x.lock; }; } >> /var/log/x.log 2>&1',
  ];
  for (const command of GOOD) {
    it(`is ${command}`, () => {
      assert.deepEqual(about(command), []);
    });
  }

  it('is not a unit of systemd without a name, nor a lock of another command', () => {
    assert.deepEqual(rules(about('systemd-run /srv/poll.sh')), ['cron.unlocked']);
    assert.deepEqual(rules(about('chpst -u app /srv/poll.sh')), ['cron.unlocked']);
  });
});

describe('a lock that is waited for', () => {
  it('piles up without a bound', () => {
    const [waits] = about('flock /run/x.lock /srv/poll.sh');
    assert.equal(waits?.rule, 'guard.missing');
    assert.equal(waits?.severity, 'warning');
    assert.equal(
      waits?.message,
      'flock waits for the lock without a bound: while "poll.sh" hangs, a process more waits every 5m, and then they run back to back.',
    );
    assert.equal(
      waits?.advice,
      'Write flock -n, which skips a start that meets the lock, or flock -w 10, which waits ten seconds.',
    );
    assert.equal(only('0 5 * * * flock /run/x.lock /a.sh').findings[0]?.severity, 'info');
    assert.deepEqual(
      [
        'lockrun --wait -L /x /a.sh',
        'setlock /x /a.sh',
        'chpst -l /x /a.sh',
        'lckdo -w /x /a.sh',
        'with-lock-ex -w /x /a.sh',
      ].map((command) => about(command)[0]?.advice),
      [
        'Take the --wait away: without it a start that meets the lock is skipped.',
        'Write setlock -n, which skips a start that meets the lock.',
        'Write -L in place of -l, which skips a start that meets the lock.',
        'Take the -w away, which skips a start that meets the lock, or write -W 10, which waits ten seconds.',
        'Write -q in place of -w, which skips a start that meets the lock.',
      ],
    );
  });
});

describe('a lock that is inherited', () => {
  it('is kept by what the command leaves running (C44)', () => {
    const [inherited] = about('flock -n /run/x.lock sh -c "/srv/worker --serve & sleep 1"');
    assert.equal(inherited?.rule, 'cron.lock-inherited');
    assert.equal(inherited?.severity, 'critical');
    assert.equal(
      inherited?.message,
      `"worker" leaves a process behind (&) that inherits flock's lock: as long as it lives, every later start is skipped without a word.`,
    );
    assert.equal(
      inherited?.advice,
      'Give flock the option -o (--close), so that what the command starts does not inherit the lock; or end the command only when its work is done, under `leasehold run`.',
    );
    const nohup = about('flock -n /run/x.lock -c "nohup /srv/worker >/dev/null 2>&1 &"');
    assert.deepEqual(rules(nohup), ['cron.lock-inherited']);
    assert.match(
      about('flock /run/x.lock service web restart')[0]?.message ?? '',
      /\(service start\).*every later start waits for it\.$/,
    );
    assert.equal(about('flock -n /run/x.lock screen -dmS w /srv/w')[0]?.severity, 'warning');
  });

  it('is not where flock closes it, or stays in the foreground itself', () => {
    assert.deepEqual(about('flock -n -o /run/x.lock sh -c "/srv/worker & sleep 1"'), []);
    assert.deepEqual(about('flock -n /run/x.lock /srv/worker &'), []);
  });
});

describe('a guard that does not hold', () => {
  const failsOpen = (command: string): string[] => messages(about(command), 'guard.fails-open');

  it('looks first and starts then', () => {
    assert.deepEqual(failsOpen('pgrep -f sync.py || python3 sync.py'), [
      'warning: pgrep looks first and starts then: two starts that look at once both see nothing, and what runs on another host, or under another name, is not seen. It also finds the shell that cron starts for this line, whose words hold "sync.py": then it never starts at all.',
    ]);
    const without =
      'warning: pgrep looks first and starts then: two starts that look at once both see nothing, and what runs on another host, or under another name, is not seen.';
    assert.deepEqual(failsOpen('pgrep -f "[s]ync.py" > /dev/null || python3 sync.py'), [without]);
    assert.deepEqual(failsOpen('[ -z "$(pgrep sync)" ] && /srv/sync'), [without]);
    assert.match(failsOpen('pidof worker || /srv/worker')[0] ?? '', /^warning: pidof looks first/);
    assert.match(failsOpen('ps aux | grep -q "[w]orker" || /srv/worker')[0] ?? '', /^warning: ps looks first/);
    assert.equal(
      about('pidof worker || /srv/worker')[0]?.advice,
      "Put `leasehold run worker --` or `flock -n /run/lock/worker.lock` before the command instead; what is more than one program goes behind them as `sh -c '…'`.",
    );
  });

  it('makes a file that a kill leaves behind', () => {
    assert.deepEqual(failsOpen('[ -f /tmp/job.lock ] || (touch /tmp/job.lock; /srv/job.sh; rm /tmp/job.lock)'), [
      'warning: The line looks for /tmp/job.lock first and makes it then: two starts at once both get through; and after a kill or a power cut /tmp/job.lock stays, and nothing starts again until a person deletes it.',
    ]);
    assert.deepEqual(failsOpen('mkdir /tmp/job.lock && /srv/job.sh; rmdir /tmp/job.lock'), [
      'warning: mkdir locks as it should, but after a kill or a power cut /tmp/job.lock stays, and nothing starts again until a person deletes it.',
    ]);
    assert.deepEqual(failsOpen('lockfile -r 0 /tmp/job.lock && /srv/job.sh'), [
      'warning: lockfile locks as it should, but after a kill or a power cut /tmp/job.lock stays, and nothing starts again until a person deletes it.',
    ]);
  });

  it('looks in an if, or with an exclamation mark', () => {
    for (const command of [
      'if ! pgrep worker; then /srv/worker; fi',
      '! pgrep worker && /srv/worker',
      'pgrep worker >/dev/null || { cd /srv && nohup ./worker & }',
      'if [ ! -f /run/x.lock ]; then touch /run/x.lock; /srv/worker; rm /run/x.lock; fi',
    ]) {
      assert.deepEqual(rules(about(command)), ['guard.fails-open'], command);
    }
  });

  it('is no sign of life: what follows is done where something was found', () => {
    assert.deepEqual(rules(about('pgrep worker > /dev/null && wget --spider https://example.com/alive')), [
      'cron.unlocked',
    ]);
  });

  it('is no look for a program or a configuration', () => {
    for (const command of ['[ -x /usr/bin/x ] && /usr/bin/x', 'test -e /etc/x.conf && /usr/bin/x']) {
      assert.deepEqual(rules(about(command)), ['cron.unlocked']);
    }
  });

  it('is let go before the command, or not asked', () => {
    const [empty] = about('flock -n /run/x.lock true && /srv/job.sh');
    assert.equal(empty?.severity, 'critical');
    assert.equal(
      empty?.message,
      'flock lets the lock go before "job.sh" starts: only what stands behind it as its own command is guarded.',
    );
    assert.equal(empty?.advice, 'Put the command itself behind the guard, in one `sh -c "…"` if there are several.');
    const [ignored] = about('( flock -n 9; /srv/job.sh ) 9>/run/x.lock');
    assert.equal(ignored?.message, 'Nothing looks whether flock got the lock: the command runs either way.');
    assert.equal(ignored?.advice, 'Write `|| exit` behind it, or put the command behind the guard itself.');
  });

  it('guards a part of the line only, is shared, or lies in /tmp', () => {
    assert.deepEqual(failsOpen('flock -n /run/x.lock /srv/a.sh && /srv/b.sh'), [
      'warning: flock guards only the first command of the line: what follows it runs without the lock.',
    ]);
    assert.equal(
      about('flock -n /run/x.lock /srv/a.sh; /srv/b.sh')[0]?.advice,
      'Put all of them behind the guard, in one `sh -c "…"`.',
    );
    assert.deepEqual(failsOpen('flock -sn /run/x.lock /srv/a.sh'), [
      'critical: flock -s takes a shared lock: any number of starts hold it together.',
    ]);
    assert.equal(about('flock -sn /run/x.lock /srv/a.sh')[0]?.advice, 'Take the -s away.');
    assert.deepEqual(failsOpen('flock -n /tmp/x.lock /srv/a.sh'), [
      'info: The lock /tmp/x.lock lies where files are cleaned up by age and anybody may write: a new file under the same name is another lock.',
    ]);
    assert.equal(
      about('flock -n /tmp/x.lock /srv/a.sh')[0]?.advice,
      'Put it into /run/lock, for example /run/lock/a.sh.lock.',
    );
  });

  it('ends at once, or kills what it finds', () => {
    assert.deepEqual(failsOpen('leasehold run a -- sh -c "/srv/a.sh &"'), [
      'critical: "a.sh" is sent to the background inside leasehold: the guard ends at once, and the next start finds it free.',
    ]);
    assert.equal(
      about('leasehold run a -- sh -c "/srv/a.sh &"')[0]?.advice,
      'Take the & away: cron waits for nothing.',
    );
    assert.deepEqual(failsOpen('run-this-one /srv/a.sh'), [
      'warning: run-this-one kills the run that is under way and begins anew: what that run had done is done again.',
    ]);
    assert.equal(
      about('run-this-one /srv/a.sh')[0]?.advice,
      'Write run-one, which lets the run under way finish and skips the new one.',
    );
  });

  it('has a lease that is refused, or blocks for hours', () => {
    assert.deepEqual(failsOpen('leasehold run a --lease 5min -- /srv/a.sh'), [
      'critical: leasehold refuses the lease "5min": the command never starts.',
    ]);
    assert.equal(
      about('leasehold run a --lease=5min -- /srv/a.sh')[0]?.advice,
      'Write a whole number and a unit, for example --lease 10m.',
    );
    const [long] = about('leasehold run a --lease 6h -- /srv/a.sh');
    assert.equal(long?.message, 'A lease of 6h blocks every start for so long after a crash of the host.');
    assert.equal(long?.advice, 'leasehold run renews its lease while the command runs: some minutes are enough.');
  });
});

describe('locks of several lines', () => {
  it('differ for one command', () => {
    const { workflows } = read([
      '0 * * * * flock -n /run/a.lock /srv/sync.sh all',
      '30 6 * * * flock -n /run/b.lock /srv/sync.sh all',
    ]);
    const [finding] = workflows[0]?.findings ?? [];
    assert.equal(finding?.rule, 'guard.fails-open');
    assert.equal(
      finding?.message,
      '"sync.sh all" stands in 2 lines under different locks: each keeps only its own line from running twice (crontab:2).',
    );
    assert.equal(finding?.advice, 'Give all lines of this command the same lock.');
  });

  it('are one for two commands, which then skip each other', () => {
    const { workflows } = read([
      '0 6 * * * flock -n /run/x.lock /srv/a.sh',
      '0 6 * * * flock -n /run/x.lock /srv/b.sh',
      '30 7 * * * flock -n /run/x.lock /srv/c.sh',
    ]);
    const [a, , c] = workflows.map(({ findings }) => findings[0]);
    assert.equal(a?.rule, 'lock.drops-events');
    assert.equal(a?.severity, 'warning');
    assert.equal(
      a?.message,
      '"a.sh" has its lock (/run/x.lock) in common with another command that starts at the same minute: one of them is skipped each time they meet (crontab:2, crontab:3).',
    );
    assert.equal(c?.severity, 'info');
    assert.equal(
      c?.message,
      '"c.sh" has its lock (/run/x.lock) in common with another command: whichever comes while the other runs is skipped (crontab:1, crontab:2).',
    );
    assert.equal(a?.advice, 'Give each command a lock of its own, unless they must not run beside each other.');
  });
});
