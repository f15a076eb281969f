/** The log channel: whole lines, whatever becomes of the file. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { logChannel } from '../../src/alerts/log/channel.ts';
import type { Channel, SendAnswer } from '../../src/ports/channel.ts';
import { sampleMessage } from './sample.ts';

const CHANNEL = new URL('../../src/alerts/log/channel.ts', import.meta.url).href;
const SAMPLE = new URL('./sample.ts', import.meta.url).href;
const FILTER = { minSeverity: 'warning', kinds: null } as const;

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function channelTo(file: string | null, written: string[] = []): Channel {
  return logChannel({ type: 'log', name: 'book', file, filter: FILTER }, async (text) => {
    written.push(text);
    return null;
  });
}

const send = (channel: Channel, alertId: string): Promise<SendAnswer> =>
  channel.send(sampleMessage({ alertId }), new AbortController().signal);

const idsIn = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: unknown }).id);

describe('a log', () => {
  it('appends one line of JSON an alert to a file that nobody else may read', async (t) => {
    const file = join(folderOf(t), 'alerts.log');
    const channel = channelTo(file);
    assert.deepEqual(await send(channel, 'a'), { confirmed: true, said: 'written' });
    await send(channel, 'b');
    assert.deepEqual(idsIn(file), ['a', 'b']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('makes a file anew that was moved away', async (t) => {
    const file = join(folderOf(t), 'alerts.log');
    const channel = channelTo(file);
    await send(channel, 'a');
    renameSync(file, `${file}.1`);
    await send(channel, 'b');
    assert.deepEqual([idsIn(`${file}.1`), idsIn(file)], [['a'], ['b']]);
  });

  it('without a file goes to stderr', async () => {
    const written: string[] = [];
    await send(channelTo(null, written), 'a');
    assert.deepEqual(
      written.map((line) => (JSON.parse(line) as { id: unknown }).id),
      ['a'],
    );
  });

  it('that cannot be written says why, and is not confirmed', async (t) => {
    const folder = folderOf(t);
    const missing = await send(channelTo(join(folder, 'no/such/folder.log')), 'a');
    assert.deepEqual([missing.confirmed, missing.said], [false, `${join(folder, 'no/such/folder.log')}: ENOENT`]);
    const directory = await send(channelTo(folder), 'a');
    assert.deepEqual([directory.confirmed, directory.said], [false, `${folder}: EISDIR`]);
    assert.equal((await send(channelTo('/dev/full'), 'a')).said, '/dev/full: ENOSPC');
  });

  it('to a FIFO that nobody reads fails at once and holds nothing up', async (t) => {
    const fifo = join(folderOf(t), 'fifo');
    if (spawnSync('mkfifo', [fifo]).status !== 0) return t.skip('mkfifo is not there');
    // In a process of its own: this one would hang with it.
    const source = `
      import { logChannel } from ${JSON.stringify(CHANNEL)};
      import { sampleMessage } from ${JSON.stringify(SAMPLE)};
      const spec = { type: 'log', name: 'book', file: ${JSON.stringify(fifo)}, filter: { minSeverity: 'warning', kinds: null } };
      console.log((await logChannel(spec).send(sampleMessage(), new AbortController().signal)).said);`;
    const child = spawnSync(process.execPath, ['--input-type=module', '--eval', source], { timeout: 5_000 });
    assert.equal(child.stdout.toString(), `${fifo}: ENXIO\n`);
    return undefined;
  });

  it('keeps the lines of processes that write at once whole', async (t) => {
    const file = join(folderOf(t), 'alerts.log');
    const source = `
      import { logChannel } from ${JSON.stringify(CHANNEL)};
      import { sampleMessage } from ${JSON.stringify(SAMPLE)};
      const spec = { type: 'log', name: 'book', file: ${JSON.stringify(file)}, filter: { minSeverity: 'warning', kinds: null } };
      const message = sampleMessage({ message: 'x'.repeat(20_000) });
      for (let n = 0; n < 20; n += 1) await logChannel(spec).send(message, new AbortController().signal);`;
    const shell = `for n in 1 2 3; do "$0" --input-type=module --eval "$1" & done; wait`;
    execFileSync('sh', ['-c', shell, process.execPath, source]);
    assert.equal(idsIn(file).length, 60);
  });
});
