/** The printed text as people use it: piped into psql and sqlite3, and with values put into the text by a platform. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { say } from '../cli/understood-lines.ts';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { type Bench, openPostgres, openSqlite, OwnTable } from './bench.ts';

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const noPsql = isThere('psql') && process.platform !== 'win32' ? false : 'psql is not installed here';
const noSqlite = isThere('sqlite3') ? false : 'sqlite3 is not installed here';

async function print(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await say(['sql', ...args]);
  assert.equal(code, 0, stderr);
  return stdout;
}

for (const version of POSTGRES_VERSIONS) {
  describe(`by psql on PostgreSQL ${version}`, { skip: noPsql }, () => {
    let bench: Bench;
    before(async () => {
      bench = await openPostgres(version);
    });
    after(async () => await bench[Symbol.asyncDispose]());

    /** As a script would: the text on stdin, a variable for each value. */
    function psql(text: string, values: Readonly<Record<string, string>> = {}): string {
      const variables = Object.entries(values).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
      const ended = spawnSync(
        'psql',
        ['-X', '-q', '-A', '-t', '-F', '|', '-v', 'ON_ERROR_STOP=1', ...variables, bench.url],
        {
          input: text,
          encoding: 'utf8',
        },
      );
      assert.equal(ended.status, 0, ended.stderr);
      return ended.stdout.trim();
    }

    it('columns as a whole prepare a table, twice over; claim, begin, verdict and sweep work it', async () => {
      await bench.query('create table "My Orders" (id integer primary key, note text)');
      const table = ['--table', '"My Orders"', '--psql', '--explicit-begin'];
      for (let time = 0; time < 2; time += 1) psql(await print('columns', ...table));
      await bench.query(`insert into "My Orders" (id) values (1), (2), (3)`);
      const one = async (subject: string, step: string, values?: Readonly<Record<string, string>>): Promise<string> =>
        psql(await print(subject, ...table, '--only', step), values);
      const holder = `it's "me"; drop table "My Orders"; --`;
      const claimed = (await one('claim', 'ids', { holder, ids: '[3, 1]' })).split('\n').map((line) => line.split('|'));
      assert.deepEqual(
        claimed.map(([id, , status, , by]) => [id, status, by]),
        [
          ['1', 'claimed', holder],
          ['3', 'claimed', holder],
        ],
      );
      const token = claimed[0]?.[5] ?? '';
      assert.match(await one('claim', 'begin', { id: '1', token }), /^1\|1\|/);
      assert.equal(await one('verdict', 'done', { id: '1', token }), '1|done');
      assert.equal(await one('verdict', 'done', { id: '1', token: 'of another' }), '', 'no row: it changed nothing');
      assert.match(await one('claim', 'extend', { token }), /^3\|/);
      assert.equal(await one('claim', 'return', { token }), '3|queued');
      assert.equal(await one('sweep', 'sweep'), '');
      assert.match(await one('claim', 'next', { holder: 'me' }), /^2\|.*\n3\|/);
      await bench.query('drop table "My Orders"');
    });

    it('two that start at once own each row once', async () => {
      const table = await OwnTable.withRows(bench, 40, ['--limit', '20']);
      const text = await print('claim', '--table', table.name, '--psql', '--only', 'next', '--limit', '20');
      const script = `for i in 1 2; do printf '%s' "$TEXT" | psql -X -q -A -t -v ON_ERROR_STOP=1 -v holder=$i "$URL" & done; wait`;
      const ended = spawnSync('sh', ['-c', script], {
        env: { ...process.env, TEXT: text, URL: bench.url },
        encoding: 'utf8',
      });
      const ids = ended.stdout
        .trim()
        .split('\n')
        .map((line) => Number(line.split('|')[0]));
      assert.equal(new Set(ids).size, ids.length, ended.stderr);
      await table.claim('the next tick');
      assert.deepEqual(await table.counts(), { claimed: 40 });
    });
  });

  describe(`with values in the text on PostgreSQL ${version}`, () => {
    it('each place may hold a quoted text, as n8n and Make put it there', async () => {
      await using bench = await openPostgres(version);
      const table = await OwnTable.withRows(bench, 3, ['--explicit-begin']);
      /** What n8n's driver does: every `$1` in the whole text, wherever it stands. */
      const mapped = async (step: string, ...values: string[]) =>
        await bench.query(
          table
            .step(step)
            .sql.replaceAll(/\$(\d+)/g, (_, n: string) => `'${(values[Number(n) - 1] ?? '').replaceAll("'", "''")}'`),
        );
      const rows = await mapped('ids', "o'holder", '[1, "2"]');
      assert.deepEqual(
        rows.map((row) => row['id']),
        [1, 2],
      );
      const token = String(rows[0]?.['claim_token']);
      assert.equal((await mapped('begin', '1', token)).length, 1);
      assert.equal((await mapped('done', '1', token)).length, 1);
      assert.equal((await mapped('extend', token)).length, 1);
      assert.equal((await mapped('next', 'h')).length, 1);
    });
  });
}

