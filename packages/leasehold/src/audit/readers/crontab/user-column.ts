/**
 * Whether a crontab has a column for the user: those of the system have (`/etc/crontab`, `/etc/cron.d`), those of users
 * have not. Files that lie elsewhere are judged by their lines, and what was decided is said.
 */
import { isCommand } from './command-words.ts';

export interface UserColumn {
  readonly isThere: boolean;
  /** A sentence where it could be either; null where it is clear. */
  readonly sentence: string | null;
}

const KNOWN_USERS: ReadonlySet<string> = new Set([
  'root',
  'daemon',
  'nobody',
  'www-data',
  'apache',
  'nginx',
  'http',
  'postgres',
  'mysql',
  'redis',
  'munin',
  'mail',
  'git',
  'smmsp',
  'ubuntu',
  'ec2-user',
  'admin',
  'vagrant',
]);
const USER = /^[a-z_][a-z0-9_-]{0,31}\$?$/;
/** `rests` are what stands behind the schedule of each line. */
export function userColumnOf(path: string, rests: readonly string[]): UserColumn {
  if (/(?:^|\/)etc\/(?:crontab|anacrontab|cron\.d\/[^/]+)$/.test(path)) return { isThere: true, sentence: null };
  if (/(?:^|\/)spool\/cron\//.test(path)) return { isThere: false, sentence: null };
  const split = rests.map((rest) => rest.split(/\s+/, 3));
  const couldBe = ([user = '', next]: readonly string[]): boolean =>
    USER.test(user) && next !== undefined && !isCommand(user);
  if (rests.length === 0 || !split.every((words) => couldBe(words))) return { isThere: false, sentence: null };
  if (split.some(([user = '']) => KNOWN_USERS.has(user))) return { isThere: true, sentence: null };
  if (split.every(([, next = '']) => isCommand(next))) {
    return { isThere: true, sentence: `"${split[0]?.[0] ?? ''}" was read as the user that the command runs as.` };
  }
  const sentence = `"${split[0]?.[0] ?? ''}" could be a user or a command: it was read as the command, as in a user's own crontab.`;
  return { isThere: false, sentence };
}
