/** Which store a command talks to: the order of the places, and what a configuration file may say. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { storeUrl, storeUrlForChild } from '../../src/cli/store-location.ts';
import { isLeaseholdError, LeaseholdError } from '../../src/errors.ts';
import type { CommandHost } from '../../src/ports/command-host.ts';
import { openBench } from './command-line.ts';

/** A home with files in it, and the question asked there. */
class Places implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'leasehold-config-'));
  env: Record<string, string | undefined> = {};

  write(name: string, content: unknown): string {
    const path = join(this.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  ask(option: { store?: string; config?: string } = {}): string {
    const { env, folder } = this;
    const host = { env, homeDirectory: () => folder, workingDirectory: () => folder } as unknown as CommandHost;
    return storeUrl(option, host, join(folder, 'etc.json'));
  }

  refusal(option: { store?: string; config?: string } = {}): string {
    try {
      this.ask(option);
    } catch (error) {
      assert.ok(error instanceof LeaseholdError && error.code === 'STORE_UNUSABLE', String(error));
      return error.message;
    }
    throw new Error('not refused');
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

describe('the store', () => {
  it('is that of --store, LEASEHOLD_STORE, --config, LEASEHOLD_CONFIG, the system, the user, or a file of this user', () => {
    using places = new Places();
    const asked = places.write('asked.json', { store: 'sqlite:/asked' });
    const ofEnvironment = places.write('environment.json', { store: 'sqlite:/environment' });
    assert.equal(places.ask(), `sqlite:${places.folder}/.local/state/leasehold/leasehold.db`);
    places.write('.config/leasehold.json', { store: 'sqlite:/user' });
    assert.equal(places.ask(), 'sqlite:/user');
    places.env['XDG_CONFIG_HOME'] = join(places.folder, 'xdg');
    places.write('xdg/leasehold.json', { store: 'sqlite:/xdg' });
    assert.equal(places.ask(), 'sqlite:/xdg');
    places.write('etc.json', {});
    assert.equal(places.ask(), 'sqlite:/xdg', 'a file that names no store is passed by');
    places.write('etc.json', { store: 'sqlite:/system' });
    assert.equal(places.ask(), 'sqlite:/system');
    places.env['LEASEHOLD_CONFIG'] = ofEnvironment;
    assert.equal(places.ask(), 'sqlite:/environment');
    assert.equal(places.ask({ config: asked }), 'sqlite:/asked');
    assert.equal(places.ask({ config: 'asked.json' }), 'sqlite:/asked');
    places.env['LEASEHOLD_STORE'] = 'sqlite:/variable';
    assert.equal(places.ask({ config: asked }), 'sqlite:/variable');
    assert.equal(places.ask({ store: 'sqlite:/option', config: asked }), 'sqlite:/option');
  });

  it('of a file that was asked for and is not there, or names none, is refused', () => {
    using places = new Places();
    assert.match(places.refusal({ config: 'none.json' }), /none.json is not there/);
    places.env['LEASEHOLD_CONFIG'] = '/no/such/file.json';
    assert.match(places.refusal(), /file.json is not there/);
    places.write('empty.json', {});
    assert.match(
      places.refusal({ config: 'empty.json' }),
      /configuration empty.json names no store; write \{"store": "sqlite:\/PATH"\}/,
    );
  });

  it('given empty is refused by its name, so that a variable that is unset in one place never means another store', () => {
    using places = new Places();
    const empty: [option: object, env: Record<string, string>, says: RegExp][] = [
      [{ store: '' }, { LEASEHOLD_STORE: 'sqlite:/variable' }, /^--store is empty; give it a value or leave it out$/],
      [{}, { LEASEHOLD_STORE: ' ' }, /^LEASEHOLD_STORE is empty/],
      [{ config: '' }, {}, /^--config is empty/],
      [{}, { LEASEHOLD_CONFIG: '' }, /^LEASEHOLD_CONFIG is empty/],
    ];
    for (const [option, env, says] of empty) {
      places.env = env;
      assert.throws(
        () => places.ask(option),
        (error) => isLeaseholdError(error, 'INVALID_ARGUMENT') && says.test(error.message),
      );
    }
  });

  it('is refused for a user without a home, with what to give', () => {
    const host = { env: {}, homeDirectory: () => null, workingDirectory: () => '/' } as unknown as CommandHost;
    assert.throws(
      () => storeUrl({}, host, '/no/such/file'),
      (error) =>
        isLeaseholdError(error, 'STORE_UNUSABLE') &&
        error.message ===
          'no store is named and this user has no home directory; give --store URL, or an absolute HOME',
    );
  });

  it('of a child is that of its parent, also where the path begins with a colon', () => {
    const host = { workingDirectory: () => '/jobs' } as unknown as CommandHost;
    assert.equal(storeUrlForChild('sqlite::a.db', host), 'sqlite:/jobs/:a.db');
    assert.equal(storeUrlForChild('sqlite::memory:', host), 'sqlite::memory:');
  });

  it('has its secrets from the environment', () => {
    using places = new Places();
    places.env = { DB_PASSWORD: 'p@ss/word', DB_URL: 'postgres://u:secret@h/d' };
    places.write('a.json', { store: 'postgres://jobs:env:DB_PASSWORD@db.internal:5432/jobs?sslmode=require' });
    assert.equal(
      places.ask({ config: 'a.json' }),
      'postgres://jobs:p%40ss%2Fword@db.internal:5432/jobs?sslmode=require',
    );
    places.write('b.json', { store: 'env:DB_URL' });
    assert.equal(places.ask({ config: 'b.json' }), 'postgres://u:secret@h/d');
    places.write('c.json', { store: 'postgres://jobs@db.internal:5432/jobs' });
    assert.equal(places.ask({ config: 'c.json' }), 'postgres://jobs@db.internal:5432/jobs');
  });

  const REFUSED: [fact: string, content: unknown, says: RegExp][] = [
    ['an unknown key, by its name', { store: 'sqlite:/a', stor: 1 }, /unknown key "stor"; known: store/],
    ['text that is not JSON', '{store: "hunter2"}', /is not JSON; write \{"store": "sqlite:\/PATH"\}/],
    ['a list', ['sqlite:/a'], /must hold an object: \{"store": "…"\}/],
    ['a store that is no text', { store: 5 }, /has a "store" that is not a URL in quotes/],
    ['an empty store', { store: ' ' }, /has a "store" that is not a URL in quotes/],
    ['a store that is a path', { store: '/var/lib/a.db' }, /has a "store" that is none: .*sqlite:/],
    ['a password', { store: 'postgres://u:hunter2@h/d' }, /has a password in its store; write env:NAME in its place/],
    ['a password with a slash', { store: 'postgres://u:hunter2/x@h/d' }, /"store" that is none/],
    [
      'a password as a parameter',
      { store: 'postgres://u@h/d?password=hunter2' },
      /has a secret behind the \? of its store; write the password as env:NAME/,
    ],
    [
      'a variable that is not set',
      { store: 'env:NOT_SET' },
      /needs the environment variable NOT_SET, which is not set/,
    ],
    ['a password whose variable is not set', { store: 'postgres://u:env:NOT_SET@h/d' }, /variable NOT_SET/],
  ];
  for (const [fact, content, says] of REFUSED) {
    it(`of a file with ${fact} is refused, and no secret is shown`, () => {
      using places = new Places();
      places.write('a.json', content);
      const message = places.refusal({ config: 'a.json' });
      assert.match(message, says);
      assert.match(message, /a\.json/);
      assert.doesNotMatch(message, /hunter2/);
    });
  }

  it('of a file that may not be read is refused, not passed by', (t) => {
    using places = new Places();
    const path = places.write('etc.json', { store: 'sqlite:/system' });
    chmodSync(path, 0);
    if (process.getuid?.() === 0) {
      t.diagnostic('root reads everything; a directory in its place instead');
      rmSync(path);
      mkdirSync(path);
    }
    assert.match(places.refusal(), /etc.json can't be read \((EACCES|EISDIR)\)/);
  });
});

describe('--config on the command line', () => {
  it('names the store; a mistake in it is exit 78, before anything is started', async () => {
    await using bench = openBench();
    const file = join(bench.folder, 'leasehold.json');
    const env = { LEASEHOLD_STORE: undefined };
    writeFileSync(file, JSON.stringify({ store: `sqlite:${bench.folder}/named.db` }));
    const ran = await bench.run(['run', 'a', '--config', file, '--', 'sh', '-c', 'echo $LEASEHOLD_STORE'], { env });
    assert.deepEqual([ran.code, ran.stdout], [0, `sqlite:${bench.folder}/named.db\n`]);
    writeFileSync(file, JSON.stringify({ database: 'x' }));
    const refused = await bench.run(['run', 'a', '--config', file, '--', 'echo', 'ran'], { env });
    assert.deepEqual([refused.code, refused.stdout], [78, '']);
    assert.match(refused.stderr, /^leasehold: configuration \S+leasehold.json has an unknown key "database"/);
  });
});
