/** Guards that hold, guards that let through, and switches that are none. */
import { type Drawn, HOURLY } from '../n8n/build.ts';
import { CLAIM, code, GET_FLAG, GUARD, http, MAIL, MARK_ROW, READ_ROWS, SET_FLAG, WEBHOOK } from '../n8n/parts.ts';
import { n8n, type Known, type Sample } from './corpus.ts';
import { STORY_FINDS } from './parts.ts';

const STORY = { Clock: HOURLY, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW };
const FILTER: Drawn = { type: 'filter', typeVersion: 2 };
const FAST: Drawn = {
  type: 'scheduleTrigger',
  typeVersion: 1.2,
  parameters: { rule: { interval: [{ field: 'minutes' }] } },
};

function guarded(
  name: string,
  nodes: Readonly<Record<string, Drawn>>,
  flow: string,
  known: Known,
  more: Record<string, unknown> = {},
): Sample {
  return n8n(name, { nodes: { ...STORY, ...nodes }, flow, ...more }, known);
}

const redis = (operation: string, more: Record<string, unknown> = {}): Drawn => ({
  type: 'redis',
  parameters: { operation, key: 'busy', ...more },
});
const sqlGuard = (query: string): Drawn => ({
  type: 'postgres',
  typeVersion: 2.4,
  parameters: { operation: 'executeQuery', query },
});

/** A lock keeps the second run out; what a crash repeats, it does not. */
const LOCKED: Known = { finds: ['window.effect-before-mark warning'] };
const NOTHING: Known = { finds: [] };
/** No run is longer than its timeout, so the history can't tell how long the work would have taken. */
const CUT = 'history.incomplete info';
const FAILS_OPEN = 'guard.fails-open';
/** A lock of its own making is named, and the story is told all the same. */
const LEAKY: Known = {
  finds: ['guard.fails-open warning', 'window.effect-before-mark critical', 'window.read-to-write warning'],
};

