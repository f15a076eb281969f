/** Tables that leave to be told what is what: no names of columns, names of runs, hours that come twice. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFile, readPiped } from './stage.ts';

const table = (...lines: string[]): string => `${lines.join('\n')}\n`;

const everyHalfHour = (fromIso: string, count: number): number[] =>
  Array.from({ length: count }, (_, at) => Date.parse(fromIso) + at * 1_800_000);

describe('a table', () => {
  it('without names are told by many rows: how runs ended, what started them and ids are no names of workflows', async () => {
    const rows = Array.from({ length: 6 }, (_, at) =>
      [
        `run-${at}`,
        `2026-03-01T1${at}:00:00Z`,
        `2026-03-01T1${at}:20:00Z`,
        at % 2 === 0 ? 'success' : 'error',
        'cron',
        'backup',
      ].join(','),
    );
    const { runs, limits } = await readPiped(table(...rows));
    assert.deepEqual(new Set(runs.map(({ workflow }) => workflow)), new Set(['backup']));
    assert.deepEqual(
      runs.slice(0, 2).map(({ runId, result, cause }) => [runId, result, cause]),
      [
        ['run-0', 'success', 'trigger'],
        ['run-1', 'failure', 'trigger'],
      ],
    );
    assert.deepEqual(limits, [
      'There is no line of column names: id, start, end, status, trigger, workflow. Where that is wrong, say --map start=1,end=2.',
    ]);
    const nameless = await readPiped(table(...rows.map((row) => row.split(',').slice(1, 4).join(','))));
    assert.equal(new Set(nameless.runs.map(({ workflow }) => workflow)).size, 1);
  });

  it('that hold a new name for each run are told by the job in it, which is said', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => {
      const start = Date.UTC(2026, 2, 1, 0, at);
      const job = at % 2 === 0 ? 'report' : 'nightly-sync';
      return `${job}-${29_000_000 + at}-x${at}z,${new Date(start).toISOString()},${new Date(start + 90_000).toISOString()}`;
    });
    const { runs, limits } = await readPiped(table('name,startedAt,stoppedAt', ...rows));
    assert.deepEqual(new Set(runs.map(({ workflow }) => workflow)), new Set(['report', 'nightly-sync']));
    assert.deepEqual(limits, [
      '"name" is another one in each row: what stands before its number was taken for the name of the workflow; where it is not, say --map name=COLUMN.',
    ]);
    const mapped = await readPiped(table('name,startedAt,stoppedAt', ...rows), 99, { map: 'name=name' });
    assert.equal(new Set(mapped.runs.map(({ workflow }) => workflow)).size, 40);
  });

  it('of an hour that was repeated are in the second of the two where the row above is as late as the first', async () => {
    const local = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'];
    const rows = local.map((time, at) => `${at},2026-10-25 ${time}:00,2026-10-25 ${time}:10`);
    const { runs } = await readPiped(table('run,start,end', ...rows), 99, { timezone: 'Europe/Berlin' });
    const wanted = everyHalfHour('2026-10-24T23:30:00Z', 6);
    assert.deepEqual(
      runs.map(({ startedAtMs, endedAtMs }) => [startedAtMs, endedAtMs]),
      wanted.map((ms) => [ms, ms + 10_000]),
    );
  });

  it('and a report of an audit is none', async (test) => {
    const empty = '{"workflows":[],"unread":[]}';
    const report =
      '{"workflows":[{"id":"a","name":"a","source":"a.csv","history":{"runs":1,"excluded":[{"runId":"1","reason":"open"}]}}],"unread":[]}';
    for (const text of [empty, report]) {
      assert.deepEqual((await readFile(test, 'audit.json', text)).unread, [
        'audit.json: A report of an audit: audit what it was made of.',
      ]);
    }
  });
});
