/** Blueprints of Make: which of block, duplicate and lose a scenario does, by its switches; and its schedule. */
import { DAY, HOUR, type Known, MINUTE, type Sample } from './corpus.ts';

interface Switches {
  readonly sequential?: boolean;
  readonly dlq?: boolean;
  readonly dataloss?: boolean;
}

const POLL = { id: 1, module: 'google-sheets:watchRows', parameters: { __IMTCONN__: 5 } };
const HOOK = { id: 1, module: 'gateway:CustomWebHook', parameters: {} };
const MAIL = { id: 2, module: 'google-email:ActionSendEmail', mapper: { to: '{{1.mail}}' } };
const LOCK = { id: 9, module: 'http:ActionSendData', mapper: { url: 'https://lease.test/v1/locks/orders/acquire' } };
const SLEEP = { id: 4, module: 'util:FunctionSleep', mapper: { duration: '120' } };

function blueprint(name: string, scenario: Switches, flow: readonly object[], more: object = {}): object {
  const metadata = {
    instant: flow[0] === HOOK,
    version: 1,
    scenario: { roundtrips: 1, maxErrors: 3, autoCommit: true, ...scenario },
  };
  return { name, flow, metadata, ...more };
}

function sample(name: string, scenario: Switches, flow: readonly object[], known: Known, more: object = {}): Sample {
  return { name, files: { 'blueprint.json': blueprint(name, scenario, flow, more) }, known };
}

const BLOCKS = 'make.sequential-blocks warning';
const NO_LOCK = 'platform.switch-is-no-lock warning';
const LOSES = 'make.data-loss warning';
/** Without its own store a failed run is rolled back and read again; that is told as a note. */
const REPEATS = 'make.data-loss info';
/** Make ends a run after 40 minutes: with a margin, that is a lease. */
const LEASE = { leaseMs: 45 * MINUTE };

const scheduled = (
  name: string,
  scheduling: object,
  gaps: readonly [number, number] | null,
  more: Partial<Known> = {},
): Sample =>
  sample(
    name,
    { dlq: true },
    [POLL, MAIL],
    { finds: ['guard.missing warning'], schedule: { gaps }, ...more },
    { scheduling },
  );

export const MAKE: readonly Sample[] = [
  sample('make-as-usual', {}, [POLL, MAIL], {
    finds: ['guard.missing info', REPEATS],
    schedule: { gaps: null },
    ...LEASE,
  }),
  sample('make-keeps-incomplete', { dlq: true }, [POLL, MAIL], { finds: ['guard.missing warning'], ...LEASE }),
  sample('make-drops', { dataloss: true }, [POLL, MAIL], { finds: ['guard.missing info', LOSES] }),
  sample('make-keeps-and-drops', { dlq: true, dataloss: true }, [POLL, MAIL], {
    finds: ['guard.missing warning', LOSES],
  }),
  sample('make-in-sequence', { sequential: true }, [POLL, MAIL], { finds: [NO_LOCK, REPEATS] }),
  sample('make-in-sequence-and-keeps', { sequential: true, dlq: true }, [POLL, MAIL], { finds: [BLOCKS, NO_LOCK] }),
  sample('make-in-sequence-and-drops', { sequential: true, dataloss: true }, [POLL, MAIL], { finds: [NO_LOCK, LOSES] }),
  sample('make-with-all-switches', { sequential: true, dlq: true, dataloss: true }, [POLL, MAIL], {
    finds: [BLOCKS, NO_LOCK, LOSES],
  }),
  sample('make-by-webhook', {}, [HOOK, MAIL], { finds: ['guard.missing warning', LOSES], schedule: null }),
  sample('make-by-webhook-keeps', { dlq: true }, [HOOK, MAIL], { finds: ['guard.missing warning'], schedule: null }),
  sample('make-by-webhook-in-sequence', { sequential: true, dlq: true }, [HOOK, MAIL], {
    finds: [BLOCKS, NO_LOCK],
    schedule: null,
  }),
  sample('make-with-our-lock', { dlq: true }, [POLL, LOCK, MAIL], { finds: [] }),
  sample('make-with-our-app', { dlq: true }, [POLL, { id: 3, module: 'app#leasehold-x1:claim' }, MAIL], { finds: [] }),
  sample(
    'make-with-our-lock-in-a-route',
    { dlq: true },
    [POLL, { id: 3, module: 'builtin:BasicRouter', routes: [{ flow: [LOCK, MAIL] }] }],
    { finds: [] },
  ),
  sample('make-that-sleeps', { dlq: true }, [POLL, SLEEP, MAIL], { finds: ['guard.missing warning'] }),
  scheduled('make-each-quarter', { type: 'indefinitely', interval: 900 }, [15 * MINUTE, 15 * MINUTE]),
  scheduled('make-each-minute', { type: 'indefinitely', interval: 60 }, [MINUTE, MINUTE]),
  scheduled('make-each-day', { type: 'daily', time: '09:05' }, [DAY, DAY]),
  scheduled('make-on-two-days', { type: 'weekly', days: [1, 5], time: '09:00' }, [3 * DAY, 4 * DAY], {
    may: ['schedule.uneven'],
  }),
  scheduled('make-twice-a-month', { type: 'monthly', dates: [1, 15], time: '00:00' }, [14 * DAY, 17 * DAY], {
    may: ['schedule.uneven'],
  }),
  scheduled('make-on-demand', { type: 'on-demand' }, null, { schedule: null }),
  scheduled('make-at-once', { type: 'immediately' }, null, { schedule: null }),
  {
    name: 'make-in-an-answer-of-its-api',
    files: {
      'a.json': {
        code: 'OK',
        response: {
          blueprint: blueprint('Orders', { dlq: true }, [POLL, MAIL]),
          scheduling: { type: 'indefinitely', interval: 3_600 },
        },
      },
    },
    id: 'Orders',
    known: { finds: ['guard.missing warning'], schedule: { gaps: [HOUR, HOUR] } },
  },
  {
    name: 'make-beside-an-unrelated-blueprint',
    files: {
      'blueprint.json': blueprint('make-beside-an-unrelated-blueprint', { dlq: true }, [POLL, MAIL]),
      'other/blueprint.json': { landingPage: '/wp-admin/', steps: [{ step: 'login' }] },
    },
    known: { finds: ['guard.missing warning'] },
  },
];
