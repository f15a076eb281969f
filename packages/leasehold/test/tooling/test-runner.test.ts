/**
 * The test runner is trusted to say what was tested. These tests run it for real, on small files of
 * their own, and watch what it says, how it ends and what it leaves.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { phasesOf, TIERS, tierOf } from '../../../../scripts/tiers.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const RUN_MS_MAX = 60_000;

const folder = reachableFolder(join(tmpdir(), 'runner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** As /tmp is: where the tests run as root, PostgreSQL runs under another account and must get in. */
function reachableFolder(prefix: string): string {
  const made = mkdtempSync(prefix);
  chmodSync(made, 0o755);
  return made;
}

/** A test file with the given body, alone in a folder of its own. */
function testFile(name: string, body: string): string {
  const file = join(folder, `${name}.test.ts`);
  writeFileSync(file, `import { test } from 'node:test';\n${body}\n`);
  return file;
}

interface Running {
  readonly child: ChildProcess;
  /** Where the run keeps its temporary files. */
  readonly temporary: string;
  /** What it has printed so far. */
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

function startRun(args: readonly string[]): Running {
  const temporary = reachableFolder(join(folder, 'tmp-'));
  // Without NODE_TEST_CONTEXT, which would make the run believe that it is a test file of this one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_MS_MAX,
    killSignal: 'SIGKILL',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, temporary, output: () => text, ended };
}

async function run(...args: string[]): Promise<{ code: number | null; output: string; leftBehind: string[] }> {
  const running = startRun([join(ROOT, 'scripts/run-tests.ts'), 'test', ...args]);
  const code = await running.ended;
  return { code, output: running.output(), leftBehind: remains(running) };
}

/** What a run left in its temporary folder; compiled code that Node.js keeps there is not the run's. */
function remains({ temporary }: Running): string[] {
  return readdirSync(temporary).filter((name) => name !== 'node-compile-cache');
}

