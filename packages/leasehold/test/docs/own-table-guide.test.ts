/** Runs the script of docs/guides/sql.md for rows of one's own table, as it stands. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MAIN } from '../cli/command-line.ts';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { type Bench, openPostgres, OwnTable } from '../sql-steps/bench.ts';
import { codeBlocks, readPage } from './pages.ts';

const psql = spawnSync('psql', ['--version'], { encoding: 'utf8' });
const noPsql = psql.status === 0 && process.platform !== 'win32' ? false : 'psql is not installed here';
const SCRIPT = codeBlocks(readPage('docs/guides/sql.md'), 'sh').find((text) => text.includes('work-orders.sh')) ?? '';

/** Where the script runs: a folder a run, all with the same work-one.sh. */
class Stage implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'leasehold-orders-'));
  readonly #env: NodeJS.ProcessEnv;

  constructor(bench: Bench, workOne: string, runs: readonly string[]) {
    const url = new URL(bench.url);
    this.#env = {
      ...process.env,
      PATH: `${join(this.folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      PGHOST: url.hostname,
      PGPORT: url.port,
      PGUSER: url.username,
      PGPASSWORD: url.password,
      PGDATABASE: url.pathname.slice(1),
    };
    for (const each of ['bin', ...runs]) mkdirSync(join(this.folder, each));
    this.#write('bin/leasehold', `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
    for (const run of runs) {
      this.#write(`${run}/work-one.sh`, `#!/bin/sh\n${workOne}\n`);
      this.#write(`${run}/work-orders.sh`, SCRIPT);
    }
  }

  #write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
    chmodSync(join(this.folder, path), 0o755);
  }

  async run(run: string): Promise<{ code: number; said: string; complained: string }> {
    const child = spawn('sh', ['work-orders.sh'], { cwd: join(this.folder, run), env: this.#env });
    const said = { stdout: '', stderr: '' };
    for (const pipe of ['stdout', 'stderr'] as const) {
      child[pipe].setEncoding('utf8').on('data', (text: string) => (said[pipe] += text));
    }
    const [code] = (await once(child, 'close')) as [number];
    return { code, said: said.stdout, complained: said.stderr };
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Ids as somebody else may have written them. FOLDER stands for a folder whose files are looked at. */
const HOSTILE = [
  "x'\\!\ftouch${IFS}FOLDER/by-a-command;#",
  "y'\\o\r|touch${IFS}FOLDER/by-a-pipe;#",
  '`touch FOLDER/by-a-backtick`',
  '$(touch FOLDER/by-a-shell)',
  "o'brien",
  'two  words ',
  ' led by a space',
  'back\\slash\\n',
  "'); drop table orders; --",
  ":'token'",
  'two\nlines\n',
  '-v',
  '',
  'ä€😀',
];

for (const version of POSTGRES_VERSIONS) {
  describe(`the script of the guide for one's own table on PostgreSQL ${version}`, { skip: noPsql }, () => {
    it('started twice at once works each row once and says what became of it', async () => {
      await using bench = await openPostgres(version);
      await bench.query('create table orders (id integer primary key)');
      const table = await OwnTable.of(bench, 'orders', ['--explicit-begin']);
      await bench.query("insert into orders (id, status) select i, 'queued' from generate_series(1, 6) as i");
      using stage = new Stage(bench, 'echo "$1" >> ../worked\ncase $1 in 5) exit 1 ;; 6) exit 7 ;; esac', [
        'one',
        'two',
      ]);
      const ended = await Promise.all(['one', 'two'].map((run) => stage.run(run)));
      assert.deepEqual(
        ended.map(({ code, complained }) => [code, complained]),
        [
          [0, ''],
          [0, ''],
        ],
      );
      assert.deepEqual(stage.read('worked').trim().split('\n').toSorted(), ['1', '2', '3', '4', '5', '6']);
      assert.deepEqual(
        ended
          .map(({ said }) => said)
          .join('')
          .trim()
          .split('\n')
          .toSorted(),
        ['1 done', '2 done', '3 done', '4 done', '5 queued 1', '6 review'],
      );
      assert.deepEqual(await table.counts(), { done: 4, queued: 1, review: 1 });
    });

    it('works each row whatever stands in its id, and runs nothing that stands there', async () => {
      await using bench = await openPostgres(version);
      await bench.query('create table orders (id text primary key)');
      const table = await OwnTable.of(bench, 'orders', ['--explicit-begin']);
      using stage = new Stage(bench, `printf '%s\\0' "$1" >> ../worked`, ['one', 'made']);
      const ids = HOSTILE.map((id) => id.replace('FOLDER', '../made'));
      for (const id of ids) await bench.query("insert into orders (id, status) values ($1, 'queued')", { id });
      const before = readdirSync(join(stage.folder, 'made'));
      const { code, complained } = await stage.run('one');
      assert.deepEqual([code, complained], [0, '']);
      assert.deepEqual(stage.read('worked').split('\0').slice(0, -1).toSorted(), ids.toSorted());
      assert.deepEqual(await table.counts(), { done: ids.length });
      assert.deepEqual(readdirSync(join(stage.folder, 'made')), before);
    });

    it('says of a row that is not worked, and of a verdict that is not stored, what it is, and goes on with the others', async () => {
      await using bench = await openPostgres(version);
      await bench.query('create table orders (id integer primary key)');
      const table = await OwnTable.of(bench, 'orders', ['--explicit-begin']);
      await bench.query("insert into orders (id, status) select i, 'queued' from generate_series(1, 4) as i");
      await bench.query(`create function refuse() returns trigger language plpgsql as $$ begin
        if old.id = 1 and new.begun_at is not null then raise 'not this one'; end if;
        if old.id = 2 and new.status = 'done' then raise 'nor this verdict'; end if;
        return new; end $$`);
      await bench.query('create trigger refuses before update on orders for each row execute function refuse()');
      const takeOver = `[ "$1" != 3 ] || psql -X -q -c "update orders set claim_token = 'of another' where id in (3, 4)"`;
      using stage = new Stage(bench, takeOver, ['one']);
      const { code, said, complained } = await stage.run('one');
      assert.deepEqual([code, said], [1, '']);
      assert.deepEqual(
        complained.split('\n').filter((line) => /^\d: /.test(line)),
        [
          '1: not worked: its begin failed',
          '2: work-one.sh ended with 0, which is stored nowhere: look at it',
          '3: work-one.sh ended with 0, which is stored nowhere: look at it',
          '4: not begun: its claim is over',
        ],
      );
      assert.deepEqual(await table.counts(), { claimed: 4 });
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
