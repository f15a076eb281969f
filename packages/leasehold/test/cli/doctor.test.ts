/** `doctor` as an operator meets it: one line a check, exit codes, no store made by asking, and no secret. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/domain/doctor.ts';
import { createDatabase } from '../postgres.ts';
import { type Bench, openBench } from './command-line.ts';
import { endLeaseNow, openRows } from './store-rows.ts';

async function doctor(bench: Bench): Promise<{ code: number | null; findings: Finding[]; find: FindFinding }> {
  const { code, stdout, stderr } = await bench.run(['doctor', '--json']);
  assert.equal(stderr, '');
  const findings = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding);
  return { code, findings, find: (check) => findings.filter((finding) => finding.check === check) };
}
type FindFinding = (check: string) => Finding[];

describe('doctor', () => {
  it('says each check on a line of its own, with its result, and ends with 0 where nothing is a problem', async () => {
    await using bench = openBench();
    assert.equal((await bench.run(['run', 'nightly', '--', 'true'])).code, 0);
    const { code, stdout, stderr } = await bench.run(['doctor']);
    assert.deepEqual([code, stderr], [0, '']);
    const checks = [...stdout.matchAll(/^(?:ok|warning|problem|unknown) +(\S+) +\S.*$/gm)].map(([, check]) => check);
    const expected =
      'node platform config stores store file permissions disk durability integrity schema lease stale paused skips renewal alerts';
    assert.deepEqual([...new Set(checks)], expected.split(' '));
    const { findings } = await doctor(bench);
    assert.equal(findings.length, checks.length);
    for (const finding of findings) assert.deepEqual(Object.keys(finding), ['check', 'result', 'message']);
  });

  it('makes no store by asking for one', async () => {
    await using bench = openBench();
    const { code, find } = await doctor(bench);
    assert.equal(code, 0);
    assert.equal(find('store')[0]?.result, 'warning');
    assert.match(
      find('store')[0]?.message ?? '',
      /is not there\. The first run, acquire or claim makes it; if jobs run here already, they use another store\.$/,
    );
    assert.equal(existsSync(join(bench.folder, 'leasehold.db')), false);
  });

  it('ends with 78 and says why where the store is refused, after the checks that need none', async () => {
    await using bench = openBench(`sqlite:${tmpdir()}`);
    const { code, find } = await doctor(bench);
    assert.equal(code, 78);
    assert.equal(find('node')[0]?.result, 'ok');
    assert.match(find('store')[0]?.message ?? '', /is a directory/);
  });

  it('ends with 69 where the store can not be reached, and prints no password', async () => {
    await using bench = openBench('postgres://jobs:geheim@127.0.0.1:1/jobs');
    const { code, findings, find } = await doctor(bench);
    assert.equal(code, 69);
    assert.deepEqual([find('node')[0]?.result, find('store')[0]?.result], ['ok', 'problem']);
    assert.doesNotMatch(JSON.stringify(findings), /geheim/);
  });

  it('warns of what the record says of locks', async () => {
    await using bench = openBench();
    // By hand, because `run` renews as soon as its command has started.
    const { stdout: token } = await bench.run(['acquire', 'slow', '--lease', '5m']);
    assert.equal((await bench.run(['release', 'slow', '--token', token.trim(), '--status', 'success'])).code, 0);
    assert.equal((await bench.run(['run', 'left', '--', 'true'])).code, 0);
    await bench.run(['acquire', 'left', '--lease', '5m']);
    await bench.run(['pause', 'old']);
    await bench.run(['acquire', 'busy', '--lease', '5m', '--holder', 'h9']);
    for (let skip = 0; skip < 3; skip += 1)
      await bench.run(['acquire', 'busy', '--lease', '5m', '--run-id', `r${skip}`]);
    endLeaseNow(bench, 'left');
    {
      using rows = openRows(bench);
      rows.exec(`update runs set started_at = ended_at - 1200000 where lock = 'slow';
        update events set at = at - 200000000 where kind = 'lock.paused'`);
    }
    const { code, find } = await doctor(bench);
    assert.equal(code, 0);
    assert.match(find('lease')[0]?.message ?? '', /^Lock "slow": A lease of 5m is below the slowest known run \(20m/);
    assert.match(find('stale')[0]?.message ?? '', /^Lock "left": its lease ended/);
    assert.match(find('paused')[0]?.message ?? '', /^Lock "old": it has been paused for 2d/);
    assert.match(find('skips')[0]?.message ?? '', /^Lock "busy": 3 starts in a row were skipped because of holder h9/);
    assert.equal(find('renewal')[0]?.result, 'ok');
  });

  it('looks at the 100 locks that were used last, and says so', async () => {
    await using bench = openBench();
    await bench.run(['pause', 'paused-long-ago']);
    {
      using rows = openRows(bench);
      rows.exec(`
        with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < 101)
        insert into locks (name) select 'lock-' || value from numbers`);
    }
    const { find } = await doctor(bench);
    assert.equal(find('stale')[0]?.message, 'None is stale (the 100 used last of 102 locks).');
  });

  it('warns of a file that others may read', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    chmodSync(join(bench.folder, 'leasehold.db'), 0o644);
    const { find } = await doctor(bench);
    assert.match(find('permissions')[0]?.message ?? '', /mode is 0644: every user may read it/);
  });

  it('warns of a folder that anybody may write, and not of one that is sticky', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    chmodSync(bench.folder, 0o777);
    const { code, find } = await doctor(bench);
    assert.equal(code, 0);
    assert.deepEqual(find('folder'), [
      {
        check: 'folder',
        result: 'warning',
        message: `Its folder has mode 0777: every user may move the store away and put another in its place. chmod o-w ${bench.folder}`,
      },
    ]);
    chmodSync(bench.folder, 0o1777);
    assert.deepEqual((await doctor(bench)).find('folder'), []);
  });

  it('finds a damaged file and ends with 78', async () => {
    await using bench = openBench();
    await bench.run(['run', 'a', '--', 'true']);
    const file = join(bench.folder, 'leasehold.db');
    let at = 0;
    {
      using rows = openRows(bench);
      rows.exec('pragma wal_checkpoint(truncate)');
      const page = rows.prepare(`select rootpage as page from sqlite_schema where name = 'events_by_kind'`).get();
      at = (Number(page?.['page']) - 1) * 4_096;
    }
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x55, at, at + 4_096));
    const { code, find } = await doctor(bench);
    assert.equal(code, 78);
    assert.equal(find('integrity')[0]?.result, 'problem');
    assert.match(find('integrity')[0]?.message ?? '', /restore the file from a backup/);
  });

  it('tells a PostgreSQL store without its schema from one with it, and prints no password', async () => {
    await using database = await createDatabase(18);
    await using bench = openBench(database.url);
    const before = await doctor(bench);
    assert.equal(before.code, 78);
    assert.match(
      before.find('schema')[0]?.message ?? '',
      /no Leasehold schema; as the owner role run: leasehold migrate/,
    );
    assert.deepEqual(before.find('lease'), [
      { check: 'lease', result: 'unknown', message: 'Locks can be looked at once schema and rights are in order.' },
    ]);
    await bench.run(['migrate']);
    const { find, findings } = await doctor(bench);
    for (const check of ['store', 'schema', 'rights', 'pooler', 'clock', 'isolation', 'timeouts', 'skips']) {
      assert.equal(find(check)[0]?.result, 'ok', `${check}: ${find(check)[0]?.message}`);
    }
    assert.doesNotMatch(JSON.stringify([findings, before.findings]), new RegExp(new URL(database.url).password));
  });
});
