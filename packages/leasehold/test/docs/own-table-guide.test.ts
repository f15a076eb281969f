/** Runs the script of docs/guides/sql.md for rows of one's own table, as it stands. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MAIN } from '../cli/command-line.ts';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { openPostgres, OwnTable } from '../sql-steps/bench.ts';
import { codeBlocks, readPage } from './pages.ts';

const psql = spawnSync('psql', ['--version'], { encoding: 'utf8' });
const noPsql = psql.status === 0 && process.platform !== 'win32' ? false : 'psql is not installed here';
const SCRIPT = codeBlocks(readPage('docs/guides/sql.md'), 'sh').find((text) => text.includes('work-orders.sh')) ?? '';

for (const version of POSTGRES_VERSIONS) {
  describe(`the script of the guide for one's own table on PostgreSQL ${version}`, { skip: noPsql }, () => {
    it('started twice at once works each row once and says what became of it', async () => {
      await using bench = await openPostgres(version);
      await bench.query('create table orders (id integer primary key)');
      const table = await OwnTable.of(bench, 'orders', ['--explicit-begin']);
      await bench.query("insert into orders (id, status) select i, 'queued' from generate_series(1, 6) as i");
      const folder = mkdtempSync(join(tmpdir(), 'leasehold-orders-'));
      try {
        const url = new URL(bench.url);
        const env = {
          ...process.env,
          PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
          PGHOST: url.hostname,
          PGPORT: url.port,
          PGUSER: url.username,
          PGPASSWORD: url.password,
          PGDATABASE: url.pathname.slice(1),
        };
        const write = (path: string, text: string): void => {
          writeFileSync(join(folder, path), text);
          chmodSync(join(folder, path), 0o755);
        };
        for (const each of ['bin', 'one', 'two']) mkdirSync(join(folder, each));
        write('bin/leasehold', `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
        for (const each of ['one', 'two']) {
          write(
            `${each}/work-one.sh`,
            '#!/bin/sh\necho "$1" >> ../worked\ncase $1 in 5) exit 1 ;; 6) exit 7 ;; esac\n',
          );
          write(`${each}/work-orders.sh`, SCRIPT);
        }
        const runs = ['one', 'two'].map((each) =>
          spawn('sh', ['work-orders.sh'], { cwd: join(folder, each), env, stdio: ['ignore', 'pipe', 'inherit'] }),
        );
        const said: string[] = [];
        for (const run of runs) run.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
        const codes = await Promise.all(runs.map((run) => once(run, 'close')));
        assert.deepEqual(
          codes.map(([code]) => Number(code)),
          [0, 0],
        );
        const worked = readFileSync(join(folder, 'worked'), 'utf8').trim().split('\n');
        assert.deepEqual(worked.toSorted(), ['1', '2', '3', '4', '5', '6']);
        assert.deepEqual(said.join('').trim().split('\n').toSorted(), [
          '1 done',
          '2 done',
          '3 done',
          '4 done',
          '5 queued 1',
          '6 review',
        ]);
        assert.deepEqual(await table.counts(), { done: 4, queued: 1, review: 1 });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}

describe('the SQL of the guide', () => {
  it('has no value’s place in a comment', () => {
    const comments = codeBlocks(readPage('docs/guides/sql.md'), 'sql').flatMap((text) => text.match(/--.*$/gm) ?? []);
    assert.ok(comments.length > 10);
    for (const comment of comments) assert.doesNotMatch(comment, /\$\d|\{\{/, comment);
  });
});
