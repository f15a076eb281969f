import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ALERT_ATTEMPTS_MAX,
  ALERT_DEAD_AFTER_MS,
  type AlertSource,
  backoffMs,
  decideFailure,
  dedupKeyOf,
  isSharedAlert,
  isAlerting,
  isWanted,
} from '../../src/domain/alert.ts';
import { parseChannels } from '../../src/domain/channel-spec.ts';
import { isSkipStreak } from '../../src/domain/skip-streak.ts';

const EVENT: AlertSource = { kind: 'run.skipped', severity: 'warning', lock: 'a', runId: 'r', data: null };

test('warnings and worse alert, but for the death of an alert', () => {
  assert.deepEqual(
    [
      isAlerting({ kind: 'run.skipped', severity: 'info' }),
      isAlerting({ kind: 'run.skipped', severity: 'warning' }),
      isAlerting({ kind: 'release.refused', severity: 'critical' }),
      isAlerting({ kind: 'alert.dead', severity: 'critical' }),
    ],
    [false, true, true, false],
  );
});

test('the key of an episode can’t be mixed up with another', () => {
  const key = (lock: string | null, runId: string | null, data: AlertSource['data'] = null): string =>
    dedupKeyOf({ ...EVENT, lock, runId, data });
  assert.equal(key('a', 'b'), 'run.skipped "a" "b"');
  assert.equal(key('a', 'b', { currentRunId: 'c' }), 'run.skipped "a" "c"');
  assert.equal(key('a', 'b', { currentRunId: null }), 'run.skipped "a" "b"');
  assert.equal(key(null, null), 'run.skipped');
  const all = [
    key('a', 'b c'),
    key('a b', 'c'),
    key('a" "b', 'c'),
    key('a', 'b" "c'),
    key('a', null),
    key(null, 'a b'),
  ];
  assert.equal(new Set(all).size, all.length);
});

test('what happens to the records of a pool is one episode, and an effect that took place twice one of its own', () => {
  const event: AlertSource = { ...EVENT, kind: 'record.review', lock: null, runId: null, pool: 'a', recordId: '7' };
  assert.equal(dedupKeyOf(event), 'record.review "a"');
  assert.equal(dedupKeyOf({ ...event, recordId: '8' }), 'record.review "a"');
  assert.equal(dedupKeyOf({ ...event, kind: 'effect.doubled' }), 'effect.doubled "a" "7"');
  assert.ok(isSharedAlert(event));
  assert.ok(!isSharedAlert(EVENT), 'of a lock each event is its own alert');
});

test('streaks are 3, 6, 12, 24 … skips', () => {
  const streaks = Array.from({ length: 1_000 }, (_, count) => count).filter(isSkipStreak);
  assert.deepEqual(streaks, [3, 6, 12, 24, 48, 96, 192, 384, 768]);
});

test('backoff is 30 s, doubling to 1 h, however many attempts there were', () => {
  assert.deepEqual([0, 1, 2, 7, 8, 5_000].map(backoffMs), [30_000, 30_000, 60_000, 1_920_000, 3_600_000, 3_600_000]);
});

test('an alert is dead 24 h after its event, or after 100 attempts where its event lies in the future', () => {
  const kind = (eventAt: number, attempts: number): string => decideFailure({ eventAt, attempts }, 0, 0).kind;
  assert.equal(kind(1 - ALERT_DEAD_AFTER_MS, 50), 'retry');
  assert.equal(kind(-ALERT_DEAD_AFTER_MS, 1), 'dead');
  assert.equal(kind(ALERT_DEAD_AFTER_MS, ALERT_ATTEMPTS_MAX - 1), 'retry');
  assert.equal(kind(ALERT_DEAD_AFTER_MS, ALERT_ATTEMPTS_MAX), 'dead');
});

test('a channel gets its severity and worse, and its kinds', () => {
  const warning = { kind: 'run.skipped', severity: 'warning' } as const;
  const critical = { kind: 'run.skip_streak', severity: 'critical' } as const;
  const wants = (minSeverity: 'warning' | 'critical', kinds: string[] | null): boolean[] =>
    [warning, critical].map((alert) => isWanted({ minSeverity, kinds }, alert));
  assert.deepEqual(wants('warning', null), [true, true]);
  assert.deepEqual(wants('critical', null), [false, true]);
  assert.deepEqual(wants('warning', ['run.skipped']), [true, false]);
  assert.deepEqual(wants('critical', ['run.skipped']), [false, false]);
});

test('channels are read with what is left out', () => {
  assert.deepEqual(
    parseChannels({ ops: { type: 'webhook', url: 'https://h/x' }, book: { type: 'log', kinds: ['lease.lost'] } }),
    [
      {
        type: 'webhook',
        name: 'ops',
        url: 'https://h/x',
        secret: null,
        filter: { minSeverity: 'warning', kinds: null },
      },
      { type: 'log', name: 'book', file: null, filter: { minSeverity: 'warning', kinds: ['lease.lost'] } },
    ],
  );
});

const HOOK = { type: 'webhook', url: 'https://hooks.example/hunter2' };
const REFUSED: [fact: string, channels: unknown, says: RegExp][] = [
  ['no object', [HOOK], /^the channels must be an object/],
  ['a channel that is no object', { ops: 'https://hunter2' }, /^channel "ops" must be an object/],
  ['a name with a blank', { 'o ps': HOOK }, /^channel "o ps": a name has/],
  ['no type', { ops: { url: 'https://hunter2' } }, /needs a "type": "webhook" or "log"$/],
  [
    'an unknown key',
    { ops: { ...HOOK, minSeverty: 'critical' } },
    /unknown key "minSeverty"; a webhook knows type, url/,
  ],
  ['a key of the other type', { ops: { type: 'log', url: 'https://hunter2' } }, /unknown key "url"; a log knows/],
  ['no URL', { ops: { type: 'webhook' } }, /needs a "url" that begins with https:/],
  ['a URL of another kind', { ops: { ...HOOK, url: 'ftp://hunter2' } }, /needs a "url"/],
  [
    'a severity that there is not',
    { ops: { ...HOOK, minSeverity: 'info' } },
    /"minSeverity" is "warning" or "critical"/,
  ],
  ['kinds that are none', { ops: { ...HOOK, kinds: ['run.skiped'] } }, /"run\.skiped" is no kind of event/],
  ['an empty list of kinds', { ops: { ...HOOK, kinds: [] } }, /"kinds" is a list/],
  ['an empty secret', { ops: { ...HOOK, secret: '' } }, /needs a "secret" that is text and not empty/],
  ['a relative file', { ops: { type: 'log', file: 'a.log' } }, /needs a "file" with an absolute path/],
  ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`c${n}`, HOOK])), /21 channels; at most 20/],
];
for (const [fact, channels, says] of REFUSED) {
  test(`channels with ${fact} are refused, and no secret is shown`, () => {
    assert.throws(
      () => parseChannels(channels),
      (error: Error) => says.test(error.message) && !/hunter2/.test(error.message),
    );
  });
}
