/** Tables: which column is what, how its values are meant, and what is said about what had to be taken for granted. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFile, readFolder, readPiped, spans, the } from './stage.ts';

const SPANS = ['2026-03-01T10:00:00Z..10:20:00Z', '2026-03-31T11:00:00Z..11:20:00Z'];
const table = (...lines: string[]): string => `${lines.join('\n')}\n`;
const ONE_WORKFLOW = 'The rows name no workflow: all of them were taken for runs of one.';

describe('columns', () => {
  for (const [start, end] of [
    ['start', 'end'],
    ['Started', 'Finished'],
    ['started_at', 'finished_at'],
    ['startedAt', 'stoppedAt'],
    ['START_TIME', 'END_TIME'],
    ['Begin', 'Stop'],
    ['Startzeit', 'Endzeit'],
    ['Beginn', 'Ende'],
    ['Début', 'Fin'],
    ['inicio', 'fin'],
    ['Job Start Time', 'Job End Time'],
    ['execution_start', 'execution_end'],
    ['created_at', 'completed_at'],
    ['timestamp', 'end'],
    ['run.start', 'run.end'],
  ]) {
    it(`called ${start} and ${end} are known`, async () => {
      const found = await readPiped(
        table(
          `x,${end},${start}`,
          '1,2026-03-01T10:20:00Z,2026-03-01T10:00:00Z',
          '2,2026-03-31T11:20:00Z,2026-03-31T11:00:00Z',
        ),
      );
      assert.deepEqual(spans(found), SPANS);
    });
  }

  for (const [delimiter, name] of [
    [',', 'commas'],
    [';', 'semicolons'],
    ['\t', 'tabs'],
    ['|', 'bars'],
  ] as const) {
    it(`between ${name} are known, with quotes, separators and line feeds in their values`, async () => {
      const found = await readPiped(
        [
          ['start', 'end', 'workflow', 'run id'],
          ['2026-03-01T10:00:00Z', '2026-03-01T10:20:00Z', `"a ""b""${delimiter} c\nd"`, '7'],
          ['2026-03-31T11:00:00Z', '2026-03-31T11:20:00Z', 'plain', '8'],
        ]
          .map((cells) => cells.join(delimiter))
          .join('\n'),
      );
      assert.deepEqual(spans(found), SPANS);
      assert.deepEqual(
        found.runs.map(({ workflow, runId }) => [workflow, runId]),
        [
          [`a "b"${delimiter} c\nd`, '7'],
          ['plain', '8'],
        ],
      );
    });
  }

  it('of state, cause, retry, version, slot and zone are known', async () => {
    const found = await readPiped(
      table(
        'workflow_id,workflow_name,execution_id,status,mode,retry_of,version,scheduled_for,timezone,start,end',
        '5,Sync,e1,Succeeded,schedule,,v2,2026-03-01 10:00:00,Europe/Berlin,2026-03-01 11:00:00,2026-03-01 11:20:00',
        '5,Sync,e2,in progress,manual,e1,v2,,Europe/Berlin,2026-03-31 13:00:00,',
        '5,Sync,e3,TIMED OUT,retry,e1,v2,,Nowhere/Land,2026-03-31 13:00:00,2026-03-31 13:20:00',
      ),
    );
    const [first, second, third] = found.runs;
    assert.deepEqual(first, {
      workflow: '5',
      workflowName: 'Sync',
      runId: 'e1',
      startedAtMs: Date.UTC(2026, 2, 1, 10),
      endedAtMs: Date.UTC(2026, 2, 1, 10, 20),
      state: 'ended',
      result: 'success',
      cause: 'trigger',
      retryOf: null,
      versionId: 'v2',
      slotAtMs: Date.UTC(2026, 2, 1, 9),
      isClockSuspect: false,
    });
    assert.deepEqual(
      [second?.state, second?.cause, second?.retryOf, second?.startedAtMs],
      ['running', 'manual', 'e1', Date.UTC(2026, 2, 31, 11)],
    );
    assert.deepEqual([third?.result, third?.startedAtMs, third?.isClockSuspect], ['failure', null, true]);
    assert.ok(found.unread.includes('-: "Nowhere/Land" is no known time zone: the times of its rows were left out.'));
  });

  it('of exit codes are states', async () => {
    const found = await readPiped(
      table(
        'start,end,exit_code',
        '2026-03-01T10:00:00Z,2026-03-01T10:20:00Z,0',
        '2026-03-31T11:00:00Z,2026-03-31T11:20:00Z,137',
      ),
    );
    assert.deepEqual(
      found.runs.map(({ result }) => result),
      ['success', 'failure'],
    );
  });

  it('are named by --map, also by their number, and one that is not there is told', async (test) => {
    const text = table(
      'a,"b, c",d',
      '2026-03-01T10:00:00Z,x,2026-03-01T10:20:00Z',
      '2026-03-31T11:00:00Z,y,2026-03-31T11:20:00Z',
    );
    assert.deepEqual(spans(await readPiped(text, 99, { map: 'start=a,end=d' })), SPANS);
    const named = await readPiped(text, 99, { map: 'start=1,end=3,name="b, c"' });
    assert.deepEqual(
      named.runs.map(({ workflowName }) => workflowName),
      ['x', 'y'],
    );
    assert.deepEqual((await readFile(test, 'a.csv', text, { map: 'start=Begin' })).unread, [
      'a.csv: --map names the column "Begin", which is not there; there are "a", "b, c", "d".',
    ]);
  });

  it('without names are known by what stands in them, which is said', async () => {
    const found = await readPiped(
      table('2026-03-01T10:00:00Z,2026-03-01T10:20:00Z,backup', '2026-03-31T11:00:00Z,2026-03-31T11:20:00Z,backup'),
    );
    assert.deepEqual(spans(found), SPANS);
    assert.equal(found.runs[0]?.workflow, 'backup');
    assert.deepEqual(found.limits, [
      'There is no line of column names: start, end, workflow. Where that is wrong, say --map start=1,end=2.',
    ]);
  });

  it('of a list of customers are no history', async (test) => {
    const text = table(
      'id,name,email,created_at,updated_at',
      '1,A,a@example.com,2026-01-01,2026-01-02',
      '2,B,b@example.com,2026-01-01,2026-01-02',
    );
    assert.deepEqual((await readFolder(test, { 'c.csv': text })).unread, [
      '.: One file is not a history or a workflow (1 .csv).',
    ]);
  });

  it('without ends are told, since overlaps need them', async () => {
    const found = await readPiped(table('start,job', '2026-03-01T10:00:00Z,a', '2026-03-01T11:00:00Z,a'));
    assert.deepEqual(
      found.runs.map(({ state, endedAtMs }) => [state, endedAtMs]),
      [
        ['ended', null],
        ['ended', null],
      ],
    );
    assert.deepEqual(found.limits, [
      `There is no column of ends or durations beside "start": when runs ended is not known, and overlaps can't be seen.`,
    ]);
  });

  it('with an end that is missing are an open run', async () => {
    const found = await readPiped(
      table('start,end,job', '2026-03-01T10:00:00Z,2026-03-01T10:20:00Z,a', '2026-03-01T11:00:00Z,,a'),
    );
    assert.deepEqual(
      found.runs.map(({ state }) => state),
      ['ended', 'running'],
    );
  });

  it('of ends and durations give starts', async () => {
    const found = await readPiped(
      table('finished,duration_min,job', '2026-03-01T10:20:00Z,20,a', '2026-03-31T11:20:00Z,20,a'),
    );
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(found.limits, ['There is no column of starts: a start is "finished" less "duration_min".']);
  });

  it('that may be something else are said to be taken for a start', async () => {
    const found = await readPiped(
      table('created_at,duration_s', '2026-03-01T10:00:00Z,1200', '2026-03-31T11:00:00Z,1200'),
    );
    assert.deepEqual(found.limits, [
      ONE_WORKFLOW,
      '"created_at" was taken for the start of a run; where it is another instant, say --map start=COLUMN.',
    ]);
  });
});

describe('durations', () => {
  const limitsOf = async (name: string, ...values: string[]): Promise<readonly [string[], readonly string[]]> => {
    const found = await readPiped(
      table(`start;job;${name}`, ...values.map((value, at) => `2026-03-01T1${at}:00:00Z;a;${value}`)),
    );
    return [spans(found).map((span) => span.slice(22)), found.limits];
  };

  it('carry their unit in the name of the column', async () => {
    assert.deepEqual(await limitsOf('duration_ms', '1200000', '60000'), [['10:20:00Z', '11:01:00Z'], []]);
    assert.deepEqual(await limitsOf('Dauer (Minuten)', '20', '1'), [['10:20:00Z', '11:01:00Z'], []]);
    assert.deepEqual(await limitsOf('durationSeconds', '1200', '60'), [['10:20:00Z', '11:01:00Z'], []]);
  });

  it('without a unit are told by their size, which is said', async () => {
    const said = (unit: string): string[] => [
      `"runtime" names no unit: its numbers were read as ${unit}; where they are not, say --map unit=ms, s, min or h.`,
    ];
    assert.deepEqual(await limitsOf('runtime', '1200000', '60000'), [['10:20:00Z', '11:01:00Z'], said('milliseconds')]);
    assert.deepEqual(await limitsOf('runtime', '90', '60.5'), [['10:01:30Z', '11:01:00.500Z'], said('seconds')]);
  });

  it('like 1:20 are minutes and seconds, which is said', async () => {
    assert.deepEqual(await limitsOf('took', '1:20', '0:45'), [
      ['10:01:20Z', '11:00:45Z'],
      ['Durations like 1:20 in "took" were read as minutes and seconds.'],
    ]);
  });
});

describe('times', () => {
  it('that name no zone are said to be of an unknown zone, and those that name one are not (C140)', async () => {
    const local = table(
      'start,end,job',
      '2026-03-01 10:00:00,2026-03-01 10:20:00,a',
      '2026-03-31 11:00:00,2026-03-31 11:20:00,a',
    );
    const found = await readPiped(local);
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(found.limits, [
      'Zone unknown: 4 times without a time zone, read as UTC; say --timezone if they are local.',
    ]);
    assert.deepEqual((await readPiped(local.replaceAll(/:00,/g, ':00Z,'))).limits, []);
  });

  it('without a zone are those of --timezone, or of the name of their column', async () => {
    const rows = ['2026-03-01 11:00:00,2026-03-01 11:20:00,a', '2026-03-31 13:00:00,2026-03-31 13:20:00,a'];
    const given = await readPiped(table('start,end,job', ...rows), 99, { timezone: 'Europe/Berlin' });
    assert.deepEqual(spans(given), SPANS);
    assert.deepEqual(given.limits, ['4 times without a time zone, read as local time of Europe/Berlin.']);
    const named = await readPiped(table('Start (Europe/Berlin),End (Europe/Berlin),job', ...rows), 99, {
      timezone: 'Asia/Tokyo',
    });
    assert.deepEqual(spans(named), SPANS);
  });

  it('of an hour that was repeated or left out are counted', async () => {
    const found = await readPiped(
      table('start,end,job', '2026-10-25 02:50:00,2026-10-25 02:10:00,a', '2026-03-29 02:30:00,2026-03-29 03:40:00,a'),
      99,
      { timezone: 'Europe/Berlin' },
    );
    assert.deepEqual(spans(found), ['2026-10-25T00:50:00Z..01:10:00Z', '2026-03-29T01:30:00Z..01:40:00Z']);
    assert.deepEqual(found.limits.slice(1), [
      '1 run in an hour that clocks showed twice: the order of the rows, or the row itself, tells which of the two; where two ends fit, the earlier was taken.',
      '1 time in an hour that clocks left out: read as if they had been changed after it.',
    ]);
  });

  it('of which the day or the month comes first are decided by any row, and else refused', async (test) => {
    const decided = await readPiped(
      table('start,end,job', '03/01/2026 10:00,03/01/2026 10:20,a', '03/31/2026 11:00,03/31/2026 11:20,a'),
    );
    assert.deepEqual(spans(decided), SPANS);
    const german = await readPiped(
      table('start,end,job', '01.03.2026 10:00,01.03.2026 10:20,a', '31.03.2026 11:00,31.03.2026 11:20,a'),
    );
    assert.deepEqual(spans(german), SPANS);
    const open = table('start,end,job', '03/04/2026 10:00,03/04/2026 10:20,a', '03/05/2026 10:00,03/05/2026 10:20,a');
    const refused = await readFile(test, 'a.csv', open);
    assert.deepEqual(
      [refused.runs, refused.unread],
      [
        [],
        [
          'a.csv: In "start" nothing tells whether the day or the month comes first, as in "03/04/2026 10:00"; say --map dates=dmy or --map dates=mdy.',
        ],
      ],
    );
    assert.equal(spans(await readPiped(open, 99, { map: 'dates=dmy' }))[0], '2026-04-03T10:00:00Z..10:20:00Z');
  });

  it("that can't be read are a matter of the clock, and no times at all", async () => {
    const found = await readPiped(
      table(
        'start,end,job',
        '2026-03-01T10:00:00Z,soon,a',
        '2026-03-31T11:00:00Z,2026-03-31T11:20:00Z,a',
        '2026-03-31T12:00:00Z,2026-03-31T12:20:00Z,a',
      ),
    );
    assert.deepEqual(
      found.runs.map(({ endedAtMs, isClockSuspect }) => [endedAtMs === null, isClockSuspect]),
      [
        [true, true],
        [false, false],
        [false, false],
      ],
    );
  });
});

describe('a bad table', () => {
  it('with a value too many in a row leaves out that row', async () => {
    const found = await readPiped(
      table(
        'start,end,job',
        '2026-03-01T10:00:00Z,2026-03-01T10:20:00Z,a',
        '2026-03-31T11:00:00Z,2026-03-31T11:20:00Z,a',
        'Mar 31, 2026 11:00,Mar 31,x',
      ),
    );
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(found.unread, [
      '-:4: 4 values for 3 columns: left out. A value with the separator in it has to be quoted.',
    ]);
  });

  it('with a quote that is never closed says where, and keeps what came before', async () => {
    const found = await readPiped(
      table(
        'start,end,job',
        '2026-03-01T10:00:00Z,2026-03-01T10:20:00Z,a',
        '2026-03-31T11:00:00Z,2026-03-31T11:20:00Z,a',
        '2026-03-31T12:00:00Z,2026-03-31T12:20:00Z,"open',
      ),
    );
    assert.deepEqual(spans(found), SPANS);
    assert.match(
      the(found.unread),
      /^-:\d+: A quote that begins here or before is not closed: what came before it was read\.$/,
    );
  });

  it('that Excel wrote has a line about its separator', async () => {
    const found = await readPiped(
      `sep=;\r\n${table('start;end;job', '2026-03-01T10:00:00Z;2026-03-01T10:20:00Z;a', '2026-03-31T11:00:00Z;2026-03-31T11:20:00Z;a')}`,
    );
    assert.deepEqual(spans(found), SPANS);
  });

  it('of addresses, as in an account’s export of Zapier, says what to do and fetches nothing', async (test) => {
    const found = await readFile(
      test,
      'task_history_download_urls.csv',
      table('description,url', 'Page 1,https://example.com/1?sig=abc', 'Page 2,https://example.com/2?sig=abc'),
    );
    assert.deepEqual(found.unread, [
      'task_history_download_urls.csv: A list of 2 addresses and no runs: the run pages must be downloaded, then audited as files; nothing is fetched from here.',
    ]);
  });
});
