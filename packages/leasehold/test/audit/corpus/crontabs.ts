/** Lines of crontabs, system and user form, with and without a guard, each in a file of its own. */
import { DAY, HOUR, type Known, MINUTE, type Sample } from './corpus.ts';

/** One line; what comes before it may set it up. */
function line(name: string, text: string | readonly string[], known: Known, given: Partial<Sample> = {}): Sample {
  const lines = typeof text === 'string' ? [text] : text;
  return {
    name,
    files: { crontab: `${lines.join('\n')}\n` },
    id: `crontab:${lines.length}`,
    timezone: 'UTC',
    known,
    ...given,
  };
}

const every = (gapMs: number): Pick<Known, 'schedule'> => ({ schedule: { gaps: [gapMs, gapMs] } });
const UNLOCKED = 'cron.unlocked warning';
const DAILY = 'cron.unlocked info';
const OPEN = 'guard.fails-open';

const TIMES: readonly (readonly [
  name: string,
  text: string | readonly string[],
  gapMs: number,
  finds?: readonly string[],
])[] = [
  ['cron-each-five-minutes', '*/5 * * * * /srv/poll.sh', 5 * MINUTE],
  ['cron-each-minute', '* * * * * /srv/poll.sh', MINUTE],
  ['cron-each-hour', '7 * * * * /srv/poll.sh', HOUR],
  ['cron-at-hourly', '@hourly /srv/poll.sh', HOUR],
  ['cron-at-daily', '@daily /srv/poll.sh', DAY, [DAILY]],
  ['cron-at-midnight', '@midnight /srv/poll.sh', DAY, [DAILY]],
  ['cron-at-weekly', '@weekly /srv/poll.sh', 7 * DAY, [DAILY]],
  ['cron-each-night', '30 2 * * * /srv/poll.sh', DAY, [DAILY]],
  ['cron-with-zeros', '00 04 * * * /srv/poll.sh', DAY, [DAILY]],
  ['cron-in-tabs', '\t15\t*\t*\t*\t*\t/srv/poll.sh', HOUR],
  ['cron-with-a-user', '17 * * * * root /srv/poll.sh', HOUR],
  ['cron-of-six-fields', '*/10 * * * * * /srv/poll.sh', 10_000],
  ['cron-every-of-go', '@every 1h30m /srv/poll.sh', 90 * MINUTE],
  ['cron-with-a-percent', '0 * * * * /bin/mail -s x%Hello', HOUR],
  ['cron-of-windows', '0 * * * * /srv/poll.sh\r', HOUR],
];

/** They hold: nothing to say. */
const HOLD: readonly (readonly [name: string, command: string])[] = [
  ['flock', 'flock -n /run/lock/x.lock /srv/poll.sh'],
  ['flock-by-descriptor', '( flock -n 9 || exit 1; /srv/poll.sh ) 9>/run/x.lock'],
  ['flock-behind-a-variable', 'A=1 /usr/bin/flock -xn /run/x.lock -c "/srv/poll.sh --all"'],
  ['flock-behind-cd', 'cd /srv && flock -w 10 /run/x.lock ./poll.sh'],
  ['flock-that-closes', 'flock -n -o /run/x.lock sh -c "/srv/worker & sleep 1"'],
  ['leasehold', 'leasehold run poll --lease 5m -- /srv/poll.sh'],
  ['systemd', 'systemctl start poll.service'],
  ['run-one', 'run-one /srv/poll.sh'],
  ['setlock', 'setlock -n /run/x.lock /srv/poll.sh'],
  ['nothing-to-guard', 'touch /tmp/alive'],
];