describe('the test runner', () => {
  it('passes a passing file, names both PostgreSQL versions, hands them over, counts, and leaves nothing', async () => {
    const body = `
      import assert from 'node:assert/strict';
      test('has both servers', () => {
        for (const version of [15, 18]) assert.match(process.env['LEASEHOLD_TEST_POSTGRES_' + version], /^postgres:/);
      });
      test('skips', { skip: 'for a reason' }, () => {});`;
    const { code, output, leftBehind } = await run(testFile('passes', body));
    assert.equal(code, 0, output);
    assert.match(output, /PostgreSQL 15\.\d+, PostgreSQL 18\.\d+/);
    assert.match(output, /^1 passed, 0 failed, 1 skipped$/m);
    assert.match(output, /# for a reason/);
    assert.deepEqual(leftBehind, []);
  });

  it('fails a failing test, a file that throws, a file without a test, and a run without one', async () => {
    const files = [
      testFile('fails', "test('fails', () => { throw new Error('on purpose'); });"),
      testFile('throws', "throw new Error('on purpose');"),
      testFile('empty', 'void test;'),
      testFile('good', "test('good', () => {});"),
    ];
    const together = await run(...files);
    assert.equal(together.code, 1);
    assert.match(together.output, /^1 passed, 2 failed, 0 skipped$/m);
    assert.match(together.output, /no test ran in .*empty\.test\.ts/);
    const unmatched = await run(files[3] ?? '', '--test-name-pattern', 'no such test');
    assert.equal(unmatched.code, 1);
    assert.match(unmatched.output, /^no test ran$/m);
  });

  it('knows a file by itself where its tests are declared in another, as those of a suite for every store', async () => {
    writeFileSync(
      join(folder, 'suite-for-all.ts'),
      "import { test } from 'node:test';\nexport const suite = () => test('fact', () => {});\n",
    );
    const { code, output } = await run(
      testFile('declared', "import { suite } from './suite-for-all.ts';\nvoid test;\nsuite();"),
    );
    assert.equal(code, 0, output);
    assert.match(output, /^1 passed, 0 failed, 0 skipped$/m);
  });

  it('fails a suite that throws outside its tests', async () => {
    const body =
      "import { describe } from 'node:test'; test('good', () => {}); describe('bad', () => { throw new Error('on purpose'); });";
    const { code, output } = await run(testFile('suite', body));
    assert.equal(code, 1, output);
  });

  it('says what a test left in the temporary folder, and removes it', async () => {
    const body = `
      import { writeFileSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      test('litters', () => writeFileSync(tmpdir() + '/litter', ''));`;
    const { output, leftBehind } = await run(testFile('litters', body));
    assert.match(output, /left behind in the temporary folder: litter/);
    assert.deepEqual(leftBehind, []);
  });

  it('refuses a file that does not exist and a tier that there is not', async () => {
    assert.match((await run('no/such.test.ts')).output, /no such test file: no\/such\.test\.ts/);
    const running = startRun([join(ROOT, 'scripts/run-tests.ts'), 'tset']);
    assert.equal(await running.ended, 1);
    assert.match(running.output(), /unknown tier "tset"/);
  });

  it('ends with a file that hangs beyond its time limit, and fails', async () => {
    const hangs = testFile('hangs', "test('hangs', () => { for (;;); });");
    const script = join(folder, 'limit.ts');
    writeFileSync(
      script,
      `import { relative } from 'node:path';
       import { runFiles } from ${JSON.stringify(join(ROOT, 'scripts/test-files.ts'))};
       const tier = { name: 'test', budgetMs: 1, totalMsMax: 2_000, fileMsMax: 1_500, concurrency: 1 };
       const files = [relative(${JSON.stringify(ROOT)}, ${JSON.stringify(hangs)})];
       const { ok, complaints } = await runFiles(files, { tier, namePatterns: [], stop: new AbortController().signal });
       console.log(complaints.join());
       process.exitCode = ok ? 0 : 7;`,
    );
    const running = startRun([script]);
    assert.equal(await running.ended, 7, running.output());
    assert.match(running.output(), /not finished: .*hangs\.test\.ts took more than 2 s/);
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`stops its servers after ${signal}`, async () => {
      // The file says where its server listens, and then never ends by itself.
      const body = `test('waits', async () => {
        console.log('listening ' + new URL(process.env.LEASEHOLD_TEST_POSTGRES_18).port);
        await new Promise((resolve) => setTimeout(resolve, 50_000));
      });`;
      const running = startRun([join(ROOT, 'scripts/run-tests.ts'), 'test', testFile(`waits-${signal}`, body)]);
      const port = await portSaid(running);
      assert.equal(await listens(port), true);
      running.child.kill(signal);
      const code = await running.ended;
      assert.notEqual(code, 0);
      for (let tries = 0; tries < 100 && (await listens(port)); tries += 1) await sleep(50);
      assert.equal(await listens(port), false, 'the server still listens');
      if (signal !== 'SIGKILL') assert.deepEqual(remains(running), []);
    });
  }
});

describe('tiers', () => {
  it('a file belongs to the tier that its folder names, and to the first one otherwise', () => {
    assert.equal(tierOf('packages/leasehold/test/ci/package.test.ts'), 'ci');
    assert.equal(tierOf('packages/leasehold/test/long/soak/a.test.ts'), 'long');
    assert.equal(tierOf('packages/leasehold/test/cli/ci.test.ts'), 'test');
    assert.equal(tierOf('packages/leasehold/test/domain/ci/a.test.ts'), 'test');
  });

  it('controls of the second tier run two at once, the longest first, and then what measures, one by one', () => {
    const named = (name: string): string => `packages/leasehold/test/ci/${name}.test.ts`;
    const files = ['alert-controls', 'command-line-guards', 'outages', 'new', 'sqlite-controls'].map(named);
    const phases = phasesOf(TIERS.ci, files).map((phase) => ({ ...phase }));
    assert.deepEqual(phases, [
      { files: ['command-line-guards', 'alert-controls', 'sqlite-controls'].map(named), concurrency: 2 },
      { files: ['outages', 'new'].map(named), concurrency: 1 },
    ]);
    const first = ['packages/leasehold/test/ci-controls.test.ts', 'packages/leasehold/test/outages.test.ts'];
    assert.deepEqual(phasesOf(TIERS.test, first), [{ files: first, concurrency: 3 }]);
    assert.deepEqual(phasesOf(TIERS.test, []), []);
  });
});

async function portSaid(running: Running): Promise<number> {
  for (let tries = 0; tries < 600; tries += 1) {
    const said = /listening (\d+)/.exec(running.output());
    if (said !== null) return Number(said[1]);
    if (running.child.exitCode !== null) break;
    await sleep(50);
  }
  throw new Error(`the run did not get to its test:\n${running.output()}`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
}
