/** Settings that are taken for locks, retries, and lists of which one item is used. */
import { HOURLY } from '../n8n/build.ts';
import { code, http, MAIL, MARK_ROW, READ_ROWS } from '../n8n/parts.ts';
import { n8n, type Sample } from './corpus.ts';
import { guarded, STORY_FINDS } from './parts.ts';
import { rule } from './starts.ts';

const FAST = rule({ field: 'minutes' });

/** No run is longer than its timeout, so the history can't tell how long the work would have taken. */
const CUT = 'history.incomplete info';

export const SETTINGS: readonly Sample[] = [
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
