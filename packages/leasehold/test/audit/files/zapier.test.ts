/** Zapier: runs of the API, Zaps of an account's export, and the archive that they come in. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFile, readFolder, readPiped, spans, the } from './stage.ts';
import { zipOf } from './zip-of.ts';

const run = (given: object = {}): object => ({
  id: 'r1',
  zap_id: 5,
  zap_title: 'Leads',
  start_time: '2026-03-01T10:00:00Z',
  end_time: '2026-03-01T10:00:20Z',
  status: 'success',
  steps: [],
  data_in: { email: 'jo@example.com' },
  ...given,
});
const node = (id: number, parent_id: number | null, given: object): object => ({
  id,
  parent_id,
  root_id: parent_id === null ? null : 7,
  type_of: 'write',
  action: 'add_row',
  selected_api: 'GoogleSheetsV2CLIAPI@2.1.0',
  params: { secret: 'x' },
  meta: {},
  ...given,
});
const zap = (...nodes: object[]): object => ({
  id: 5,
  title: 'Leads',
  status: 'on',
  nodes: Object.fromEntries(nodes.map((each) => [(each as { id: number }).id, each])),
});
const zapfile = (...zaps: object[]): string => JSON.stringify({ metadata: { version: 'gdpr_v1' }, zaps });
const TRIGGER = node(7, null, { type_of: 'read', action: 'new_row', paused: true });
const DELAY = node(9, 8, { selected_api: 'DelayCLIAPI@1.1.1', action: 'queue', meta: { stepTitle: 'Line up' } });
const FILTER = node(8, 7, { selected_api: 'FilterAPI', action: 'filter', type_of: 'filter' });

describe('a run of a Zap', () => {
  for (const [given, state, result, endedAt] of [
    [{}, 'ended', 'success', '10:00:20Z'],
    [{ status: 'filtered' }, 'ended', 'success', '10:00:20Z'],
    [{ status: 'stopped' }, 'ended', 'failure', '10:00:20Z'],
    [{ end_time: null }, 'ended', 'success', '?'],
    [{ status: 'playing', end_time: null }, 'running', 'unknown', '?'],
    [{ status: 'waiting' }, 'waiting', 'unknown', '?'],
    [{ status: 'holding' }, 'waiting', 'unknown', '?'],
    [{ status: 'on_hold', end_time: null }, 'waiting', 'unknown', '?'],
    [{ status: 'Throttled', end_time: null }, 'waiting', 'unknown', '?'],
    [{ status: 'safely halted' }, 'ended', 'success', '10:00:20Z'],
    // No process of it lives that could be looked for.
    [{ status: 'new word', end_time: null }, 'ended', 'unknown', '?'],
    [{ status: 'constructor' }, 'ended', 'unknown', '10:00:20Z'],
  ] as const) {
    it(`${JSON.stringify(given)} is ${state}, ${result}`, async () => {
      const found = await readPiped(JSON.stringify({ data: [run(given)], meta: { count: 1 } }));
      assert.deepEqual(spans(found), [`2026-03-01T10:00:00Z..${endedAt}`]);
      const { workflow, workflowName, state: was, result: came } = the(found.runs);
      assert.deepEqual([workflow, workflowName, was, came], ['5', 'Leads', state, result]);
    });
  }

  it('that stood in a delay counts from the step after it, which is said', async () => {
    const steps = ['10:00:00', '10:00:05', '12:00:05', '12:00:09'].map((time) => ({
      status: 'success',
      start_time: `2026-03-01T${time}Z`,
    }));
    const found = await readPiped(JSON.stringify([run({ steps, end_time: '2026-03-01T12:00:20Z' })]));
    assert.deepEqual(spans(found), ['2026-03-01T12:00:05Z..12:00:20Z']);
    assert.deepEqual(found.limits.slice(1), ['1 run with a delay in the middle: counted from the step after it.']);
  });

  it('counts as started by a record, unless it is a replay', async () => {
    const rows = [run(), run({ type: 'replay' }), run({ is_replay: true }), run({ status: 'replayed' })];
    const found = await readPiped(JSON.stringify(rows));
    assert.deepEqual(
      found.runs.map(({ cause }) => cause),
      ['webhook', 'retry', 'retry', 'retry'],
    );
    assert.deepEqual(found.limits, [
      "A Zap starts once for each record: its runs count as started by a record, but for those of a Zap that the account's export, read beside them, shows to be started by a schedule.",
    ]);
  });

  it('in a table counts as started by a record too', async () => {
    const rows = [
      '"Zap Run ID","Zap","Status","Started At","Ended At"',
      'r1,Leads,Success,2026-03-01 10:00,2026-03-01 10:01',
    ];
    assert.equal(the((await readPiped(rows.join('\n'))).runs).cause, 'webhook');
  });

  it('whose times name no zone has them by --timezone, which is said', async () => {
    const local = run({ start_time: '2026-03-01T11:00:00', end_time: '2026-03-01T11:00:20' });
    const found = await readPiped(JSON.stringify([local]), 99, { timezone: 'Europe/Berlin' });
    assert.deepEqual(spans(found), ['2026-03-01T10:00:00Z..10:00:20Z']);
    assert.deepEqual(found.limits.slice(1), ['2 times without a time zone, read as local time of Europe/Berlin.']);
  });

  it('without a start has that of its first step', async () => {
    const steps = [{ start_time: '2026-03-01T10:00:03Z' }, { start_time: null }];
    assert.deepEqual(spans(await readPiped(JSON.stringify([run({ start_time: null, steps })]))), [
      '2026-03-01T10:00:03Z..10:00:20Z',
    ]);
  });
});

describe('a Zap', () => {
  it('with "Delay After Queue" is told that spacing is no lock, whatever the order of its steps in the file', async () => {
    const { findings, isActive, platform } = the((await readPiped(zapfile(zap(DELAY, FILTER, TRIGGER)))).workflows);
    assert.deepEqual([isActive, platform], [true, 'zapier']);
    assert.deepEqual(the(findings).evidence, [{ step: 'Line up', id: '9', app: 'DelayCLIAPI', action: 'queue' }]);
    assert.equal(the(findings).rule, 'platform.switch-is-no-lock');
  });

  it('without a status is as active as its trigger', async () => {
    for (const [paused, isActive] of [
      [true, false],
      [false, true],
      [undefined, null],
    ]) {
      const bare = { ...zap(node(7, null, { type_of: 'read', paused })), status: undefined };
      assert.equal(the((await readPiped(zapfile(bare))).workflows).isActive, isActive);
    }
  });

  it('that is switched off is not active', async () => {
    assert.equal(the((await readPiped(zapfile({ ...zap(TRIGGER), status: 'off' }))).workflows).isActive, false);
  });

  for (const [trigger, expression] of [
    [{ action: 'everyDay', params: { hod: '9:30 PM', weekends: 'no' } }, '30 21 * * 1-5'],
    [{ action: 'everyHour', params: { moh: '15', weekends: 'yes' } }, '15 * * * *'],
    [{ action: 'everyWeek', params: { dow: 'Monday', hod: '12:00 AM' } }, '0 0 * * 1'],
    [{ action: 'everyMonth', params: { dom: '3', hod: '06:00' } }, '0 6 3 * *'],
    [{ action: 'every15Min', params: {} }, '*/15 * * * *'],
  ] as const) {
    it(`of the schedule ${JSON.stringify(trigger)} runs at ${expression}`, async () => {
      const step = node(7, null, { selected_api: 'ScheduleCLIAPI@1.7.0', type_of: 'read', ...trigger });
      const { schedule } = the((await readPiped(zapfile(zap(step)))).workflows);
      assert.deepEqual(
        schedule?.rules.map(({ plan }) => plan),
        [{ kind: 'cron', expression }],
      );
      assert.deepEqual(schedule?.assumes, [
        "Zapier plans times of day in the time zone of the account, which the file doesn't tell.",
      ]);
      const zoned = node(7, null, {
        selected_api: 'ScheduleCLIAPI@1.7.0',
        ...trigger,
        meta: { timezone: 'Asia/Tokyo' },
      });
      const known = the((await readPiped(zapfile(zap(zoned)))).workflows).schedule;
      assert.deepEqual([known?.timezone, known?.assumes], ['Asia/Tokyo', []]);
    });
  }

  it('that asks for records has a schedule of the account, and one that is told of them has none', async () => {
    const polled = the((await readPiped(zapfile(zap(TRIGGER)))).workflows).schedule;
    assert.deepEqual([polled?.kind, polled?.rules[0]?.plan], ['poll', null]);
    assert.equal(polled?.rules[0]?.expression, 'asked every few minutes');
    const hooked = zap(node(7, null, { selected_api: 'WebHookCLIAPI@1.0.0', action: 'hook_v2' }));
    assert.equal(the((await readPiped(zapfile(hooked))).workflows).schedule, null);
  });

  it('waits as long as its delays', async () => {
    const waitOf = async (delay_for_unit: string): Promise<number> => {
      const params = { delay_for_value: '1.5', delay_for_unit };
      const delay = node(8, 7, { selected_api: 'DelayCLIAPI@1.1.1', action: 'delay_for', params });
      return the((await readPiped(zapfile(zap(TRIGGER, delay)))).workflows).waitMs;
    };
    assert.equal(await waitOf('hours'), 5_400_000);
    for (const unit of ['fortnights', 'constructor']) assert.equal(await waitOf(unit), 0);
  });

  it('whose steps lead in a circle, or nowhere, is read all the same', async () => {
    const circle = zap(node(7, 8, {}), node(8, 7, {}), node(9, 99, { selected_api: 'DelayCLIAPI@1', action: 'queue' }));
    assert.equal(the((await readPiped(zapfile(circle))).workflows).findings.length, 1);
  });

  it('hands on no field of its steps', async () => {
    assert.doesNotMatch(JSON.stringify((await readPiped(zapfile(zap(TRIGGER, FILTER, DELAY)))).workflows), /secret/);
  });
});

