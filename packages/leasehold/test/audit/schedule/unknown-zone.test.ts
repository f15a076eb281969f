/** What is said of a time zone that does not exist, word for word: each host has its own habit. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../src/audit/model/finding.ts';
import { scheduleRules } from '../../../src/audit/rules/schedule/schedule-rules.ts';
import { planStarts } from '../../../src/audit/schedule/planned-starts.ts';
import { cronSchedule, horizon, planned } from './found.ts';

type Schedule = Parameters<typeof planStarts>[0];

const findingsOf = (schedule: Schedule): readonly Finding[] =>
  scheduleRules({ planned: planStarts(schedule, horizon('2026-01-01')) });

describe('a time zone that does not exist', () => {
  it('starts nothing in n8n, whose planner refuses it', () => {
    const [finding, ...others] = findingsOf(cronSchedule('n8n', 'Mars/Phobos', '0 3 * * *'));
    assert.deepEqual(others, []);
    assert.equal(finding?.rule, 'schedule.never-fires');
    assert.equal(finding.severity, 'critical');
    assert.equal(
      finding.message,
      '"Mars/Phobos" is no time zone, and n8n refuses a schedule in it when the workflow is switched on: nothing starts.',
    );
    assert.equal(finding.advice, 'Write a name of the IANA database, for example Europe/Berlin.');
    assert.deepEqual(finding.evidence, [{ expression: '0 3 * * *', timezone: 'Mars/Phobos' }]);
  });

  it('is UTC to cron, hours from what was meant', () => {
    const [finding, ...others] = findingsOf(cronSchedule('cron', 'Mars/Phobos', '0 3 * * *'));
    assert.deepEqual(others, []);
    assert.equal(finding?.rule, 'schedule.dst');
    assert.equal(finding.severity, 'warning');
    assert.equal(
      finding.message,
      '"Mars/Phobos" is no time zone, and cron takes UTC for it without a word: starts are hours away from where they were meant to be.',
    );
  });

  it('is no matter where the clock is none, or where the host knows more names', () => {
    assert.deepEqual(findingsOf(planned('n8n', 'Mars/Phobos', [{ kind: 'interval', everyMs: 60_000 }])), []);
    assert.deepEqual(findingsOf(cronSchedule('n8n', 'UTC+3', '0 3 * * *')), []);
    assert.deepEqual(findingsOf(cronSchedule('n8n', null, '0 3 * * *')), []);
    assert.deepEqual(findingsOf(cronSchedule('given', 'Mars/Phobos', '0 3 * * *')), []);
  });

  it('never brings out what somebody wrote there by mistake', () => {
    const findings = findingsOf(cronSchedule('n8n', 'https://a:hunter2hunter2@example.com/', '0 3 * * *'));
    assert.equal(findings.length, 1);
    assert.ok(!JSON.stringify(findings).includes('hunter2'));
  });
});
