/** What is advised for a line has to work when it is done: a guard put before a line holds for its first command only. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { only } from './read.ts';

const adviceOf = (...lines: readonly string[]): string =>
  only(...lines).findings.find(({ rule }) => rule === 'cron.unlocked')?.advice ?? 'nothing';
const forCommand = (command: string): string => adviceOf(`*/5 * * * * ${command}`);

describe('the advice for a line that nothing guards', () => {
  it('puts what only a shell can read between the quotes of one, as in the crontab that Debian comes with', () => {
    assert.equal(
      forCommand('cd / && run-parts --report /etc/cron.hourly'),
      "Write `leasehold run run-parts-etc-cron.hourly -- sh -c '…'`, with the whole command between the quotes: put before the line as it stands, a guard holds for its first command only. On one host, with no records to protect, `flock -n /run/lock/run-parts-etc-cron.hourly.lock sh -c '…'` is enough.",
    );
  });

  it('knows each form that a program put before it would break', () => {
    const broken = [
      'cd /srv && ./poll',
      'pg_dump shop | gzip > /backup/shop.gz',
      './one; ./two',
      './one || mail -s failed ops',
      '( ./one )',
      '{ ./one; }',
      'DB=shop ./one',
      'if true; then ./one; fi',
      'for each in 1 2; do ./one $each; done',
      '! ./one',
      'exec ./one',
      './one &',
    ];
    for (const command of broken) assert.match(forCommand(command), / -- sh -c '…'`/, command);
  });

  it('leaves a program with its words, redirections and what a shell fills in as it is', () => {
    const whole = [
      '/srv/one --report "a && b"',
      '/srv/one > /var/log/one.log 2>&1',
      `/srv/one 'a; b'`,
      '/srv/one "$(date +\\%F)"',
      '/srv/one < /srv/in',
      "sh -c 'cd /srv && ./one'",
      'nice -n 10 /srv/one',
      'env A=1 /srv/one',
      '/srv/one &>> /var/log/one.log',
    ];
    for (const command of whole) assert.match(forCommand(command), /^Put `leasehold run [\w.-]+ --` before/, command);
  });

  it('names the shell of the file, the quotes in the line and what it leaves behind', () => {
    assert.match(adviceOf('SHELL=/bin/bash', '*/5 * * * * cd /srv && ./poll'), /`leasehold run poll -- bash -c '…'`/);
    assert.ok(forCommand("cd /srv && ./poll 'a b'").endsWith(" Each ' in it is written '\\''."));
    assert.match(
      forCommand('cd /srv && ./poll &'),
      / Take its "&" away: the shell would end, and the lock with it, before the work\.$/,
    );
  });

  it('guards the whole line when it is written so, and its first command when it is put before it', () => {
    const command = `echo 'one two' && echo "it's $GUARDED"`;
    const guard = 'env GUARDED=yes';
    const run = (line: string): string => execFileSync('sh', ['-c', line], { encoding: 'utf8', env: {} });
    assert.equal(run(`${guard} sh -c '${command.replaceAll("'", String.raw`'\''`)}'`), "one two\nit's yes\n");
    assert.equal(run(`${guard} ${command}`), "one two\nit's \n");
  });
});
