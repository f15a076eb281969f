/** `leasehold audit`: what is asked, what is answered, and how it ends. What is judged is shown in test/audit. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AuditReport } from '../../src/audit/model/report.ts';
import { type Bench, openBench } from './command-line.ts';
import { say } from './understood-lines.ts';

/** Hourly runs of one workflow, each so many minutes, as NDJSON. */
function history(count: number, minutes: number, workflow = 'sync'): string {
  return Array.from({ length: count }, (_, at) => {
    const start = Date.UTC(2026, 0, 5, at);
    return `${JSON.stringify({
      workflow,
      id: String(at),
      start: new Date(start).toISOString(),
      end: new Date(start + minutes * 60_000).toISOString(),
    })}\n`;
  }).join('');
}

function put(bench: Bench, name: string, text: string): string {
  const path = join(bench.folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function reportOf(bench: Bench, ...args: readonly string[]): Promise<AuditReport> {
  const [report] = await bench.json<AuditReport>(['audit', ...args]);
  assert.ok(report !== undefined);
  return report;
}

describe('audit', () => {
  it('ends with 0 where nothing is wrong, and says so in a few lines', async () => {
    await using bench = openBench();
    const { code, stdout, stderr } = await bench.run(['audit', put(bench, 'good.ndjson', history(30, 10))]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^1 workflow, 30 runs: nothing to change\.\n\nWithout a warning: sync\.\n/);
  });

  it('ends with 1 where something is as bad as --fail-on, and with 0 where it is less', async () => {
    await using bench = openBench();
    const bad = put(bench, 'bad.ndjson', history(30, 70));
    const warned = put(bench, 'warned.ndjson', history(30, 40));
    const good = put(bench, 'good.ndjson', history(30, 10));
    const codeOf = async (...args: readonly string[]): Promise<number> => (await say(['audit', ...args])).code;
    assert.equal(await codeOf(bad), 1);
    assert.equal(await codeOf(bad, '--fail-on', 'critical'), 1);
    assert.equal(await codeOf(bad, '--fail-on', 'never'), 0);
    assert.equal(await codeOf(warned), 1);
    assert.equal(await codeOf(warned, '--fail-on', 'critical'), 0);
    assert.equal(await codeOf(good), 0);
    assert.equal(await codeOf(good, '--fail-on', 'info'), 1);
  });

  it('reads standard input as -, and where no path is named', async () => {
    await using bench = openBench();
    for (const paths of [['-'], []]) {
      const { code, stdout } = await bench.run(['audit', ...paths, '--json'], { stdin: history(3, 70) });
      const { workflows } = JSON.parse(stdout) as AuditReport;
      assert.deepEqual([code, workflows[0]?.history.overlaps], [1, 2]);
    }
  });

  it('reads several paths, and counts a run that two files hold once', async () => {
    await using bench = openBench();
    const [a, b] = [put(bench, 'a.ndjson', history(5, 10)), put(bench, 'b.ndjson', history(7, 10))];
    const { workflows } = await reportOf(bench, a, b);
    assert.deepEqual(
      workflows.map((workflow) => [workflow.source, workflow.history.runs]),
      [[`${a}, ${b}`, 7]],
    );
  });

  it('lists what could not be read, and audits the rest', async () => {
    await using bench = openBench();
    const good = put(bench, 'good.ndjson', history(5, 10));
    const missing = join(bench.folder, 'missing.csv');
    const { stdout } = await bench.run(['audit', '--json', missing, good]);
    const { workflows, unread } = JSON.parse(stdout) as AuditReport;
    assert.equal(workflows.length, 1);
    assert.deepEqual(
      unread.map(({ path }) => path),
      [missing],
    );
  });

  it('ends with 78 where nothing at all could be read, and gives the reason once', async () => {
    await using bench = openBench();
    const { code, stdout, stderr } = await bench.run(['audit', 'missing.csv', 'none.csv']);
    assert.equal(code, 78);
    assert.match(stdout, /^No workflow and no run was found\.\n\nNot read:\n {2}missing\.csv: There is no such file/);
    assert.equal(stderr, 'leasehold: nothing could be read: why stands in the report, under "Not read"\n');
    assert.equal(
      (await bench.run(['audit', 'missing.csv', 'none.csv', '--json'])).stderr,
      'leasehold: nothing could be read: missing.csv: There is no such file or folder. (and 1 more)\n',
    );
  });

  it('is no 0 where a source that was named gave nothing, and leaves 1 to what was found', async () => {
    await using bench = openBench();
    const good = put(bench, 'good.ndjson', history(30, 10));
    const bad = put(bench, 'bad.ndjson', history(30, 70));
    const missing = join(bench.folder, 'missing.csv');
    const one = await bench.run(['audit', good, missing]);
    assert.deepEqual(
      [one.code, one.stderr],
      [78, 'leasehold: 1 source could not be read: why stands in the report, under "Not read"\n'],
    );
    const never = await bench.run(['audit', good, missing, '--json', '--fail-on', 'never']);
    assert.deepEqual(
      [never.code, never.stderr],
      [78, `leasehold: 1 source could not be read: ${missing}: There is no such file or folder.\n`],
    );
    assert.equal((await bench.run(['audit', bad, missing])).code, 1);
    const empty = await bench.run(['audit', good, put(bench, 'empty.json', '{"data":[]}')]);
    assert.deepEqual([empty.code, empty.stderr], [0, '']);
    assert.match(
      empty.stdout.replaceAll(/\s+/g, ' '),
      /empty\.json: An empty history: there is no run and no workflow in it\./,
    );
  });

  it('says in the text, too, which hosts were judged apart and how to say otherwise', async () => {
    await using bench = openBench();
    const rows = Array.from({ length: 40 }, (_, at) => {
      const [start, end] = [0, 10].map((minute) => new Date(Date.UTC(2026, 0, 5, at >> 1, minute)).toISOString());
      return ['backup', 'sync'].map((job) => `${job}-${at},web${at & 1},${job},${start},${end}`).join('\n');
    });
    const path = put(bench, 'runs.csv', `id,server,task,start,end\n${rows.join('\n')}\n`);
    const { code, stdout } = await bench.run(['audit', path]);
    const said =
      '"backup" ran on 2 hosts ("web0", "web1") by the column "server", on each by a schedule of its own, and was taken for a workflow on each. If the hosts share their work, it is done 2 times over: --map workflow=task judges them together.';
    assert.equal(code, 0);
    assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(said), stdout);
    const together = await bench.run(['audit', path, '--map', 'workflow=task']);
    assert.equal(together.code, 1);
    assert.doesNotMatch(together.stdout, /by the column/);
  });

  it('is 0 where all that was named is empty, which is told as such and on stderr not at all', async () => {
    await using bench = openBench();
    for (const [name, text, why] of [
      ['empty.json', '{"data":[]}', 'An empty history: there is no run and no workflow in it.'],
      ['empty.csv', 'id,start,end\n', 'There is a line of column names and nothing below it.'],
    ] as const) {
      const path = put(bench, name, text);
      const told = await bench.run(['audit', path]);
      assert.deepEqual([told.code, told.stderr], [0, ''], name);
      const words = told.stdout.replaceAll(/\s+/g, ' ');
      assert.ok(words.startsWith('No workflow and no run was found. Empty: '), words);
      assert.ok(words.includes(why) && !words.includes('Not read'), words);
      const json = await bench.run(['audit', path, '--json', '--fail-on', 'info']);
      assert.deepEqual([json.code, json.stderr], [0, '']);
      assert.deepEqual(JSON.parse(json.stdout), { workflows: [], unread: [{ path, reason: why }] });
    }
    const missing = join(bench.folder, 'missing.csv');
    const both = await bench.run(['audit', put(bench, 'empty.json', '[]'), missing]);
    assert.deepEqual(
      [both.code, both.stderr],
      [78, 'leasehold: 1 source could not be read: why stands in the report, under "Not read"\n'],
    );
    assert.equal((await bench.run(['audit', put(bench, 'nothing.json', '')])).code, 78);
  });

  it('is 0 where a file that was named is none of ours, and says so', async () => {
    await using bench = openBench();
    const good = put(bench, 'good.ndjson', history(30, 10));
    const { code, stdout, stderr } = await bench.run(['audit', good, put(bench, 'notes.txt', '# notes\n')]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout.replaceAll(/\s+/g, ' '), /notes\.txt: None of the kinds that can be read/);
  });

  it('says of --map where it says nothing of a source', async () => {
    await using bench = openBench();
    const runs = Array.from({ length: 3 }, (_, at) => ({
      id: String(at),
      workflowId: 'w1',
      status: 'success',
      mode: 'trigger',
      startedAt: `2026-03-01T1${at}:00:00.000Z`,
      stoppedAt: `2026-03-01T1${at}:20:00.000Z`,
    }));
    const path = put(bench, 'executions.json', JSON.stringify({ data: runs }));
    const { code, stderr } = await bench.run(['audit', path, '--map', 'start=Nope']);
    assert.deepEqual(
      [code, stderr],
      [0, `leasehold: --map says nothing of ${path}: what was read there is no table\n`],
    );
    const table = put(bench, 'good.ndjson', history(3, 10));
    assert.equal((await bench.run(['audit', table, '--map', 'start=start'])).stderr, '');
  });

  it('takes the gap of --every where the history tells no schedule', async () => {
    await using bench = openBench();
    const path = put(bench, 'few.ndjson', history(3, 40));
    const { workflows } = await reportOf(bench, path, '--every', '1h');
    const [workflow] = workflows;
    assert.deepEqual(workflow?.schedule, {
      kind: 'interval',
      expressions: ['every 1h'],
      timezone: null,
      minGapMs: 3_600_000,
      maxGapMs: 3_600_000,
      assumes: workflow?.schedule?.assumes,
    });
    assert.ok(workflow?.schedule?.assumes.includes('The schedule was given by --every.'));
    assert.equal(workflow?.findings[0]?.rule, 'overlap.predicted');
  });

  it('reads columns as --map says, and local times as --timezone says', async () => {
    await using bench = openBench();
    const csv = 'Task;Begin;Finish\nsync;2026-07-01 10:00;2026-07-01 10:20\nsync;2026-07-01 10:10;2026-07-01 10:30\n';
    const path = put(bench, 'own.csv', csv);
    const map = 'workflow=Task,start=Begin,end=Finish';
    const { workflows } = await reportOf(bench, path, '--map', map, '--timezone', 'Europe/Berlin');
    assert.equal(workflows[0]?.history.overlaps, 1);
    const overlap = workflows[0]?.findings.find(({ rule }) => rule === 'overlap.observed');
    assert.equal(overlap?.evidence[0]?.['startedAt'], '2026-07-01T08:10:00Z');
  });

  it('writes a page for a browser, and says where it can not', async () => {
    await using bench = openBench();
    const path = put(bench, 'bad.ndjson', history(30, 70));
    const page = join(bench.folder, 'audit.html');
    assert.equal((await bench.run(['audit', path, '--html', page])).code, 1);
    assert.match(readFileSync(page, 'utf8'), /^<!doctype html>/);
    const refused = await bench.run(['audit', path, '--html', join(bench.folder, 'no/such/audit.html')]);
    assert.equal(refused.code, 64);
    assert.match(refused.stderr, /^leasehold: html: ".*" can't be written \(ENOENT\)\n$/);
  });

  it('writes a page to standard output where that is asked for, and never beside --json', async () => {
    await using bench = openBench();
    const path = put(bench, 'bad.ndjson', history(30, 70));
    const { code, stdout } = await bench.run(['audit', path, '--html', '-'], { cwd: bench.folder });
    assert.deepEqual(
      [code, stdout.startsWith('<!doctype html>'), stdout.trimEnd().endsWith('</html>')],
      [1, true, true],
    );
    assert.deepEqual(readdirSync(bench.folder).includes('-'), false);
    const refused = await bench.run(['audit', path, '--json', '--html', '-']);
    assert.deepEqual(
      [refused.code, refused.stderr.split('\n')[0]],
      [64, 'leasehold: --json and --html - can not share stdout'],
    );
  });

  it('never writes a page over a file that is none', async () => {
    await using bench = openBench();
    const path = put(bench, 'runs.ndjson', history(30, 70));
    const before = readFileSync(path, 'utf8');
    for (const words of [
      ['audit', '--html', path],
      ['audit', path, '--html', path],
    ]) {
      const { code, stdout, stderr } = await bench.run(words, { stdin: '' });
      assert.deepEqual([code, stdout], [64, '']);
      assert.match(
        stderr,
        /^leasehold: html: ".*runs\.ndjson" is there and is no page; name another file, or delete it first\n/,
      );
      assert.equal(readFileSync(path, 'utf8'), before);
    }
  });

  it('replaces a page as a whole, through a link too, and leaves nothing beside it', async () => {
    await using bench = openBench();
    const path = put(bench, 'bad.ndjson', history(30, 70));
    const page = put(bench, 'pages/audit.html', '<!doctype html>old');
    chmodSync(page, 0o600);
    const { ino } = statSync(page);
    symlinkSync(page, join(bench.folder, 'link.html'));
    assert.equal((await bench.run(['audit', path, '--html', join(bench.folder, 'link.html')])).code, 1);
    const now = statSync(page);
    assert.match(readFileSync(page, 'utf8'), /^<!doctype html>/);
    assert.deepEqual(
      [now.ino === ino, now.mode & 0o777, readdirSync(join(page, '..'))],
      [false, 0o600, ['audit.html']],
    );
  });

  it('ends with 0 where an export is empty, which is no failure', async () => {
    await using bench = openBench();
    const { code, stdout, stderr } = await bench.run(['audit', put(bench, 'empty.json', '{"data":[]}')]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /An empty history/);
  });

  it('opens no store', async () => {
    await using bench = openBench();
    const path = put(bench, 'good.ndjson', history(5, 10));
    const { code } = await bench.run(['audit', path], {
      env: { LEASEHOLD_STORE: 'postgres://nobody@localhost:1/none' },
    });
    assert.equal(code, 0);
  });

  it('reads a folder of 300 workflows with one line on the healthy ones', async () => {
    await using bench = openBench();
    for (let at = 0; at < 300; at += 1) put(bench, `folder/${at}.ndjson`, history(12, 10, `job ${at}`));
    const { code, stdout } = await bench.run(['audit', join(bench.folder, 'folder')]);
    assert.equal(code, 0);
    assert.match(stdout, /^300 workflows, 3,600 runs: nothing to change\.\n/);
    assert.ok(stdout.split('\n').length < 10, stdout);
  });
});

describe('what audit refuses', () => {
  const REFUSED: readonly (readonly [args: readonly string[], message: string])[] = [
    [
      ['a', '--timezone', 'Mars/Base'],
      'timezone: "Mars/Base" is no time zone that is known; write one like Europe/Berlin or UTC',
    ],
    [['a', '--every', '0s'], 'every: "0s" is not a time from 1s to 400d'],
    [['a', '--from', '2026-02-01T00:00:00Z', '--to', '2026-01-01T00:00:00Z'], '--to has to be later than --from'],
    [
      ['a', '--from', '2026-01-01T00:00:00Z', '--to', '2046-01-01T00:00:00Z'],
      '--from and --to are more than 4000 days apart',
    ],
    [['a', '--fail-on', 'fatal'], 'fail-on: "fatal" is not one of info, warning, critical, never'],
    [['a', '--days', '0'], 'days: "0" is not a whole number from 1 to 3650'],
  ];
  for (const [args, message] of REFUSED) {
    it(message, async () => {
      const { code, stderr } = await say(['audit', ...args]);
      assert.deepEqual([code, stderr], [64, `leasehold: ${message}\n`]);
    });
  }

  it('no path, where nothing is piped in', async () => {
    const { code, stderr } = await say(['audit'], { isTerminal: () => true });
    assert.equal(code, 64);
    assert.match(stderr, /name what to audit: files, folders, - for stdin, or the address of a system\n$/);
  });
});
