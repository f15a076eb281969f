/** Instants and durations, in the forms that exports write them in. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readDuration } from '../../../src/audit/readers/table/durations.ts';
import { InstantReader } from '../../../src/audit/readers/table/instants.ts';
import { LocalZone } from '../../../src/audit/readers/table/local-zone.ts';
import type { DateOrder } from '../../../src/audit/readers/table/written-instant.ts';

const EXPECTED = '2026-03-04T17:06:07.000Z';
const iso = (ms: number | null): string =>
  ms === null ? 'nothing' : Number.isNaN(ms) ? 'unreadable' : new Date(ms).toISOString();
const read = (value: unknown, order: DateOrder | null = null, zone: string | null = null): string =>
  iso(new InstantReader(order, zone === null ? null : new LocalZone(zone)).read(value));

describe('an instant', () => {
  for (const text of [
    '2026-03-04T17:06:07Z',
    '2026-03-04T17:06:07.000Z',
    '2026-03-04 17:06:07',
    '2026-03-04T18:06:07+01:00',
    '2026-03-04T12:06:07.000000-0500',
    '2026-03-04 18:06:07+01',
    '2026-03-04T18:06:07+01:00[Europe/Berlin]',
    '2026-03-04 17:06:07 UTC',
    '2026-03-04 17:06:07 +0000 UTC',
    '2026/03/04 17:06:07',
    '20260304T170607Z',
    '20260304170607',
    '4.3.2026 17:06:07',
    '04.03.26, 17:06:07',
    '4. März 2026 17:06:07',
    'Wed, 04 Mar 2026 17:06:07 GMT',
    'Wed Mar  4 17:06:07 UTC 2026',
    'Wed Mar 04 2026 18:06:07 GMT+0100 (Central European Standard Time)',
    'Mar 4, 2026, 5:06:07 PM',
    'March 4, 2026 at 5:06:07 pm',
    '04-Mar-2026 17:06:07',
    '4 mars 2026 17:06:07',
    '2026-03-04 18:06:07 CET',
    '4. 3. 2026 17:06:07',
    '2026. 3. 4. 17:06:07',
    '1772643967',
    '1772643967000',
    '1772643967.000',
    '1772643967000000',
    1_772_643_967,
    1_772_643_967_000,
  ]) {
    it(`is read from ${JSON.stringify(text)}`, () => assert.equal(read(text), EXPECTED));
  }

  it('of numbers with slashes needs an order', () => {
    assert.equal(read('03/04/2026 17:06:07'), 'unreadable');
    assert.equal(read('03/04/2026 17:06:07', 'mdy'), EXPECTED);
    assert.equal(read('04/03/2026 17:06:07', 'dmy'), EXPECTED);
    assert.equal(read('3/4/26 5:06:07 PM', 'mdy'), EXPECTED);
    assert.equal(read('31/03/2026', 'mdy'), 'unreadable');
  });

  for (const text of [
    '',
    ' ',
    '-',
    'null',
    'None',
    'N/A',
    'NaN',
    '0',
    '0000-00-00 00:00:00',
    '1970-01-01T00:00:00Z',
    null,
    undefined,
    0,
    false,
  ]) {
    it(`is none in ${JSON.stringify(text)}`, () => assert.equal(read(text), 'nothing'));
  }

  for (const text of [
    'yesterday',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-03-04T25:00:00Z',
    '17:06',
    '2026',
    'true',
    '2026-03-04 17:06:07 IST',
    true,
    {},
    '99999999999999999999',
  ]) {
    it(`can't be read from ${JSON.stringify(text)}`, () => assert.equal(read(text), 'unreadable'));
  }

  it('as ISO 8601 is read as the language itself reads it', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1972-01-01'), max: new Date('2199-01-01'), noInvalidDate: true }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (date, offset) => {
          const sign = offset < 0 ? '-' : '+';
          const digits = (value: number): string => String(value).padStart(2, '0');
          const zone = `${sign}${digits(Math.floor(Math.abs(offset) / 60))}:${digits(Math.abs(offset) % 60)}`;
          const text = new Date(date.getTime() + offset * 60_000).toISOString().replace('Z', zone);
          assert.equal(read(text), new Date(text).toISOString());
          assert.equal(read(date.toISOString()), date.toISOString());
          assert.equal(read(date.getTime()), date.toISOString());
        },
      ),
    );
  });

  it('without a zone is local time, which is known twice a year only in part', () => {
    const reader = new InstantReader(null, new LocalZone('Europe/Berlin'));
    assert.equal(iso(reader.read('2026-07-01 12:00:00')), '2026-07-01T10:00:00.000Z');
    assert.deepEqual([reader.localCount, reader.leftOutCount], [1, 0]);
    assert.equal(iso(reader.read('2026-10-25 02:30:00')), '2026-10-25T00:30:00.000Z');
    assert.equal(iso(reader.laterMs), '2026-10-25T01:30:00.000Z');
    assert.equal(reader.leftOutCount, 0);
    assert.equal(iso(reader.read('2026-03-29 02:30:00')), '2026-03-29T01:30:00.000Z');
    assert.equal(reader.laterMs, null);
    assert.equal(reader.leftOutCount, 1);
    assert.equal(read('2026-04-05 01:45:00', null, 'Australia/Lord_Howe'), '2026-04-04T14:45:00.000Z');
    assert.equal(read('2026-10-25T02:30:00Z', null, 'Europe/Berlin'), '2026-10-25T02:30:00.000Z');
  });
});

describe('a duration', () => {
  for (const [value, unit, ms] of [
    ['1m 20s', 's', 80_000],
    ['1m20s', 's', 80_000],
    ['1 min, 20 sec', 's', 80_000],
    ['1 minute and 20 seconds', 's', 80_000],
    ['00:01:20', 's', 80_000],
    ['0:01:20.500', 's', 80_500],
    ['1:20', 's', 80_000],
    ['1 day, 0:01:20', 's', 86_480_000],
    ['1.00:01:20', 's', 86_480_000],
    ['PT1M20S', 's', 80_000],
    ['PT1M20.5S', 's', 80_500],
    ['80', 's', 80_000],
    ['80.5', 's', 80_500],
    ['80,5', 's', 80_500],
    ['80 s', 'ms', 80_000],
    ['80000', 'ms', 80_000],
    ['80,000', 'ms', 80_000],
    ['80000ms', 's', 80_000],
    ['1,5 h', 's', 5_400_000],
    ['2 Std. 5 Min.', 's', 7_500_000],
    [1.5, 'min', 90_000],
    [0, 's', 0],
    ['', 's', null],
    [null, 's', null],
  ] as const) {
    it(`${JSON.stringify(value)} in ${unit} is ${ms} ms`, () => assert.equal(readDuration(value, unit), ms));
  }

  for (const value of ['soon', '1m 20x', '-5', '1:75:00', '5 apples', {}, 1e300]) {
    it(`can't be read from ${JSON.stringify(value)}`, () => assert.ok(Number.isNaN(readDuration(value, 's'))));
  }
});