describe('by sqlite3', { skip: noSqlite }, () => {
  it('columns as a whole prepare a table, twice over; claim, verdict and sweep work it', async () => {
    await using bench = await openSqlite();
    await bench.query('create table "My Orders" (id integer primary key)');
    const table = ['--table', '"My Orders"', '--dialect', 'sqlite'];
    /** As at its prompt: parameters first, then the statement. */
    const sqlite = (
      text: string,
      values: Readonly<Record<string, string>> = {},
    ): { stdout: string; stderr: string } => {
      const parameters = Object.entries(values).map(
        ([name, value]) => `.parameter set :${name} "'${value.replaceAll("'", "''")}'"\n`,
      );
      return spawnSync('sqlite3', [bench.url], {
        input: `.timeout 5000\n${parameters.join('')}${text}`,
        encoding: 'utf8',
      });
    };
    assert.equal(sqlite(await print('columns', ...table)).stderr, '');
    const again = sqlite(await print('columns', ...table));
    assert.equal(again.stderr.match(/duplicate column name/g)?.length, 7);
    assert.equal(again.stdout, '', 'the check has nothing to say');
    await bench.query(`insert into "My Orders" (id, status) values (1, 'queued'), (2, 'queued'), (3, 'queued')`);
    const one = async (subject: string, step: string, values?: Readonly<Record<string, string>>): Promise<string> => {
      const { stdout, stderr } = sqlite(await print(subject, ...table, '--only', step), values);
      assert.equal(stderr, '', step);
      return stdout.trim();
    };
    const claimed = await one('claim', 'ids', { holder: "it's me", ids: '[1, 2]' });
    const [, token = ''] = /^1\|claimed\|[^|]+\|it's me\|([^|]+)/.exec(claimed) ?? [];
    assert.equal(token.length, 32, claimed);
    assert.equal(await one('verdict', 'done', { id: '1', token }), '1|done');
    assert.equal(await one('verdict', 'done', { id: '2', token: 'of another' }), '');
    assert.equal(await one('claim', 'return', { id: '2', token }), '2|queued');
    assert.equal(await one('sweep', 'sweep'), '');
    assert.match(await one('claim', 'next', { holder: 'me' }), /^[23]\|claimed/);
  });
});

describe('the printed page', () => {
  const subjects = ['claim', 'verdict', 'sweep', 'columns'];
  const styles = [['--psql'], ['--dialect', 'sqlite'], []];

  it('has no value’s place in a comment, where a platform would put a value that ends its line', async () => {
    const ways = styles.flatMap((style) => [style, [...style, '--explicit-begin', '--free-null', '--redo', 'safe']]);
    for (const subject of subjects) {
      for (const style of ways) {
        const page = await print(subject, '--table', 't', '--id-column', 'a,b', ...style);
        const comments = page.split('\n').filter((line) => line.startsWith('--'));
        assert.ok(comments.length > 5);
        for (const line of comments) assert.doesNotMatch(line, /\$\d|\{\{|:'/, line);
        for (const line of comments) assert.ok(line.length <= 140, line);
        assert.doesNotMatch(page, /[{}]/, 'every placeholder is filled in');
      }
    }
  });

  it('says what it is for, what it does not do, and what each statement wants', async () => {
    const page = await print('claim', '--table', 'orders');
    assert.match(page, /^-- From leasehold sql, for PostgreSQL 15 to 18\./);
    assert.match(
      page,
      /-- It does not ask a provider whether an effect happened: what may have happened goes to a person, status 'review'\./,
    );
    assert.match(page, /a verdict by an older token changes nothing and gives no row back/);
    assert.match(page, /Triggers of the table run on each of these updates\./);
    assert.match(page, /^-- == ids$/m);
    assert.match(page, /^-- Values: holder, ids\.$/m);
  });
});