describe("an account's export", () => {
  const files = {
    'export/Zapfile.json': zapfile(zap(TRIGGER)),
    'export/zap_data.json': JSON.stringify({
      data: [run(), run({ id: 'r2', start_time: '2026-03-01T11:00:00Z', end_time: '2026-03-01T11:00:20Z' })],
    }),
    'export/task_history_download_urls.csv': 'description,url\nPage 1,https://example.com/1?sig=abc\n',
    'export/readme.txt': 'Your data.\nThank you.\n',
  };
  const DOWNLOAD =
    'task_history_download_urls.csv: A list of 1 address and no runs: the run pages must be downloaded, then audited as files; nothing is fetched from here.';

  for (const method of ['stored', 'deflated'] as const) {
    it(`is read from the archive, ${method}, named, found and piped`, async (test) => {
      const archive = zipOf(files, method);
      for (const found of [
        await readFile(test, 'export.zip', archive),
        await readFolder(test, { 'export.zip': archive }),
        await readPiped(archive),
      ]) {
        assert.deepEqual(spans(found), ['2026-03-01T10:00:00Z..10:00:20Z', '2026-03-01T11:00:00Z..11:00:20Z']);
        assert.equal(the(found.workflows).id, '5');
        assert.equal(found.unread.length, 2);
        assert.ok(found.unread[0]?.endsWith(`/export/${DOWNLOAD}`), found.unread[0]);
        assert.match(found.unread[1] ?? '', /: One file is not a history or a workflow \(1 \.txt\)\.$/);
      }
    });
  }

  it('that was unpacked reads the same', async (test) => {
    const found = await readFolder(test, files);
    assert.equal(found.runs.length, 2);
    assert.deepEqual(found.unread, [`export/${DOWNLOAD}`, '.: One file is not a history or a workflow (1 .txt).']);
  });

  it('that was cut short, is empty or is a workbook is said to be so', async (test) => {
    const archive = zipOf(files, 'deflated');
    assert.deepEqual((await readFile(test, 'a.zip', archive.subarray(0, archive.length - 40))).unread, [
      'a.zip: A ZIP archive that is damaged, cut short or encrypted.',
    ]);
    assert.deepEqual((await readFile(test, 'a.zip', zipOf({}, 'stored'))).unread, ['a.zip: An archive without files.']);
    assert.deepEqual((await readFile(test, 'a.xlsx', zipOf({ 'xl/workbook.xml': '<workbook/>' }, 'stored'))).unread, [
      'a.xlsx: An Excel workbook: save its sheet as CSV.',
    ]);
  });

  it('of other things is one of many in a folder', async (test) => {
    const found = await readFolder(test, {
      'a.docx': zipOf({ 'word/document.xml': '<w/>' }, 'stored'),
      'b.zip': zipOf({ 'c.zip': zipOf(files, 'stored') }, 'stored'),
    });
    assert.equal(found.runs.length, 2);
    assert.ok(found.unread.includes('.: One file is not a history or a workflow (1 .docx).'));
  });
});
