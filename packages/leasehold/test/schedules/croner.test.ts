/** Schedules: what is read, what is refused, and which slot a start belongs to. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeMissed, slotOfStart } from '../../src/domain/slot.ts';
import { LeaseholdError } from '../../src/errors.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';
import { firstPass, offsetMs } from '../../src/schedules/wall-time.ts';

const at = (text: string): Date => new Date(`2026-${text}Z`);
const utc = (expression: string): ReturnType<typeof openCronSchedule> =>
  openCronSchedule({ expression, timezone: 'UTC' });

function refusal(expression: string, timezone: string | null = 'UTC'): string {
  try {
    openCronSchedule({ expression, timezone });
  } catch (error) {
    assert.ok(error instanceof LeaseholdError && error.code === 'INVALID_ARGUMENT', String(error));
    return error.message;
  }
  throw new Error(`"${expression}" in ${timezone} was not refused`);
}

describe('a schedule', () => {
  it('has five fields, six with seconds first, or a nickname', () => {
    assert.deepEqual(utc('5 4 * * *').next(at('11-30T10:00:00')), at('12-01T04:05:00'));
    assert.deepEqual(utc('*/20 * * * * *').next(at('11-30T10:00:00')), at('11-30T10:00:20'));
    assert.deepEqual(utc('@hourly').next(at('11-30T10:00:00')), at('11-30T11:00:00'));
    assert.deepEqual(utc('0 9 * * MON-FRI').next(at('11-28T10:00:00')), at('11-30T09:00:00'));
    assert.equal(utc('  5   4 * * * ').expression, '5 4 * * *');
  });

  it('is next after, and latest at or before, whatever the milliseconds say', () => {
    const hourly = utc('0 * * * *');
    assert.deepEqual(hourly.latest(at('11-30T10:00:00.000')), at('11-30T10:00:00'));
    assert.deepEqual(hourly.next(at('11-30T10:00:00.000')), at('11-30T11:00:00'));
    assert.deepEqual(hourly.latest(at('11-30T09:59:59.999')), at('11-30T09:00:00'));
    assert.deepEqual(hourly.next(at('11-30T09:59:59.999')), at('11-30T10:00:00'));
    assert.deepEqual(hourly.latest(at('11-30T10:00:00.001')), at('11-30T10:00:00'));
  });

  it('finds 29 February from either side', () => {
    const leap = utc('0 0 29 2 *');
    assert.equal(leap.next(at('01-01T00:00:00')).toISOString(), '2028-02-29T00:00:00.000Z');
    assert.equal(leap.latest(at('01-01T00:00:00')).toISOString(), '2024-02-29T00:00:00.000Z');
  });

  it('without a zone is read in that of this process', () => {
    assert.equal(
      openCronSchedule({ expression: '@daily', timezone: null }).timezone,
      new Intl.DateTimeFormat().resolvedOptions().timeZone,
    );
  });

  for (const [expression, says] of [
    ['', /has 0 fields; write five fields/],
    ['* * *', /has 3 fields; write five fields \(minute hour day month weekday\), for example/],
    ['0 0 1 1 1 2030 2031', /has 7 fields/],
    ['2026-01-01T00:00:00', /has 1 field;/],
    ['60 * * * *', /is not a cron expression \(Invalid value for minute: 60\); write/],
    ['H * * * *', /illegal characters/],
    ['0 24 * * *', /Invalid value for hour/],
    ['@often', /is not a cron expression/],
    ['@reboot', /is not a cron expression/],
    ['0 0 31 2 *', /"0 0 31 2 \*" never fires: no date fits it/],
    ['0 0 30 2 *', /never fires/],
  ] as const) {
    it(`is refused: "${expression}"`, () => assert.match(refusal(expression), says));
  }

  for (const timezone of ['Mars/Phobos', 'GMT+2', 'Berlin', ' ']) {
    it(`in the zone "${timezone}" is refused`, () =>
      assert.match(refusal('@daily', timezone), /is not known; write an IANA name, for example Europe\/Berlin or UTC/));
  }
});

