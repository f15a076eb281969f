/**
 * The library as its users open it: real clock, real files, real processes.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Channel, openLeasehold } from '../../src/index.ts';

const INDEX = pathToFileURL(join(import.meta.dirname, '../../src/index.ts')).href;
const CHILD_MS_MAX = 20_000;

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leasehold-open-'));
});
after(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a module in a process of its own; `onOutput` sees all it has printed so far, each time it prints. */
function runModule(source: string, onOutput: (output: string, pid: number) => void = () => {}): Promise<Ended> {
  const { NODE_TEST_CONTEXT: _unset, ...env } = process.env;
  const args = ['--input-type=module', '--eval', source];
  const child = spawn(process.execPath, args, { env, timeout: CHILD_MS_MAX, killSignal: 'SIGKILL' });
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        onOutput(output, child.pid ?? 0);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

test('a lock is kept in a file that is made on opening', async () => {
  const path = join(folder, 'made/leasehold.db');
  {
    await using leasehold = await openLeasehold(`sqlite:${path}`);
    const start = await leasehold.lock('job').acquire({ leaseMs: 60_000, renewal: 'touch' });
    assert.equal(start.outcome, 'acquired');
  }
  assert.ok((await stat(path)).size > 0);
  await using again = await openLeasehold(`sqlite:${path}`);
  const second = await again.lock('job').acquire({ leaseMs: 60_000 });
  assert.ok(second.outcome === 'skipped');
  assert.match(second.current.holder ?? '', new RegExp(`:${process.pid}$`));
});

test('a run names its process by default, so exactly that its end can be proven later', async () => {
  await using leasehold = await openLeasehold('sqlite::memory:');
  await using start = await leasehold.lock('job').acquire({ leaseMs: 60_000 });
  const [run] = await leasehold.runs({ runId: start.runId });
  assert.equal(run?.holderInfo?.['pid'], process.pid);
  assert.ok(Object.hasOwn(run?.holderInfo ?? {}, 'startTicks'));
});

test('the service is not there yet, and that is said', async () => {
  await assert.rejects(openLeasehold('https://leasehold.example'), {
    code: 'STORE_UNUSABLE',
    message:
      'https://leasehold.example is a Leasehold service, and its client comes with a later release; use sqlite:PATH or postgres://…',
  });
});

test('alerts go through the channels that a Leasehold was opened with', async () => {
  const file = join(folder, 'alerts.log');
  const sent: string[] = [];
  const own: Channel = {
    name: 'own',
    filter: { minSeverity: 'warning', kinds: null },
    async send(message) {
      sent.push(message.text);
      return { confirmed: true, said: 'kept' };
    },
  };
  for (const channels of [{ book: { type: 'log', file } as const }, [own]]) {
    await using leasehold = await openLeasehold('sqlite::memory:', { channels });
    await leasehold.lock('job').pause();
    assert.equal((await leasehold.alertCounts()).pending, 1);
    assert.equal((await leasehold.deliverAlerts()).delivered, 1);
    assert.equal((await leasehold.alertCounts()).pending, 0);
  }
  assert.match(await readFile(file, 'utf8'), /"kind":"lock\.paused".*\n$/);
  assert.equal(sent.length, 1);
  const refused = { code: 'INVALID_ARGUMENT' };
  await assert.rejects(openLeasehold('sqlite::memory:', { channels: [own, own] }), refused);
  await assert.rejects(openLeasehold('sqlite::memory:', { channels: { a: { type: 'webhook' } } }), refused);
  await using leasehold = await openLeasehold('sqlite::memory:');
  await assert.rejects(leasehold.deliverAlerts({ forMs: 0 }), refused);
  await assert.rejects(leasehold.deliverAlerts({ signal: 5 as unknown as AbortSignal }), refused);
});

test('what is no store is refused', async () => {
  await assert.rejects(openLeasehold('mysql://localhost/jobs'), { code: 'STORE_UNUSABLE' });
  await assert.rejects(openLeasehold(`sqlite:${folder}`), { code: 'STORE_UNUSABLE' });
  await assert.rejects(openLeasehold(undefined as unknown as string), {
    code: 'INVALID_ARGUMENT',
    message: "the store's URL must be text",
  });
});

test('a database that does not answer is unreachable, and no message carries its password', async () => {
  await assert.rejects(openLeasehold('postgres://user:s3cret@127.0.0.1:1/jobs'), (error: Error & { code?: string }) => {
    return error.code === 'STORE_UNREACHABLE' && !JSON.stringify([error.message, error.stack]).includes('s3cret');
  });
});

test('importing the library loads no package and no database', async () => {
  const { code, output } = await runModule(`
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(INDEX)});
    const heavy = loaded.filter((url) => url.includes('/node_modules/') || url === 'node:sqlite' || url.includes('/stores/'));
    console.log(JSON.stringify({ count: loaded.length, heavy }));
  `);
  assert.equal(code, 0, output);
  const { count, heavy } = JSON.parse(output) as { count: number; heavy: string[] };
  assert.deepEqual(heavy, []);
  assert.ok(count > 10, `${count} modules seen`);
});

test('a handle that was forgotten does not keep a finished script running', async () => {
  const { code, output } = await runModule(`
    const { openLeasehold } = await import(${JSON.stringify(INDEX)});
    const leasehold = await openLeasehold(${JSON.stringify(`sqlite:${join(folder, 'forgotten.db')}`)});
    const start = await leasehold.lock('job').acquire({ leaseMs: 3_600_000 });
    console.log(start.outcome);
  `);
  assert.deepEqual({ code, output }, { code: 0, output: 'acquired\n' });
});

test('work that was frozen past its lease hears of it, and its process ends as it wants to (C31)', async () => {
  let isFrozen = false;
  const source = `
    const { openLeasehold } = await import(${JSON.stringify(INDEX)});
    await using leasehold = await openLeasehold(${JSON.stringify(`sqlite:${join(folder, 'frozen.db')}`)});
    const run = await leasehold.lock('job').run({ leaseMs: 1_000 }, ({ signal }) => new Promise((resolve) => {
      const alive = setInterval(() => {}, 1_000);
      signal.addEventListener('abort', () => { clearInterval(alive); resolve(signal.reason.code); });
      console.log('working');
    }));
    console.log(run.result, run.release.outcome);
  `;
  const { code, output } = await runModule(source, (printed, pid) => {
    if (isFrozen || !printed.includes('working')) return;
    isFrozen = true;
    process.kill(pid, 'SIGSTOP');
    setTimeout(() => process.kill(pid, 'SIGCONT'), 1_500);
  });
  assert.deepEqual({ code, output }, { code: 0, output: 'working\nLEASE_LOST expired\n' });
});