export const GUARDS: readonly Sample[] = [
  guarded('a-lock-behind-the-clock', { Guard: GUARD }, 'Clock > Guard > Read > Mail > Mark', LOCKED),
  guarded(
    'a-lock-by-http',
    { Guard: http('POST', 'https://locks.test/v1/locks/a/acquire') },
    'Clock > Guard > Read > Mail > Mark',
    LOCKED,
  ),
  guarded(
    'a-lock-by-sql',
    { Guard: sqlGuard("select * from leasehold.acquire('a', '5 min', 'me')") },
    'Clock > Guard > Read > Mail > Mark',
    LOCKED,
  ),
  guarded('a-claim-behind-the-read', { Claim: CLAIM }, 'Clock > Read > Claim > Mail > Mark', NOTHING),
  guarded(
    'a-claim-by-http',
    { Claim: http('POST', 'https://locks.test/v1/pools/orders/claim') },
    'Clock > Read > Claim > Mail > Mark',
    NOTHING,
  ),
  guarded('a-lock-and-a-claim', { Guard: GUARD, Claim: CLAIM }, 'Clock > Guard > Read > Claim > Mail > Mark', NOTHING),
  guarded(
    'a-lock-that-is-switched-off',
    { Guard: { ...GUARD, disabled: true } },
    'Clock > Guard > Read > Mail > Mark',
    { finds: STORY_FINDS },
  ),
  guarded(
    'a-lock-that-goes-on-without-its-store',
    { Guard: { ...GUARD, onError: 'continueRegularOutput' } },
    'Clock > Guard > Read > Mail > Mark',
    {
      finds: ['guard.fails-open critical', 'window.effect-before-mark warning'],
    },
  ),
  guarded(
    'a-claim-that-goes-on-without-its-store',
    { Claim: { ...CLAIM, continueOnFail: true } },
    'Clock > Read > Claim > Mail > Mark',
    { finds: ['guard.fails-open critical'] },
  ),
  guarded('a-lock-behind-the-mail', { Guard: GUARD }, 'Clock > Read > Mail > Guard > Mark', {
    finds: ['guard.fails-open warning', 'guard.missing warning', 'window.effect-before-mark critical'],
  }),
  guarded(
    'a-lock-on-one-of-two-ways',
    { Other: FAST, Guard: GUARD },
    'Clock > Guard > Read > Mail > Mark; Other > Read',
    { finds: [...STORY_FINDS, 'trigger.duplicate warning'] },
  ),
  guarded(
    'a-flag-in-redis',
    { Get: GET_FLAG, Idle: FILTER, Set: SET_FLAG },
    'Clock > Get > Idle > Set > Read > Mail > Mark',
    {
      ...LEAKY,
      says: { [FAILS_OPEN]: /no expiry/ },
    },
  ),
  guarded(
    'a-flag-in-redis-with-an-expiry',
    { Get: GET_FLAG, Idle: FILTER, Set: redis('set', { expire: true, ttl: 600 }) },
    'Clock > Get > Idle > Set > Read > Mail > Mark',
    LEAKY,
  ),
  guarded('a-counter-in-redis', { Count: redis('incr'), Idle: FILTER }, 'Clock > Count > Idle > Read > Mail > Mark', {
    finds: ['guard.fails-open info', ...STORY_FINDS],
  }),
  guarded(
    'remove-duplicates-of-earlier-runs',
    {
      Seen: {
        type: 'removeDuplicates',
        typeVersion: 2,
        parameters: { operation: 'removeItemsSeenInPreviousExecutions' },
      },
    },
    'Clock > Read > Seen > Mail > Mark',
    LEAKY,
  ),
  guarded(
    'remove-duplicates-of-this-run',
    { Seen: { type: 'removeDuplicates', typeVersion: 2 } },
    'Clock > Read > Seen > Mail > Mark',
    { finds: STORY_FINDS },
  ),
  guarded(
    'a-flag-in-static-data',
    {
      Flag: code(
        "const d = $getWorkflowStaticData('global'); if (d.running) { return []; } d.running = true; return items;",
      ),
    },
    'Clock > Flag > Read > Mail > Mark',
    LEAKY,
  ),
  guarded(
    'asking-n8n-for-running-ones',
    { Runs: http('GET', 'https://n8n.test/api/v1/executions?status=running'), Idle: FILTER },
    'Clock > Runs > Idle > Read > Mail > Mark',
    {
      finds: ['guard.fails-open warning', 'window.effect-before-mark critical', 'window.read-to-write warning'],
    },
  ),
  n8n(
    'a-webhook-that-a-lock-skips',
    { nodes: { Hook: WEBHOOK, Guard: GUARD, Mail: MAIL }, flow: 'Hook > Guard > Mail' },
    { finds: ['lock.drops-events critical'] },
  ),
  n8n(
    'a-webhook-that-is-told-to-come-again',
    {
      nodes: { Hook: WEBHOOK, Guard: GUARD, Mail: MAIL, Later: { type: 'respondToWebhook' } },
      flow: 'Hook > Guard > Mail; Guard.1 > Later',
    },
    NOTHING,
  ),
  n8n(
    'a-webhook-whose-record-is-claimed',
    { nodes: { Hook: WEBHOOK, Claim: CLAIM, Mail: MAIL }, flow: 'Hook > Claim > Mail' },
    NOTHING,
  ),
  n8n(
    'a-form-that-a-lock-skips',
    { nodes: { Form: { type: 'formTrigger' }, Guard: GUARD, Mail: MAIL }, flow: 'Form > Guard > Mail' },
    { finds: ['lock.drops-events critical'] },
  ),
  n8n(
    'a-poll-that-a-lock-skips',
    { nodes: { Poll: { type: 'gmailTrigger' }, Guard: GUARD, Mail: MAIL }, flow: 'Poll > Guard > Mail' },
    { finds: ['lock.drops-events critical'] },
  ),
  guarded(
    'a-timeout-as-long-as-the-interval',
    {},
    'Clock > Read > Mail > Mark',
    { finds: [...STORY_FINDS, 'platform.switch-is-no-lock warning', CUT] },
    { settings: { timezone: 'UTC', executionTimeout: 3_600 } },
  ),
  guarded(
    'a-timeout-that-is-longer',
    {},
    'Clock > Read > Mail > Mark',
    { finds: [...STORY_FINDS, CUT] },
    { settings: { timezone: 'UTC', executionTimeout: 7_200 } },
  ),
  guarded(
    'no-timeout',
    {},
    'Clock > Read > Mail > Mark',
    { finds: STORY_FINDS },
    { settings: { timezone: 'UTC', executionTimeout: -1 } },
  ),
  guarded(
    'a-concurrency-that-n8n-has-not',
    {},
    'Clock > Read > Mail > Mark',
    { finds: [...STORY_FINDS, 'platform.switch-is-no-lock warning'] },
    { settings: { timezone: 'UTC', maxConcurrentExecutions: 1 } },
  ),
  guarded(
    'other-settings-that-n8n-has-not',
    {},
    'Clock > Read > Mail > Mark',
    { finds: [...STORY_FINDS, 'platform.switch-is-no-lock info'] },
    { settings: { timezone: 'UTC', retryCount: 3 } },
  ),
  guarded(
    'all-settings-that-n8n-has',
    {},
    'Clock > Read > Mail > Mark',
    { finds: STORY_FINDS },
    {
      settings: {
        timezone: 'UTC',
        executionOrder: 'v1',
        saveManualExecutions: true,
        callerPolicy: 'any',
        errorWorkflow: 'e1',
        saveExecutionProgress: true,
      },
    },
  ),
  guarded(
    'successful-runs-are-not-kept',
    {},
    'Clock > Read > Mail > Mark',
    { finds: [...STORY_FINDS, 'history.incomplete'] },
    { settings: { timezone: 'UTC', saveDataSuccessExecution: 'none' } },
  ),
  // Retries of what sends, adds, reads and settles.
  guarded(
    'a-mail-that-is-retried',
    { Mail: { ...MAIL, retryOnFail: true, maxTries: 5 } },
    'Clock > Read > Mail > Mark',
    { finds: [...STORY_FINDS, 'retry.not-idempotent warning'] },
  ),
  guarded('a-read-that-is-retried', { Read: { ...READ_ROWS, retryOnFail: true } }, 'Clock > Read > Mail > Mark', {
    finds: STORY_FINDS,
  }),
  guarded('a-mark-by-key-that-is-retried', { Mark: { ...MARK_ROW, retryOnFail: true } }, 'Clock > Read > Mail > Mark', {
    finds: STORY_FINDS,
  }),
  n8n(
    'a-row-that-is-retried',
    {
      nodes: { Clock: FAST, Add: { type: 'baserow', parameters: { operation: 'create' }, retryOnFail: true } },
      flow: 'Clock > Add',
    },
    { finds: ['guard.missing info', 'retry.not-idempotent warning'] },
  ),
  n8n(
    'a-workflow-that-retries-all-others',
    {
      nodes: {
        Clock: HOURLY,
        Failed: http('GET', 'https://n8n.test/api/v1/executions?status=error'),
        Retry: http('POST', '=https://n8n.test/api/v1/executions/{{ $json.id }}/retry'),
      },
      flow: 'Clock > Failed > Retry',
    },
    {
      finds: ['retry.not-idempotent critical'],
      may: ['guard.missing', 'window.no-status-write'],
    },
  ),
  guarded('one-item-only', { Mail: { ...MAIL, executeOnce: true } }, 'Clock > Read > Mail > Mark', {
    finds: [...STORY_FINDS, 'items.dropped warning'],
  }),
  guarded('a-limit-of-one', { One: { type: 'limit' } }, 'Clock > Read > One > Mail > Mark', {
    finds: [...STORY_FINDS, 'items.dropped warning'],
  }),
  guarded(
    'a-limit-of-ten',
    { Ten: { type: 'limit', parameters: { maxItems: 10 } } },
    'Clock > Read > Ten > Mail > Mark',
    { finds: STORY_FINDS },
  ),
  guarded(
    'code-that-takes-the-first',
    { First: code('return [$input.first()];') },
    'Clock > Read > First > Mail > Mark',
    { finds: [...STORY_FINDS, 'items.dropped warning'] },
  ),
];