/** They look like guards. */
const LEAK: readonly (readonly [name: string, command: string, finds: readonly string[]])[] = [
  ['pgrep', 'pgrep -f "[s]ync.py" > /dev/null || python3 /srv/sync.py', [`${OPEN} warning`]],
  ['pidof', 'pidof worker || /srv/worker', [`${OPEN} warning`]],
  ['a-file', '[ -f /run/j.lock ] || (touch /run/j.lock; /srv/job.sh; rm /run/j.lock)', [`${OPEN} warning`]],
  ['mkdir', 'mkdir /run/j.lock && /srv/job.sh; rmdir /run/j.lock', [`${OPEN} warning`]],
  ['lockfile', 'lockfile -r 0 /run/j.lock && /srv/job.sh', [`${OPEN} warning`]],
  ['flock-of-nothing', 'flock -n /run/x.lock true && /srv/job.sh', [`${OPEN} critical`]],
  ['flock-that-nobody-asks', '( flock -n 9; /srv/job.sh ) 9>/run/x.lock', [`${OPEN} critical`]],
  ['flock-shared', 'flock -sn /run/x.lock /srv/a.sh', [`${OPEN} critical`]],
  ['flock-of-a-part', 'flock -n /run/x.lock /srv/a.sh && /srv/b.sh', [`${OPEN} warning`]],
  ['flock-in-tmp', 'flock -n /tmp/x.lock /srv/a.sh', [`${OPEN} info`]],
  ['flock-that-waits', 'flock /run/x.lock /srv/poll.sh', ['guard.missing warning']],
  [
    'flock-that-is-inherited',
    'flock -n /run/x.lock sh -c "/srv/worker --serve & sleep 1"',
    ['cron.lock-inherited critical'],
  ],
  ['leasehold-in-the-background', 'leasehold run a -- sh -c "/srv/a.sh &"', [`${OPEN} critical`]],
  ['leasehold-with-a-lease-that-is-none', 'leasehold run a --lease 5min -- /srv/a.sh', [`${OPEN} critical`]],
  ['run-this-one', 'run-this-one /srv/a.sh', [`${OPEN} warning`]],
];

export const CRONTABS: readonly Sample[] = [
  ...TIMES.map(([name, text, gapMs, finds = [UNLOCKED]]) => line(name, text, { finds, ...every(gapMs) })),
  ...HOLD.map(([name, command]) =>
    line(`holds-${name}`, `*/5 * * * * ${command}`, { finds: [], ...every(5 * MINUTE) }),
  ),
  ...LEAK.map(([name, command, finds]) => line(`leaks-${name}`, `*/5 * * * * ${command}`, { finds })),
  line('cron-each-seven-minutes', '*/7 * * * * flock -n /run/x /srv/poll.sh', {
    finds: ['schedule.uneven'],
    schedule: { gaps: [4 * MINUTE, 7 * MINUTE] },
  }),
  line('cron-each-five-hours', '0 */5 * * * flock -n /run/x /srv/poll.sh', {
    finds: ['schedule.uneven'],
    schedule: { gaps: [4 * HOUR, 5 * HOUR] },
  }),
  // Day of the month OR day of the week, as cron has it: the 1st, and each Monday.
  line('cron-day-or-weekday', '0 5 1 * mon flock -n /run/x /srv/poll.sh', {
    finds: [],
    may: ['schedule.uneven'],
    schedule: { gaps: [DAY, 7 * DAY] },
  }),
  line('cron-on-the-thirty-first-of-february', '0 0 31 2 * /srv/poll.sh', {
    finds: ['schedule.never-fires critical'],
    schedule: { gaps: null },
  }),
  line('cron-at-minute-sixty', '60 * * * * /srv/poll.sh', {
    finds: ['schedule.never-fires critical'],
    schedule: { gaps: null },
  }),
  line('cron-at-boot', '@reboot /srv/poll.sh', { finds: [], schedule: { kind: 'reboot', gaps: null } }),
  line('cron-with-a-timeout', '*/5 * * * * timeout -k 5 4m /srv/poll.sh', { finds: [DAILY] }),
  line('cron-with-a-zone-of-its-own', ['CRON_TZ=America/New_York', '30 2 * * * /srv/poll.sh'], {
    finds: [DAILY, 'schedule.dst'],
    schedule: { timezone: 'America/New_York' },
  }),
  // TZ is the command's: the schedule goes by the system's zone.
  line('cron-with-a-zone-of-the-command', ['TZ=America/New_York', '30 2 * * * /srv/poll.sh'], {
    finds: [DAILY],
    schedule: { gaps: [DAY, DAY] },
  }),
  line(
    'cron-among-variables',
    ['SHELL=/bin/sh', 'MAILTO="one@example.com, two@example.com; three"', '# note', '', '25 6 * * * root /bin/daily'],
    {
      finds: [DAILY],
      ...every(DAY),
    },
  ),
  line(
    'cron-two-commands-of-one-lock',
    ['0 6 * * * flock -n /run/x.lock /srv/a.sh', '0 6 * * * flock -n /run/x.lock /srv/b.sh'],
    {
      finds: ['lock.drops-events warning'],
    },
  ),
  line(
    'cron-one-command-of-two-locks',
    ['30 6 * * * flock -n /run/b.lock /srv/sync.sh', '0 * * * * flock -n /run/a.lock /srv/sync.sh'],
    {
      finds: [`${OPEN} warning`],
    },
  ),
];
