/**
 * What expressions mean, and which are refused. The tables were given by the programs: the sets by the package `cron`
 * 4.4.0, the refusals by crontab(1) of Debian's cron 3.0pl1-162.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type CronFields, readCron } from '../../../src/audit/schedule/cron-fields.ts';

interface Row {
  readonly expression: string;
  readonly valid: boolean;
  readonly sets?: readonly string[];
}

const ROWS = JSON.parse(readFileSync(new URL('cron-4.4.0-fields.json', import.meta.url), 'utf8')) as Row[];

const setsOf = ({ seconds, minutes, hours, days, months, weekdays }: CronFields): string[] =>
  [seconds, minutes, hours, days, months, weekdays].map((set) => [...set].toSorted((a, b) => a - b).join(','));

describe('the package cron (n8n)', () => {
  for (const { expression, valid, sets } of ROWS) {
    it(`${valid ? 'reads' : 'refuses'} ${expression}`, () => {
      const reading = readCron(expression, 'kelektiv');
      assert.equal('fields' in reading, valid);
      if ('fields' in reading) assert.deepEqual(setsOf(reading.fields), sets);
    });
  }
});

describe("Debian's cron", () => {
  const refused: readonly (readonly [expression: string, fault: string])[] = [
    ['5/20 * * * *', 'its minute "5/20" has a step without a range'],
    ['60 * * * *', 'its minute "60" is outside 0 to 59'],
    ['* * * * Monday', 'its weekday "Monday" has a word that is no value of it'],
    ['*/0 * * * *', 'its minute "*/0" has a step of zero'],
    ['* * * * 8', 'its weekday "8" is outside 0 to 7'],
    ['* * ? * *', 'its day "?" can not be read'],
    ['* * L * *', 'its day "L" has a word that is no value of it'],
    ['* * * *', 'it has 4 fields instead of five or six'],
    ['constructor', 'it has 1 field instead of five or six'],
    ['@sometimes', '@sometimes is not a word that its cron knows'],
  ];
  for (const [expression, fault] of refused) {
    it(`refuses ${expression}: ${fault}`, () => {
      assert.deepEqual(readCron(expression, 'vixie'), { fault });
    });
  }

  for (const expression of [
    '*/100 * * * *',
    '* * * * mon-fri',
    '* * * JAN,dec *',
    '1,*/5 * * * *',
    '* * * * 5-7',
    '00 07 * * *',
  ]) {
    it(`takes ${expression}`, () => {
      assert.ok('fields' in readCron(expression, 'vixie'));
    });
  }

  it('takes a range that runs backwards, and nothing fits it', () => {
    for (const expression of ['* 22-2 * * *', '* * * 12-2 *', '* * * * sat-sun']) {
      const fault = readCron(expression, 'vixie');
      assert.match('fault' in fault ? fault.fault : '', /a range that runs backwards, which fits nothing$/);
    }
  });

  it('lets either day field do unless one begins with a star, also as */2', () => {
    const rule = (expression: string): string => {
      const reading = readCron(expression, 'vixie');
      return 'fields' in reading ? reading.fields.dayRule : reading.fault;
    };
    assert.equal(rule('0 0 13 * 5'), 'either');
    assert.equal(rule('0 0 */2 * 1'), 'both');
    assert.equal(rule('0 0 13 * *'), 'both');
    const n8n = readCron('0 0 */2 * 1', 'kelektiv');
    assert.equal('fields' in n8n ? n8n.fields.dayRule : '', 'either');
  });

  it('says of a text that is far too long that it is', () => {
    assert.deepEqual(readCron('*'.repeat(2_000), 'vixie'), { fault: 'it has 2000 characters' });
  });
});
