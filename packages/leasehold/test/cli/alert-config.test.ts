/** "alerts" in a configuration file: what it may say, which file counts, and whom a mistake in it stops. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { alertChannels } from '../../src/cli/alerts/config.ts';
import type { ChannelSpec } from '../../src/domain/channel-spec.ts';
import { LeaseholdError } from '../../src/errors.ts';
import type { CommandHost } from '../../src/ports/command-host.ts';
import { openAlertBench } from './alert-bench.ts';

const HOOK = { type: 'webhook', url: 'https://hooks.example/x' };

class Files implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'leasehold-alerts-'));
  env: Record<string, string | undefined> = {};

  write(name: string, content: unknown): string {
    const path = join(this.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  ask(config?: string): ChannelSpec[] {
    const { env, folder } = this;
    const host = { env, homeDirectory: () => folder, workingDirectory: () => folder } as unknown as CommandHost;
    return alertChannels(config === undefined ? {} : { config }, host, join(folder, 'etc.json'));
  }

  names(config?: string): string[] {
    return this.ask(config).map((channel) => channel.name);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

describe('the channels', () => {
  it('are those of --config, LEASEHOLD_CONFIG, or the first of the system’s and the user’s file that speaks of alerts', () => {
    using files = new Files();
    assert.deepEqual(files.names(), []);
    files.write('.config/leasehold.json', { alerts: { channels: { user: HOOK } } });
    assert.deepEqual(files.names(), ['user']);
    files.write('etc.json', { store: 'sqlite:/a' });
    assert.deepEqual(files.names(), ['user'], 'a file that says nothing of alerts is passed by');
    files.write('etc.json', { alerts: {} });
    assert.deepEqual(files.names(), [], 'one that says there are none is not');
    files.write('etc.json', { alerts: { channels: { system: HOOK } } });
    assert.deepEqual(files.names(), ['system']);
    files.env['LEASEHOLD_CONFIG'] = files.write('variable.json', { store: 'sqlite:/a' });
    assert.deepEqual(files.names(), [], 'and a file that was asked for is the only one');
    files.write('asked.json', { alerts: { channels: { asked: HOOK } } });
    assert.deepEqual(files.names('asked.json'), ['asked']);
  });

  it('have their secrets from the environment', () => {
    using files = new Files();
    files.env = { HOOK_URL: 'https://u:p@hooks.example/hunter2', HOOK_SECRET: 'hunter3' };
    files.write('a.json', {
      alerts: { channels: { ops: { type: 'webhook', url: 'env:HOOK_URL', secret: 'env:HOOK_SECRET' } } },
    });
    const [ops] = files.ask('a.json');
    assert.ok(ops?.type === 'webhook');
    assert.deepEqual([ops.url, ops.secret], ['https://u:p@hooks.example/hunter2', 'hunter3']);
  });

  const REFUSED: [fact: string, alerts: unknown, says: RegExp][] = [
    ['alerts that are no object', [], /"alerts" must be an object: \{"channels": \{…\}\}$/],
    ['an unknown key', { chanels: {} }, /"alerts" has an unknown key "chanels"; known: channels/],
    [
      'channels that are no object',
      { channels: [] },
      /"channels" must be an object: \{"NAME": \{"type": "webhook", …\}\}$/,
    ],
    ['a channel that is no object', { channels: { ops: 5 } }, /channel "ops" must be an object/],
    ['a mistyped key of a channel', { channels: { ops: { ...HOOK, knids: [] } } }, /unknown key "knids"/],
    [
      'a secret',
      { channels: { ops: { ...HOOK, secret: 'hunter2' } } },
      /channel "ops" has a secret in the file; write env:NAME in its place$/,
    ],
    [
      'credentials',
      { channels: { ops: { ...HOOK, url: 'https://u:hunter2@h/' } } },
      /channel "ops" has credentials in its URL; write the whole URL as env:NAME$/,
    ],
    [
      'a variable that is not set',
      { channels: { ops: { ...HOOK, secret: 'env:NO' } } },
      /variable NO, which is not set/,
    ],
  ];
  for (const [fact, alerts, says] of REFUSED) {
    it(`with ${fact} are refused by file and name, and no secret is shown`, () => {
      using files = new Files();
      files.write('a.json', { alerts });
      assert.throws(
        () => files.ask('a.json'),
        (error) =>
          error instanceof LeaseholdError &&
          error.code === 'STORE_UNUSABLE' &&
          /^configuration \S+a\.json: /.test(error.message) &&
          says.test(error.message) &&
          !/hunter2/.test(error.message),
      );
    });
  }

  it('of a file that was asked for and is not there are refused', () => {
    using files = new Files();
    assert.throws(() => files.ask('none.json'), /none\.json is not there/);
  });
});

describe('a mistake in them', () => {
  it('stops what starts work, before it starts, and keeps no other command from its own', async () => {
    await using bench = openAlertBench();
    const held = await bench.run(['acquire', 'job', '--lease', '1h']);
    bench.write({ alerts: { channels: { ops: { ...HOOK, secret: 'env:NOT_SET' } } } });
    for (const command of [['run', 'other', '--', 'echo', 'ran'], ['acquire', 'other', '--lease', '1h'], ['work']]) {
      const refused = await bench.run(command);
      assert.deepEqual([refused.code, refused.stdout], [78, ''], command.join(' '));
      assert.match(
        refused.stderr,
        /^leasehold: configuration \S+: channel "ops" needs the environment variable NOT_SET/,
      );
    }
    const token = held.stdout.trim();
    const renewed = await bench.run(['renew', 'job', '--token', token]);
    assert.deepEqual([renewed.code, renewed.stderr], [0, '']);
    assert.equal((await bench.run(['release', 'job', '--token', token])).code, 0);
    assert.equal((await bench.run(['status'])).code, 0);
  });
});
