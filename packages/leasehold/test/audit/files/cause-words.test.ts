/** What a column says about what started a run. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AUDIT_RULES } from '../../../src/audit/rules/rules.ts';
import { known } from '../stage.ts';
import { readFile } from './stage.ts';

async function causesOf(test: TestContext, words: readonly string[], column = 'trigger'): Promise<string[]> {
  const rows = words.map((word) => `sync,"${word}",2026-03-01T10:00:00Z,2026-03-01T10:10:00Z`);
  const { runs } = await readFile(test, 'runs.csv', `${[`job,${column},start,end`, ...rows].join('\n')}\n`);
  return runs.map(({ cause }) => cause);
}

const SAID: Readonly<Record<string, readonly string[]>> = {
  webhook: [
    'message',
    'queue',
    'email',
    'IMAP',
    'kafka',
    'aws:sqs',
    'SNS',
    'Pub/Sub',
    'stream',
    'mqtt',
    'amqp',
    'RabbitMQ',
    'pull_request',
    'push',
    'repository_dispatch',
    's3:ObjectCreated:Put',
    'file',
    'form',
    'chat',
    'Catch Hook',
    'callback',
    'BlobEventsTrigger',
    'merge_request_event',
    'Started by an SCM change',
    'Kafka message',
    'dataset_triggered',
    'new user created event',
  ],
  trigger: [
    'schedule',
    'cron',
    'Scheduled event',
    'ScheduleTrigger',
    'Started by timer',
    'TumblingWindowTrigger',
    'Recurrence',
  ],
  manual: ['manual', 'workflow_dispatch', 'Started by user Ann', 'Manual trigger', 'web'],
  retry: ['retry', 'backfill', 'catchup', 'Backfill job', 'replay'],
  unknown: ['', 'blue'],
};

describe('a column of triggers', () => {
  for (const [cause, words] of Object.entries(SAID)) {
    it(`says ${cause} in many words`, async (test) => {
      assert.deepEqual(
        (await causesOf(test, [...words, 'cron'])).slice(0, -1).map((each, at) => [words[at], each]),
        words.map((word) => [word, cause]),
      );
    });
  }

  it('tells nothing by words of the work where it is called a type or a kind', async (test) => {
    assert.deepEqual(await causesOf(test, ['email', 'report', 'scheduled'], 'type'), ['unknown', 'unknown', 'trigger']);
  });

  it('that says that messages started the runs leads to claims and to no lock', async (test) => {
    const rows = Array.from({ length: 200 }, (_, at) => {
      const ms = Date.UTC(2026, 2, 1) + Math.floor(at / 2) * 240_000 + (at % 2) * 400;
      return `${at},sync,kafka,${new Date(ms).toISOString()},${new Date(ms + 3_000).toISOString()}`;
    });
    const { runs } = await readFile(test, 'runs.csv', `id,job,trigger,start,end\n${rows.join('\n')}\n`);
    const context = known(runs);
    const found = AUDIT_RULES.flatMap((rule) => rule(context)).filter(({ severity }) => severity !== 'info');
    assert.deepEqual(
      found.map(({ rule, severity }) => [rule, severity]),
      [['overlap.observed', 'warning']],
    );
    assert.match(found[0]?.advice ?? '', /claim/i);
  });
});
