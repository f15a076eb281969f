import type { Entry } from './page.ts';

/** What may stand for a placeholder of an option. Each one that an option has is here. */
export const VALUES: readonly Entry[] = [
  ['<col>', 'a name as it is written; in double quotes it may have a comma or a dot'],
  ['<cron>', 'five fields as in the crontab, six with seconds first, or @hourly, @daily, @weekly, @monthly, @yearly'],
  ['<duration>', 'a whole number and a unit: 500ms, 60s, 40m, 2h, 31d; a day is 24 hours'],
  ['<file>', 'a path, from the working directory where it is not absolute; - only where the option says so'],
  ['<id>', '1 to 1,024 bytes, no control characters'],
  ['<ids>', 'ids with commas between them; blanks around one do not count'],
  ['<iso>', 'an instant with its zone: 2026-11-30T09:00:00Z or 2026-11-30T10:00:00+01:00'],
  ['<kind>', 'one word, as the option says'],
  ['<list>', 'names or words with commas between them'],
  ['<n>', 'a whole number'],
  ['<name>', 'of a lock or pool: 1 to 255 bytes, no control characters'],
  ['<pairs>', 'FIELD=COLUMN with commas between them; a column with a comma or = stands in double quotes'],
  ['<role>', 'a role of PostgreSQL'],
  ['<state>', 'queued, claimed, done, failed, review or cancelled'],
  ['<status>', 'success or failure'],
  ['<step>', 'the name behind the == of a printed statement'],
  ['<table>', 'NAME, SCHEMA.NAME or "My Schema"."my.table"'],
  ['<text>', '1 to 4,096 bytes, no control characters'],
  ['<token>', 'as acquire or claim printed it'],
  ['<tz>', 'an IANA name: Europe/Berlin, UTC'],
  ['<url>', 'sqlite:PATH or postgres://USER@HOST/DATABASE'],
  ['<what>', 'one of the words that the option names'],
  ['<word>', '1 to 255 bytes, no control characters'],
];
