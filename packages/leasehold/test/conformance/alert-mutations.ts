/** Guards of the outbox taken out of the engine: see mutations.ts and postgres-mutations.ts. */
import type { Mutation } from './mutations.ts';

const ALERTS = 'stores/sqlite/alerts.ts';
const ALERTS_SQL = 'stores/sqlite/sql/alerts.sql';
const EVENTS = 'stores/sqlite/events.ts';

const ONE_TAKER = 'an alert that one deliverer has taken is not handed to another until its lease ends, and then is';
const EVERY_EVENT = 'every event of severity warning or critical is an alert, those of severity info are none (G7)';
const LATE = 'a deliverer that comes late can fail nothing, but what was confirmed to it counts';
const DEAD =
  'an alert that still fails 24 h after its event is dead: a critical event that says of what and why, and no alert itself (G7)';
const BACKOFF = 'an alert that failed is tried again after 30 s, doubling to 1 h';
const STREAK = 'a streak is told at 3, 6, 12, 24 … skips in a row, and no more often; it disables nothing (C60)';
const CHANNELS = 'channels that have confirmed are remembered, so that only the others are tried again';
const FAILING = 'alerts that wait after an attempt that failed are counted, with what the newest of them was told';
const UNTRIED =
  'alerts that nobody tried for 24 h are dead together, by one event, and are not sent when somebody begins to';

export const ALERT_MUTATIONS: readonly Mutation[] = [
  {
    name: 'an event is stored without its alert',
    edits: [{ file: EVENTS, from: '|| !isAlerting(event)', to: '|| isAlerting(event)' }],
    caught: [EVERY_EVENT],
  },
  {
    name: 'taking an alert gives no lease',
    edits: [
      {
        file: ALERTS_SQL,
        from: 'taken_until = :taken_until, attempts',
        to: 'taken_until = nullif(:taken_until, :taken_until), attempts',
      },
    ],
    caught: [ONE_TAKER],
  },
  {
    name: 'a lease on an alert never ends',
    edits: [
      { file: ALERTS, from: 'taken_latest: now + ALERT_LEASE_MS_MAX', to: 'taken_latest: Number.MAX_SAFE_INTEGER' },
      { file: ALERTS, from: 'taken_until: now + leaseMs }', to: 'taken_until: now + leaseMs * 1e5 }' },
    ],
    caught: [ONE_TAKER],
  },
  {
    name: 'a late deliverer fails the alert of another',
    edits: [
      {
        file: ALERTS,
        from: "state === 'pending' && readTextOrNull(row, 'taken_by') === request.taker",
        to: "state === 'pending'",
      },
    ],
    caught: [LATE],
  },
  {
    name: 'an alert never dies',
    edits: [{ file: 'domain/alert.ts', from: 'now - alert.eventAt >= ALERT_DEAD_AFTER_MS || ', to: '' }],
    caught: [DEAD],
  },
  {
    name: 'the death of an alert alerts',
    edits: [{ file: 'domain/alert.ts', from: " && kind !== 'alert.dead'", to: '' }],
    caught: [DEAD],
  },
  {
    name: 'a failed alert is due at once',
    edits: [
      { file: ALERTS, from: 'next_attempt_at: decision.nextAttemptAt, error', to: 'next_attempt_at: now, error' },
    ],
    caught: [BACKOFF],
  },
  {
    name: 'channels that have confirmed are forgotten',
    edits: [
      { file: ALERTS, from: 'if (channels.length > before.length) {', to: 'if (before.length > channels.length) {' },
    ],
    caught: [CHANNELS],
  },
  {
    name: 'a streak is told at every third skip',
    edits: [
      {
        file: 'domain/skip-streak.ts',
        from: 'Number.isInteger(Math.log2(skipsInRow / SKIP_STREAK_FIRST))',
        to: 'skipsInRow % SKIP_STREAK_FIRST === 0',
      },
    ],
    caught: [STREAK],
  },
  {
    name: 'alerts that nobody tried are sent a year later',
    edits: [{ file: ALERTS, from: '  giveUpUntried(session, now);\n', to: '' }],
    caught: [UNTRIED],
  },
  {
    name: 'an alert that fails is counted among those that wait alone',
    edits: [
      {
        file: ALERTS_SQL,
        from: 'count(*) filter (where a.attempts > 0 and',
        to: 'count(*) filter (where a.attempts < 0 and',
      },
    ],
    caught: [FAILING],
  },
];

export const POSTGRES_ALERT_MUTATIONS = [
  {
    name: 'an event is stored without its alert, in SQL',
    edits: [{ name: '_event', from: 'if not leasehold._is_alerting', to: 'if leasehold._is_alerting' }],
    caught: [EVERY_EVENT],
  },
  {
    name: 'taking an alert gives no lease, in SQL',
    edits: [{ name: 'take_alerts', from: 'taken_until = leasehold._after(now_at, ms)', to: 'taken_until = null' }],
    caught: [ONE_TAKER],
  },
  {
    name: 'a late deliverer fails the alert of another, in SQL',
    edits: [{ name: 'settle_alert', from: ' and alert.taken_by = settle_alert.taker', to: '' }],
    caught: [LATE],
  },
  {
    name: 'an alert never dies, in SQL',
    edits: [{ name: '_next_attempt', from: 'now_at < leasehold._after(event_at, 86400000) and ', to: '' }],
    caught: [DEAD],
  },
  {
    name: 'an alert that arrived is counted as failing, in SQL',
    edits: [{ name: 'alert_counts', from: "a.state = 'pending'", to: "a.state <> 'dead'" }],
    caught: [FAILING],
  },
  {
    name: 'a streak is told in other words than the library’s',
    edits: [{ name: '_message_skip_streak', from: 'is stuck behind', to: 'waits for' }],
    caught: [
      'the third skip in a row is a streak: critical, long before the lease ends, and says who holds, how long, and how to end it (C12)',
    ],
  },
] as const;
