/** The same for crontabs: whole commands, and texts in the fields around them. */
import { type Place, place } from './places.ts';

const crontab = (name: string, lines: (text: string) => readonly string[] | null): Place =>
  place(`crontab: ${name}`, (text) => {
    const written = lines(text);
    return written === null ? null : { crontab: `SHELL=/bin/sh\n${written.join('\n')}\n` };
  });

/** For whole commands. */
export const CRONTABS: readonly Place[] = [
  crontab('a command', (text) => [`*/5 * * * * ${text}`]),
  crontab('a command behind another', (text) => [`*/5 * * * * cd /srv && ${text}`]),
  crontab('a command in a pipeline', (text) => [`*/5 * * * * /srv/export.sh | ${text} > /tmp/x`]),
  crontab('a command that is guarded', (text) => [
    `*/5 * * * * flock -n /tmp/x.lock ${text}`,
    `*/5 * * * * flock -n /tmp/x.lock ${text}`,
  ]),
  crontab('a command that is guarded badly', (text) => [`*/5 * * * * pgrep -f x || ${text}`]),
  crontab('a command behind seconds', (text) => [`0 0 0 * * * ${text}`]),
  crontab('a command of a user', (text) => [`*/5 * * * * root ${text}`]),
  crontab('a command under time', (text) => [`*/5 * * * * nice -n 5 timeout 60 ${text} &`]),
  crontab('a command of a shell', (text) => [`*/5 * * * * bash -lc '${text.replaceAll("'", '"')}'`]),
];

const isPath = (text: string): boolean => /[/\0'"]/.test(text);

/** For texts of any kind. */
export const CRONTAB_FIELDS: readonly Place[] = [
  crontab('an argument', (text) => [`*/5 * * * * /srv/sync.sh '${text.replaceAll("'", '')}'`]),
  crontab('an argument without quotes', (text) => (text.includes('-----') ? null : [`*/5 * * * * curl -fsS ${text}`])),
  crontab('an environment', (text) => [`X_NOTE=${text}`, '*/5 * * * * /srv/sync.sh']),
  crontab('who gets mail', (text) => [`MAILTO=${text}`, '*/5 * * * * /srv/sync.sh']),
  crontab('a zone', (text) => [`CRON_TZ=${text}`, '*/5 * * * * /srv/sync.sh']),
  crontab('a comment', (text) => [`# ${text}`, '*/5 * * * * /srv/sync.sh']),
  crontab('a field of a schedule', (text) => [`*/5 * * * * /srv/a.sh`, `${text} * * * * /srv/sync.sh`]),
  crontab('a lock file', (text) =>
    isPath(text)
      ? null
      : [`*/5 * * * * flock -n '/tmp/${text}.lock' /srv/a.sh`, `0 * * * * flock -n '/tmp/${text}.lock' /srv/b.sh`],
  ),
  crontab('what is looked for', (text) => [`*/5 * * * * pgrep -f '${text.replaceAll("'", '')}' || /srv/a.sh`]),
  crontab('input behind a percent sign', (text) => [`*/5 * * * * /srv/sync.sh%${text}`]),
];
