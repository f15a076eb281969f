/** What is said of arguments that are refused, word for word, by library and command line alike. */
import { describe } from 'node:test';
import { parseInstant, parseMaxHold, parseWhole } from '../../src/cli/options.ts';
import { parseDuration } from '../../src/domain/duration.ts';
import { checkHolderInfo, HOLDER_INFO_BYTES_MAX } from '../../src/domain/holder-info.ts';
import { checkId, checkLeaseMs, checkName, checkPageSize, checkToken } from '../../src/domain/limits.ts';
import { parseStoreUrl, storeUrlName } from '../../src/domain/store-url.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';
import { assertSaid, type Said } from './said.ts';

const CYCLE: Record<string, unknown> = {};
CYCLE['self'] = CYCLE;

const LIMITS: readonly Said[] = [
  [() => checkName(7), 'lock name must be text, got number'],
  [() => checkId(null, 'holder'), 'holder must be text, got null'],
  [() => checkName(''), 'lock name is empty; give it 1 to 255 bytes'],
  [() => checkId('x'.repeat(1_025), 'run id'), 'run id is 1025 bytes long; the limit is 1024'],
  [() => checkName('a\ud800'), 'lock name is not valid Unicode text'],
  [() => checkName('a\nb'), String.raw`lock name "a\nb" has control characters (a newline, a NUL, a tab); remove them`],
  [() => checkToken('a\nb'), 'token has control characters (a newline, a NUL, a tab); remove them'],
  [() => checkLeaseMs('60s'), 'lease must be a number of milliseconds'],
  [() => checkLeaseMs(50), 'lease is 50ms; it must lie between 1s and 31d'],
  [() => checkLeaseMs(32 * 86_400_000), 'lease is 32d; it must lie between 1s and 31d'],
  [() => checkLeaseMs(2_764_800_001), 'lease is 2764800001 ms; it must lie between 1s and 31d'],
  [() => checkPageSize(0), 'limit must be a whole number from 1 to 1000'],
  [
    () => parseDuration('1 month', 'lease'),
    'lease: "1 month" is not a duration; write a whole number and a unit, for example 500ms, 60s, 40m, 2h or 1d',
  ],
  [() => checkHolderInfo([]), 'holder info must be an object'],
  [() => checkHolderInfo({ toJSON: () => 7 }), 'holder info must be an object'],
  [
    () => checkHolderInfo({ x: 'x'.repeat(HOLDER_INFO_BYTES_MAX) }),
    'holder info is 65544 bytes long as JSON; the limit is 65536',
  ],
  [() => checkHolderInfo({ x: '\0' }), 'holder info has a NUL or is not valid Unicode text'],
  [() => checkHolderInfo(CYCLE), 'holder info has something that JSON cannot hold (a cycle, a BigInt)'],
  [() => parseWhole('quiet-skips', 1, 9)('0'), 'quiet-skips: "0" is not a whole number from 1 to 9'],
  [() => parseMaxHold('10ms'), 'max-hold: "10ms" is too short; it must be 1s or longer'],
  [
    () => parseInstant('slot')('2026-11-30'),
    'slot: "2026-11-30" is not an instant; write ISO 8601 with a zone, for example 2026-11-30T09:00:00Z',
  ],
];

const cron = (expression: string, timezone = 'UTC') => openCronSchedule({ expression, timezone });

const SCHEDULES: readonly Said[] = [
  [
    () => cron('*'),
    `schedule: "*" has 1 field; write five fields (minute hour day month weekday), for example '0 * * * *' or '30 2 * * MON-FRI', or @hourly`,
  ],
  [
    () => cron('61 * * * *'),
    `schedule: "61 * * * *" is not a cron expression (Invalid value for minute: 61); write five fields (minute hour day month weekday), for example '0 * * * *' or '30 2 * * MON-FRI', or @hourly`,
  ],
  [() => cron('0 0 31 2 *'), 'schedule: "0 0 31 2 *" never fires: no date fits it; look at its day and month'],
  [() => cron('@daily', 'Mars'), 'timezone: "Mars" is not known; write an IANA name, for example Europe/Berlin or UTC'],
];

const FORMS = 'sqlite:PATH, postgres://USER@HOST/DATABASE or https://HOST';
const ENCODE =
  'percent-encode the special characters of user and password (/ is %2F, ? is %3F, # is %23, @ is %40, \\ is %5C)';

const STORE_URLS: readonly Said[] = [
  [() => parseStoreUrl(''), `the store's URL is empty; write ${FORMS}`],
  [() => parseStoreUrl('sqlite:a\0b'), `the store's URL has control characters; write ${FORMS}`],
  [() => storeUrlName('postgres://a:b'), 'the store (its URL is not valid)'],
  [
    () => parseStoreUrl('sqlite:'),
    'sqlite: names no file; write sqlite:PATH, for example sqlite:/var/lib/leasehold/leasehold.db',
  ],
  [
    () => parseStoreUrl('sqlite://host/x.db'),
    'sqlite:// with two slashes would name a host; write sqlite:PATH or sqlite:///ABSOLUTE/PATH',
  ],
  [() => parseStoreUrl('sqlite:~/x.db'), 'sqlite:~… is not expanded by every shell; write the whole path'],
  [() => parseStoreUrl('postgres://app:a/b@db/jobs'), `the store's URL has an @ behind its host; ${ENCODE}`],
  [() => parseStoreUrl('postgres://db:port/x'), `the store's URL can't be read; write ${FORMS}, and ${ENCODE}`],
  [
    () => parseStoreUrl('/var/x.db'),
    `the store is given without its kind; for a file write sqlite:/var/x.db (${FORMS})`,
  ],
  [() => parseStoreUrl('C:\\x.db'), `the store is given without its kind; for a file write sqlite:PATH (${FORMS})`],
  [() => parseStoreUrl('mysql://db/x'), `no store is known by the scheme "mysql:"; write ${FORMS}`],
  [() => parseStoreUrl('app:secret@db'), `no store is known by the beginning of this URL; write ${FORMS}`],
];

describe('of limits', () => assertSaid(LIMITS));
describe('of schedules', () => assertSaid(SCHEDULES));
describe('of stores’ URLs', () => assertSaid(STORE_URLS));
