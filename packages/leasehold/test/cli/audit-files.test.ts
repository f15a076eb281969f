/** `leasehold audit` on files of each kind: piped, named and in a folder, and what never gets out of them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AuditReport } from '../../src/audit/model/report.ts';
import { openBench } from './command-line.ts';

const at = (hour: number, minute = 0): string => new Date(Date.UTC(2026, 2, 1, hour, minute)).toISOString();
const HOURS = Array.from({ length: 12 }, (_, hour) => hour);
const PASSWORD = 'Sesame-7QxZ';
const MAIL = 'jo.doe@example.com';

/** One of each kind, with a secret in each place that may hold one. */
const FILES: Readonly<Record<string, { readonly text: string; readonly workflow: string }>> = {
  'runs.csv': {
    workflow: 'Sync for ***@***',
    text: `begin;finish;job;note\n${HOURS.map((hour) => `${at(hour)};${at(hour, 20)};Sync for ${MAIL};${PASSWORD}`).join('\n')}\n`,
  },
  'runs.ndjson': {
    workflow: 'nightly',
    text: HOURS.map((hour) =>
      JSON.stringify({ job: 'nightly', start: at(hour), end: at(hour, 20), payload: PASSWORD }),
    ).join('\n'),
  },
  'executions.json': {
    workflow: 'wf1',
    text: JSON.stringify({
      data: HOURS.map((hour) => ({
        id: hour,
        workflowId: 'wf1',
        mode: 'trigger',
        status: 'success',
        startedAt: at(hour),
        stoppedAt: at(hour, 20),
        data: { resultData: { runData: { password: PASSWORD, mail: MAIL } } },
      })),
      nextCursor: PASSWORD,
    }),
  },
  'workflow.json': {
    workflow: 'wf2',
    text: JSON.stringify({
      id: 'wf2',
      name: 'Mails',
      active: true,
      connections: { Webhook: { main: [[{ node: 'Send', type: 'main', index: 0 }]] } },
      nodes: [
        {
          id: '1',
          name: 'Webhook',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          position: [0, 0],
          parameters: { path: PASSWORD },
        },
        {
          id: '2',
          name: 'Send',
          type: 'n8n-nodes-base.httpRequest',
          typeVersion: 4,
          position: [0, 0],
          parameters: { method: 'POST', url: `https://app:${PASSWORD}@api.example.com/send?key=${PASSWORD}` },
          credentials: { smtp: { id: '1', name: MAIL } },
        },
      ],
    }),
  },
  'make.json': {
    workflow: '77',
    text: JSON.stringify({
      scenarioLogs: HOURS.map((hour) => ({
        imtId: `1_scenario.77.auto.e${hour}`,
        id: `e${hour}`,
        timestamp: at(hour),
        duration: 1_200_000,
        status: 3,
        type: 'auto',
        authorName: MAIL,
        error: { message: `password=${PASSWORD}` },
      })),
    }),
  },
  'blueprint.json': {
    workflow: 'Orders of ***@***',
    text: JSON.stringify({
      name: `Orders of ${MAIL}`,
      flow: [
        { id: 1, module: 'gateway:CustomWebHook', parameters: { label: MAIL } },
        { id: 2, module: 'http:Send', mapper: { body: PASSWORD } },
      ],
      metadata: { instant: true, scenario: { sequential: true, dlq: true } },
    }),
  },
  'zapfile.json': {
    workflow: '5',
    text: JSON.stringify({
      metadata: { version: 'gdpr_v1' },
      zaps: [
        {
          id: 5,
          title: `Zap of ${MAIL}`,
          status: 'on',
          nodes: {
            7: {
              id: 7,
              parent_id: null,
              type_of: 'read',
              selected_api: 'GoogleMailV2CLIAPI@1',
              action: 'message',
              params: { token: PASSWORD },
            },
            8: {
              id: 8,
              parent_id: 7,
              selected_api: 'DelayCLIAPI@1',
              action: 'queue',
              params: { code: PASSWORD },
              meta: { stepTitle: MAIL },
            },
          },
        },
      ],
    }),
  },
  crontab: {
    workflow: '-:2',
    text: `MAILTO=${MAIL}\n*/5 * * * * PGPASSWORD=${PASSWORD} /usr/local/bin/sync --to ${MAIL} --password ${PASSWORD} postgres://app:${PASSWORD}@db/x\n`,
  },
};

describe('audit of files', () => {
  for (const [name, { text, workflow }] of Object.entries(FILES)) {
    it(`reads ${name} from a pipe`, async () => {
      await using bench = openBench();
      const { stdout, code } = await bench.run(['audit', '-', '--json'], { stdin: text });
      const report = JSON.parse(stdout) as AuditReport;
      assert.deepEqual(
        report.workflows.map(({ id }) => id),
        [workflow],
      );
      assert.deepEqual(report.unread, []);
      assert.ok(code === 0 || code === 1, `${code}`);
    });
  }

  it('shows no password, address or payload of them, in no form of the report', async () => {
    await using bench = openBench();
    for (const [name, { text }] of Object.entries(FILES)) writeFileSync(join(bench.folder, name), text);
    for (const form of [['--json'], []]) {
      const { stdout, stderr } = await bench.run(['audit', bench.folder, ...form, '--fail-on', 'never']);
      for (const secret of [PASSWORD, MAIL, 'jo.doe']) {
        assert.ok(
          !stdout.includes(secret) && !stderr.includes(secret),
          `${secret} in ${form.join('')}:\n${stdout}${stderr}`,
        );
      }
      assert.match(stdout, /wf2|Mails/);
    }
  });

  it('takes the columns that --map names, and says what is wrong with one that it does not know', async () => {
    await using bench = openBench();
    const text = `a,b,c\n${HOURS.map((hour) => `${at(hour)},x,${at(hour, 70)}`).join('\n')}\n`;
    const mapped = await bench.run(['audit', '--json', '--map', 'start=a,end=c,workflow=b'], { stdin: text });
    assert.equal((JSON.parse(mapped.stdout) as AuditReport).workflows[0]?.history.overlaps, 11);
    const wrong = await bench.run(['audit', '--map', 'begin=a'], { stdin: text });
    assert.equal(wrong.code, 64);
    assert.match(wrong.stderr, /--map: "begin=a" is not understood; write COLUMN names for start, end/);
  });

  it('ends with 78 where nothing at all could be read, and says why', async () => {
    await using bench = openBench();
    const { code, stdout } = await bench.run(['audit', 'nowhere.csv']);
    assert.equal(code, 78);
    assert.match(stdout, /nowhere\.csv: There is no such file or folder\./);
  });
});
