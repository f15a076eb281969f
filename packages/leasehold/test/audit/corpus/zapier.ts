/** Zaps of an account's export: their schedules, and the delay queue that is no lock. */
import { DAY, HOUR, type Known, MINUTE, type Sample } from './corpus.ts';

const step = (id: number, parent: number | null, given: object): object => ({
  id,
  parent_id: parent,
  root_id: parent === null ? null : 7,
  type_of: parent === null ? 'read' : 'write',
  action: 'add_row',
  selected_api: 'GoogleSheetsV2CLIAPI@2.1.0',
  params: {},
  meta: {},
  ...given,
});

const QUEUE = step(9, 7, { selected_api: 'DelayCLIAPI@1.1.1', action: 'queue', meta: { stepTitle: 'Line up' } });
const DELAY = step(9, 7, {
  selected_api: 'DelayCLIAPI@1.1.1',
  action: 'delay_for',
  params: { delay_for_value: '2', delay_for_unit: 'hours' },
});
const FILTER = step(8, 7, { selected_api: 'FilterAPI', action: 'filter', type_of: 'filter' });
const LATER = { ...DELAY, parent_id: 8 };
const ROW = step(10, 9, {});
const LOOKUP = step(8, 7, { action: 'lookup_row', type_of: 'search', meta: { stepTitle: 'Find new' } });
const CLAIM = step(11, 8, {
  selected_api: 'PostgreSQLCLIAPI@1.0.0',
  action: 'custom_query',
  params: { query: "select * from leasehold.claim('leads', 'zap', array['1'])" },
});
const MAIL = step(9, 8, { selected_api: 'GmailV2CLIAPI@2.0.0', action: 'message', meta: { stepTitle: 'Mail' } });
const MARK = step(10, 9, { action: 'update_row', meta: { stepTitle: 'Mark it' } });

function zap(name: string, trigger: object, steps: readonly object[], known: Known, more: object = {}): Sample {
  const nodes = Object.fromEntries(
    [step(7, null, trigger), ...steps].map((each) => [(each as { id: number }).id, each]),
  );
  const zaps = [{ id: name, title: name, status: 'on', nodes, ...more }];
  return { name, files: { 'zapfile.json': { metadata: { version: 'gdpr_v1' }, zaps } }, known };
}

const clock = (action: string, params: object): object => ({
  selected_api: 'ScheduleCLIAPI@1.7.0',
  action,
  params,
  meta: { timezone: 'UTC' },
});
const planned = (name: string, action: string, params: object, gaps: readonly [number, number]): Sample =>
  zap(name, clock(action, params), [ROW], {
    finds: ['guard.missing info'],
    may: ['schedule.uneven'],
    schedule: { gaps },
  });

const NO_LOCK = 'platform.switch-is-no-lock warning';

export const ZAPIER: readonly Sample[] = [
  planned('zap-each-hour', 'everyHour', { moh: '15' }, [HOUR, HOUR]),
  planned('zap-each-day', 'everyDay', { hod: '9:30 PM', weekends: 'yes' }, [DAY, DAY]),
  planned('zap-each-working-day', 'everyDay', { hod: '9:30 PM', weekends: 'no' }, [DAY, 3 * DAY]),
  planned('zap-each-week', 'everyWeek', { dow: 'Monday', hod: '12:00 AM' }, [7 * DAY, 7 * DAY]),
  planned('zap-each-month', 'everyMonth', { dom: '3', hod: '06:00' }, [28 * DAY, 31 * DAY]),
  planned('zap-each-quarter', 'every15Min', {}, [15 * MINUTE, 15 * MINUTE]),
  zap('zap-of-new-rows', { action: 'new_row' }, [ROW], { finds: [], schedule: { kind: 'poll', gaps: null } }),
  zap('zap-of-a-webhook', { selected_api: 'WebHookCLIAPI@1.0.0', action: 'hook_v2' }, [ROW], {
    finds: [],
    schedule: null,
  }),
  zap('zap-with-a-queue', { action: 'new_row' }, [QUEUE, ROW], { finds: [NO_LOCK] }),
  zap('zap-with-a-queue-by-webhook', { selected_api: 'WebHookCLIAPI@1.0.0', action: 'hook_v2' }, [QUEUE, ROW], {
    finds: [NO_LOCK],
    schedule: null,
  }),
  zap('zap-with-its-steps-upside-down', { action: 'new_row' }, [ROW, QUEUE].toReversed(), { finds: [NO_LOCK] }),
  zap(
    'zap-that-is-off',
    { action: 'new_row' },
    [QUEUE, ROW],
    {
      finds: ['platform.switch-is-no-lock info'],
      state: 'off',
      says: { 'platform.switch-is-no-lock': /It is switched off: switched on, this would be a warning\.$/ },
    },
    { status: 'off' },
  ),
  zap('zap-each-hour-that-waits-two', clock('everyHour', { moh: '15' }), [DELAY, ROW], {
    finds: ['overlap.predicted critical', 'guard.missing info'],
  }),
  zap('zap-each-hour-that-waits-two-behind-a-filter', clock('everyHour', { moh: '15' }), [FILTER, LATER, ROW], {
    finds: ['overlap.predicted warning', 'guard.missing info'],
  }),
  zap('zap-each-hour-that-marks-after-the-mail', clock('everyHour', {}), [LOOKUP, MAIL, MARK], {
    finds: ['guard.missing warning', 'window.read-to-write warning', 'window.effect-before-mark warning'],
    paths: [['Find new', 'Mark it', 1, true]],
  }),
  zap(
    'zap-each-hour-that-marks-first',
    clock('everyHour', {}),
    [LOOKUP, { ...MARK, parent_id: 8 }, { ...MAIL, parent_id: 10 }],
    {
      finds: ['guard.missing warning'],
    },
  ),
  zap('zap-each-hour-that-marks-nothing', clock('everyHour', {}), [LOOKUP, MAIL], {
    finds: ['guard.missing warning', 'window.no-status-write info'],
  }),
  zap('zap-each-hour-that-claims', clock('everyHour', {}), [LOOKUP, CLAIM, { ...MAIL, parent_id: 11 }, MARK], {
    finds: [],
  }),
  // Nothing else tells how long a run takes: the lease spans what is known of it, its delay.
  zap('zap-that-waits', { action: 'new_row' }, [DELAY, ROW], { finds: [], leaseMs: 2 * HOUR }),
];