describe('the slot of a start', () => {
  const hour = at('11-30T10:00:00').getTime();
  const next = hour + 3_600_000;

  it('is the latest planned instant', () => {
    assert.equal(slotOfStart(hour, hour, next), hour);
    assert.equal(slotOfStart(hour + 1_800_000, hour, next), hour);
    assert.equal(slotOfStart(next - 30_000, hour, next), hour);
  });

  it('is the next one for a start less than 30 s early', () => {
    assert.equal(slotOfStart(next - 29_999, hour, next), next);
    assert.equal(slotOfStart(next - 1, hour, next), next);
  });

  it('is the next one for a start early by less than a tenth of a short gap', () => {
    assert.equal(slotOfStart(hour + 54_000, hour, hour + 60_000), hour);
    assert.equal(slotOfStart(hour + 54_001, hour, hour + 60_000), hour + 60_000);
  });

  const wild: [expression: string, isWild: boolean][] = [
    ['30 2 * * *', false],
    ['*/15 2 * * *', false],
    ['30 1-3 * * *', false],
    ['0 30 2 * * *', false],
    ['@daily', false],
    ['@weekly', false],
    ['30 * * * *', true],
    ['30 */2 * * *', true],
    ['30 ? * * *', true],
    ['30 0-23 * * *', true],
    ['0 30 * * * *', true],
    ['@hourly', true],
  ];
  for (const [expression, isWild] of wild) {
    it(`of "${expression}" goes by ${isWild ? 'the instant' : 'local time'}`, () => {
      const schedule = openCronSchedule({ expression, timezone: 'Europe/Berlin' });
      const second = at('10-25T01:30:00');
      assert.deepEqual(schedule.slotOf(second), isWild ? second : at('10-25T00:30:00'));
    });
  }
});

describe('local time', () => {
  it('is ahead of UTC by what the zone has at that instant', () => {
    assert.equal(offsetMs(at('01-15T00:00:00').getTime(), 'Australia/Lord_Howe'), 11 * 3_600_000);
    assert.equal(offsetMs(at('07-15T00:00:00').getTime(), 'Australia/Lord_Howe'), 10.5 * 3_600_000);
    assert.equal(offsetMs(at('07-15T00:00:00').getTime(), 'America/New_York'), -4 * 3_600_000);
  });

  it('that comes once is its own first pass, also just before and after a repeated hour', () => {
    for (const text of ['10-25T00:00:00', '10-25T00:59:59', '10-25T02:00:00', '10-25T05:00:00', '03-29T01:30:00']) {
      assert.deepEqual(firstPass(at(text), 'Europe/Berlin'), at(text));
    }
    assert.deepEqual(firstPass(at('10-25T01:00:00'), 'Europe/Berlin'), at('10-25T00:00:00'));
    assert.deepEqual(firstPass(at('10-25T01:59:59'), 'Europe/Berlin'), at('10-25T00:59:59'));
  });
});

describe('missed slots', () => {
  it('between two instants leave out both, oldest first', () => {
    const slots = utc('0 * * * *').slotsBetween(at('11-30T06:00:00'), at('11-30T09:00:00'), 1_000);
    assert.deepEqual(slots, [at('11-30T07:00:00'), at('11-30T08:00:00')]);
    assert.deepEqual(utc('0 * * * *').slotsBetween(at('11-30T06:00:00'), at('11-30T06:00:00'), 1_000), []);
  });

  it('are the newest 1,000, however long ago the last success is', () => {
    const slots = utc('* * * * *').slotsBetween(at('01-01T00:00:00'), at('11-30T00:00:00'), 1_000);
    assert.equal(slots.length, 1_000);
    assert.deepEqual(slots.at(-1), at('11-29T23:59:00'));
    assert.deepEqual(slots[0], at('11-29T07:20:00'));
  });

  it('of a fixed hour have a repeated hour once', () => {
    const schedule = openCronSchedule({ expression: '*/30 2 * * *', timezone: 'Europe/Berlin' });
    const slots = schedule.slotsBetween(at('10-24T12:00:00'), at('10-25T12:00:00'), 1_000);
    assert.deepEqual(slots, [at('10-25T00:00:00'), at('10-25T00:30:00')]);
  });

  it('of two lists are one, each once, the newest 1,000', () => {
    const [one, two, three] = [at('11-30T01:00:00'), at('11-30T02:00:00'), at('11-30T03:00:00')];
    assert.deepEqual(mergeMissed([three, one], [one, two]), [one, two, three]);
    const many = Array.from({ length: 1_200 }, (_, minute) => new Date(one.getTime() + minute * 60_000));
    assert.deepEqual(mergeMissed(many, []), many.slice(200));
  });
});
