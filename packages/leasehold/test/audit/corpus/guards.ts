/** Guards that hold, and guards that let through. */
import type { Drawn } from '../n8n/build.ts';
import { CLAIM, code, GET_FLAG, GUARD, http, MAIL, PROCEED, SET_FLAG, WEBHOOK } from '../n8n/parts.ts';
import { n8n, type Known, type Sample } from './corpus.ts';
import { guarded, STORY_FINDS } from './parts.ts';
import { rule } from './starts.ts';

const FILTER: Drawn = { type: 'filter', typeVersion: 2 };
const FAST = rule({ field: 'minutes' });

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
const FAILS_OPEN = 'guard.fails-open';
/** A lock of its own making is named, and the story is told all the same. */
const LEAKY: Known = {
  finds: ['guard.fails-open warning', 'window.effect-before-mark critical', 'window.read-to-write warning'],
};

/** A lock of ours that keeps nobody out lowers nothing. */
const NON_GUARD: Known = {
  finds: ['guard.fails-open critical', 'window.effect-before-mark critical', 'window.read-to-write warning'],
};

export const GUARDS: readonly Sample[] = [
  guarded('a-lock-behind-the-clock', { Guard: GUARD }, 'Clock > Guard > Read > Mail > Mark', LOCKED),
  guarded(
    'a-lock-by-http',
    { Guard: http('POST', 'https://locks.test/v1/locks/a/acquire'), Got: PROCEED },
    'Clock > Guard > Got > Read > Mail > Mark',
    LOCKED,
  ),
  guarded(
    'a-lock-by-http-that-nothing-asks',
    { Guard: http('POST', 'https://locks.test/v1/locks/a/acquire') },
    'Clock > Guard > Read > Mail > Mark',
    NON_GUARD,
  ),
  guarded(
    'a-lock-by-sql-that-nothing-asks',
    { Guard: sqlGuard("select * from leasehold.acquire('a', '5 min', 'me')") },
    'Clock > Guard > Read > Mail > Mark',
    NON_GUARD,
  ),
  guarded(
    'a-lock-by-sql-with-its-work-where-it-is-held',
    { Guard: sqlGuard("select * from leasehold.acquire('a', '5 min', 'me')"), Got: PROCEED },
    'Clock > Guard > Got; Got.1 > Read > Mail > Mark',
    NON_GUARD,
  ),
  guarded(
    'a-row-of-a-table-as-a-flag',
    {
      Get: sqlGuard('select running from flags where id = 1'),
      Idle: FILTER,
      Set: sqlGuard('update flags set running = true where id = 1'),
    },
    'Clock > Get > Idle > Set > Read > Mail > Mark',
    { ...LEAKY, says: { [FAILS_OPEN]: /reads a flag and "Set" sets it later.*no expiry/ } },
  ),
  guarded(
    'an-advisory-lock-of-a-connection',
    { Guard: sqlGuard('select pg_try_advisory_lock(42) as got'), Idle: FILTER },
    'Clock > Guard > Idle > Read > Mail > Mark',
    { ...LEAKY, says: { [FAILS_OPEN]: /belongs to its connection/ } },
  ),
  guarded(
    'a-lock-by-sql',
    { Guard: sqlGuard("select * from leasehold.acquire('a', '5 min', 'me') where proceed") },
    'Clock > Guard > Read > Mail > Mark',
    LOCKED,
  ),
  ...[
    ['a-lock-with-a-name-for-each-run', "'a-{{ $execution.id }}', '5 min', 'me'", /another one at each start/],
    ['a-lock-with-one-run-id-for-all-runs', "'a', '5 min', 'n8n', run_id => 'n8n'", /taken for a repeat of the first/],
    ['a-lock-that-is-passed-by', "'a', '5 min', 'me', bypass_reason => 'busy'", /reason to pass the lock by/],
  ].map(([name, terms, says]) =>
    guarded(
      String(name),
      { Guard: sqlGuard(`select * from leasehold.acquire(${String(terms)}) where proceed`) },
      'Clock > Guard > Read > Mail > Mark',
      { ...NON_GUARD, ...(says instanceof RegExp ? { says: { [FAILS_OPEN]: says } } : {}) },
    ),
  ),
  guarded(
    'a-lock-that-is-given-back-before-the-work',
    {
      Guard: sqlGuard("select * from leasehold.acquire('a', '5 min', 'me') where proceed"),
      Free: sqlGuard("select * from leasehold.release('a', $1, 'success')"),
    },
    'Clock > Guard > Free > Read > Mail > Mark',
    { ...NON_GUARD, says: { [FAILS_OPEN]: /"Free" gives back the lock of "Guard" before "Mail", "Mark"/ } },
  ),
  guarded(
    'a-lock-whose-lease-is-over-before-the-work',
    {
      Guard: sqlGuard("select * from leasehold.acquire('a', '5 seconds', 'me') where proceed"),
      Wait: { type: 'wait', typeVersion: 1.1, parameters: { amount: '={{ 2*5 }}', unit: 'minutes' } },
    },
    'Clock > Guard > Wait > Read > Mail > Mark',
    { ...NON_GUARD, says: { [FAILS_OPEN]: /is over after 5s, and "Wait" waits 10m/ } },
  ),
  guarded(
    'a-lock-that-nothing-gives-back',
    { Guard: sqlGuard("select * from leasehold.acquire('a', '7 days', 'me') where proceed") },
    'Clock > Guard > Read > Mail > Mark',
    { finds: ['guard.fails-open warning', ...LOCKED.finds], says: { [FAILS_OPEN]: /the work is done once in 7d/ } },
  ),
  guarded(
    'a-lock-with-one-holder-for-all-runs',
    { Guard: sqlGuard("select * from leasehold.acquire('a', '5 min', 'n8n') where proceed") },
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
    LEAKY,
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
];
