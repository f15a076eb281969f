/** Programs that lock, besides flock: what counts as a guard, what waits, and what is said of each. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { about, messages, only, read, rules } from './read.ts';

const failsOpen = (command: string): string[] => messages(about(command), 'guard.fails-open');

describe('a lock', () => {
  it('is a good one in each program that skips a start, or waits for a bounded time', () => {
    for (const command of [
      'lckdo /run/lock/x /srv/poll.sh',
      'lckdo -W 10 /run/lock/x /srv/poll.sh',
      'lckdo -qx -- /run/lock/x php /srv/poll.php',
      'with-lock-ex -q /run/x.lock /srv/poll.sh',
      'with-lock-ex -f -t 5 /run/x.lock /srv/poll.sh',
      'with-lock /run/x.lock /srv/poll.sh',
      '/usr/bin/lockf -s -t 0 /run/x.lock /srv/poll.sh',
      'lockf -t 10 /run/x.lock /srv/poll.sh',
      's6-setlock -n /run/x.lock /srv/poll.sh',
      's6-setlock -t 5000 /run/x.lock /srv/poll.sh',
      'setlock -nx /run/x.lock /srv/poll.sh',
      'runlock -f /run/x.lock /srv/poll.sh',
      'runlock /srv/poll.sh',
      'consul lock -try=10s locks/poll /srv/poll.sh',
      'consul lock -try 10s -verbose locks/poll "/srv/poll.sh --all"',
      'busybox flock -n /run/x.lock /srv/poll.sh',
      'run-one-until-success /srv/poll.sh',
      'CRONLOCK_RELEASE=900 cronlock /srv/poll.sh',
      'dotlockfile -p -r 0 /run/x.lock && /srv/poll.sh; dotlockfile -u /run/x.lock',
      'dotlockfile -r 0 /run/x.lock -P /srv/poll.sh',
      'dotlockfile -p /run/x.lock /srv/poll.sh',
    ])
      assert.deepEqual(about(command), [], command);
  });

  it('is none where it only looks, is another command of the same program, or may be held by several', () => {
    for (const command of [
      'lckdo -t /run/lock/x && /srv/poll.sh',
      'with-lock-ex -l /run/x.lock; /srv/poll.sh',
      'consul kv get x; /srv/poll.sh',
      'consul lock -n 3 locks/poll /srv/poll.sh',
      'etcdctl get x && /srv/poll.sh',
      'softlimit -m 1000000 /srv/poll.sh',
      'systemd-inhibit --what=sleep /srv/poll.sh',
    ])
      assert.deepEqual(rules(about(command)), ['cron.unlocked'], command);
  });

  it('is waited for without a bound, and the advice is of that program', () => {
    const waits = (command: string): string | undefined => {
      const [finding, ...others] = about(command);
      assert.deepEqual([finding?.rule, finding?.severity, others], ['guard.missing', 'warning', []], command);
      return finding?.advice;
    };
    assert.deepEqual(
      [
        'lckdo -w /x /a.sh',
        'with-lock-ex -w /x /a.sh',
        'lockf /x /a.sh',
        's6-setlock /x /a.sh',
        'consul lock x /a.sh',
        'etcdctl --endpoints=http://e:2379 lock x /a.sh',
      ].map(waits),
      [
        'Take the -w away, which skips a start that meets the lock, or write -W 10, which waits ten seconds.',
        'Write -q in place of -w, which skips a start that meets the lock.',
        'Write lockf -t 0, which skips a start that meets the lock, or lockf -t 10, which waits ten seconds.',
        'Write s6-setlock -n, which skips a start that meets the lock.',
        'Write consul lock -try=10s, which waits ten seconds for the lock.',
        'etcdctl lock can do nothing else: leasehold run, with its store on another host, skips a start that meets the lock.',
      ],
    );
    assert.match(
      about('lckdo -w /x /a.sh')[0]?.message ?? '',
      /^lckdo waits for the lock without a bound: while "a\.sh"/,
    );
  });

  it('is held by any number where it is a shared one', () => {
    assert.deepEqual(failsOpen('lckdo -s /run/x /a.sh'), [
      'critical: lckdo -s takes a shared lock: any number of starts hold it together.',
    ]);
    assert.deepEqual(failsOpen('s6-setlock -n -r /run/x /a.sh'), [
      'critical: s6-setlock -r takes a shared lock: any number of starts hold it together.',
    ]);
    assert.equal(about('s6-setlock -n -r /run/x /a.sh')[0]?.advice, 'Take the -r away.');
  });

  it('of cronlock stays for a day after a crash, and is worth knowing where starts are more often', () => {
    const said =
      'info: cronlock keeps its lock for 1d after a crash of the host, unless CRONLOCK_RELEASE says less: nothing starts for so long.';
    assert.deepEqual(messages(about('cronlock /srv/poll.sh'), 'guard.fails-open'), [said]);
    assert.deepEqual(rules(about('cronlock /srv/poll.sh')), ['guard.fails-open']);
    assert.equal(
      about('cronlock /srv/poll.sh')[0]?.advice,
      'Set CRONLOCK_RELEASE to the seconds that the slowest run takes, with a margin.',
    );
    assert.deepEqual(only('0 2 * * * cronlock /srv/poll.sh').findings, []);
  });

  it('that is a file counts as left behind after a time, in programs that say so', () => {
    const old =
      'takes a lock that is older than 5m for one that was left behind: a run that lasts longer is met by the next one.';
    assert.deepEqual(failsOpen('dotlockfile -r 0 /run/x.lock && /a.sh; dotlockfile -u /run/x.lock'), [
      `warning: dotlockfile ${old}`,
    ]);
    assert.deepEqual(failsOpen('lockfile-create -r 0 /run/x && /a.sh; lockfile-remove /run/x'), [
      `warning: lockfile-create ${old}`,
    ]);
    assert.match(
      failsOpen('lockfile -r 0 -l 3600 /run/x && /a.sh')[0] ?? '',
      /^warning: lockfile takes a lock that is older than 1h for one/,
    );
    assert.match(failsOpen('lockfile -r 0 /run/x && /a.sh')[0] ?? '', /nothing starts again until a person/);
  });

  it('lies in /tmp', () => {
    assert.deepEqual(failsOpen('lckdo /tmp/x.lock /a.sh'), [
      'info: The lock /tmp/x.lock lies where files are cleaned up by age and anybody may write: a new file under the same name is another lock.',
    ]);
  });

  it('that the program names by the command is no lock that two commands share', () => {
    const { workflows } = read(['0 6 * * * runlock /srv/a.sh', '0 6 * * * runlock /srv/b.sh']);
    assert.deepEqual(
      workflows.map(({ findings }) => findings),
      [[], []],
    );
    const shared = read([
      '0 * * * * CRONLOCK_RELEASE=9 CRONLOCK_KEY=x cronlock /srv/a.sh',
      '0 * * * * CRONLOCK_RELEASE=9 CRONLOCK_KEY=x cronlock /srv/b.sh',
    ]);
    assert.deepEqual(
      shared.workflows.map(({ findings }) => rules(findings)),
      [['lock.drops-events'], ['lock.drops-events']],
    );
  });
});
