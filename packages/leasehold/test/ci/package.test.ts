/**
 * The package as a user gets it: packed by npm, installed into an empty folder, used from there.
 * Needs the npm registry (or its cache) for commander and for older Node.js versions.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { unsupportedNodeMessage } from '../../src/domain/node-version.ts';
import { installScript } from '../../src/stores/postgres/install-script.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const STEP_MS_MAX = 5 * 60_000;
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];

const folder = mkdtempSync(join(tmpdir(), 'package-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A user's environment: this Node.js first, a home of its own, nothing that "npm run" told its children. */
function userEnvironment(name: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([key]) => !/^(npm_(lifecycle|package|execpath|command|config_local|config_prefix)|NODE_|INIT_CWD|XDG_)/.test(key),
  );
  const state = join(folder, `state-${name}`);
  return {
    ...Object.fromEntries(own),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: state,
  };
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = userEnvironment('shared'),
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      { cwd, env, timeout: STEP_MS_MAX, encoding: 'utf8' },
      (error, stdout, stderr) => {
        const code = child.exitCode;
        if (code === null) reject(new Error(`${command} did not end by itself`, { cause: error }));
        else resolve({ code, stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}

async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, cwd);
  assert.equal(code, 0, `${command} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

function emptyFolder(name: string, manifest: Record<string, unknown>): string {
  const made = join(folder, name);
  mkdirSync(made);
  writeFileSync(join(made, 'package.json'), JSON.stringify({ private: true, ...manifest }));
  return made;
}

describe('the packed package', () => {
  let project = '';
  let packedFiles: string[] = [];
  const installed = (...path: string[]): string => join(project, 'node_modules', 'leasehold', ...path);
  const leasehold = (): string => join(project, 'node_modules', '.bin', 'leasehold');

  before(async () => {
    const packed = await succeed('npm', ['pack', '-w', 'leasehold', '--pack-destination', folder, '--json'], ROOT);
    const report = JSON.parse(packed.slice(packed.search(/^[[{]/m))) as PackReport[] | Record<string, PackReport>;
    const [entry] = Object.values<PackReport>(report);
    assert.ok(entry !== undefined, packed);
    packedFiles = entry.files.map((file) => file.path);
    project = emptyFolder('project', { type: 'module' });
    await succeed('npm', ['install', ...QUIET, join(folder, entry.filename)], project);
  });

  it('holds what it should and nothing else', () => {
    for (const file of [
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'leasehold.sql',
      'schemas/audit-report.schema.json',
      'bin/leasehold.js',
      'bin/compiled-code.js',
      'dist/index.d.ts',
    ]) {
      assert.ok(packedFiles.includes(file), `${file} is missing from: ${packedFiles.join(' ')}`);
    }
    const expected =
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|leasehold\.sql|schemas\/.+\.json|bin\/(?:leasehold|compiled-code)\.js|dist\/.+\.(js|d\.ts|sql))$/;
    assert.deepEqual(
      packedFiles.filter((file) => !expected.test(file)),
      [],
    );
  });

  it('brings the PostgreSQL schema as one file, the same that migrate installs', () => {
    assert.equal(readFileSync(installed('leasehold.sql'), 'utf8'), installScript());
  });

  it('answers --version', async () => {
    const { version } = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as { version: string };
    assert.equal((await succeed(leasehold(), ['--version'], project)).trim(), version);
  });

  it('guards a command, with the exit code of the command', async () => {
    const env = userEnvironment('guard');
    const guarded = await run(leasehold(), ['run', 'x', '--', 'sh', '-c', 'echo out; exit 3'], project, env);
    assert.equal(guarded.code, 3, guarded.stderr);
    assert.equal(guarded.stdout, 'out\n');
    const runs = await run(leasehold(), ['runs', 'x', '--json'], project, env);
    assert.match(runs.stdout, /"outcome":"acquired"/);
    assert.match(runs.stdout, /"status":"failure"/);
  });

  it('gives a TypeScript user its types, and only the right ones', async () => {
    await succeed('npm', ['install', ...QUIET, `@types/node@${rootVersionOf('@types/node')}`], project);
    writeFileSync(
      join(project, 'user.ts'),
      [
        "import { type AcquireAnswer, isLeaseholdError, type Leasehold, openLeasehold } from 'leasehold';",
        "import { FakeClock } from 'leasehold/testing';",
        "const leasehold: Leasehold = await openLeasehold('sqlite::memory:');",
        "const answer: Promise<unknown> = leasehold.lock('x').run({ leaseMs: 60_000 }, async ({ signal }) => signal.aborted);",
        'export type Outcome = AcquireAnswer["outcome"];',
        'export { answer, FakeClock, isLeaseholdError };',
        '// @ts-expect-error a lease is a number of milliseconds',
        "void leasehold.lock('x').run({ leaseMs: '60s' }, async () => 1);",
      ].join('\n'),
    );
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
    await succeed(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'user.ts'], project);
  });

  it('loads nothing but its own modules when imported, and only one driver when a store is opened', async () => {
    const light = await loadedBy("await import('leasehold')", project);
    assert.deepEqual(light.packages, ['leasehold']);
    assert.equal(light.hasSqlite, false);
    // Negative controls: the probe sees a driver and a package where one is loaded.
    const opened = await loadedBy("await (await import('leasehold')).openLeasehold('sqlite::memory:')", project);
    assert.deepEqual([opened.packages, opened.hasSqlite], [['leasehold'], true]);
    const commander = await loadedBy("await import('commander')", project);
    assert.deepEqual(commander.packages, ['commander']);
  });

  it('asks for pg where it is missing', async () => {
    const { code, stderr } = await run(leasehold(), ['status', '--store', 'postgres://127.0.0.1:1/none'], project);
    assert.equal(code, 78, stderr);
    assert.match(
      stderr,
      /A PostgreSQL store needs the package "pg", which is not installed; add it beside leasehold: npm install pg/,
    );
  });

  for (const line of ['20', '22']) {
    it(`refuses Node.js ${line} in one line, as a command and as a library`, async () => {
      const home = emptyFolder(`node-${line}`, { allowScripts: { node: true } });
      await succeed('npm', ['install', ...QUIET, `node@${line}`], home);
      const old = join(home, 'node_modules/node/bin/node');
      const version = (await succeed(old, ['--version'], home)).trim();
      assert.match(version, new RegExp(`^v${line}\\.`));

      const command = await run(
        old,
        [installed('bin/leasehold.js'), 'run', 'x', '--', 'touch', join(home, 'started')],
        project,
      );
      assert.deepEqual(command, { code: 78, stdout: '', stderr: `${unsupportedNodeMessage(version.slice(1))}\n` });
      assert.equal((await run('test', ['-e', join(home, 'started')], home)).code, 1, 'the command was started');

      const script =
        "import('leasehold').then((m) => m.openLeasehold('sqlite::memory:')).catch((e) => console.log(e.code, e.message))";
      const library = await run(old, ['--input-type=module', '--eval', script], project);
      assert.equal(library.stdout.split(' ')[0], 'NODE_TOO_OLD', `${library.stdout}\n${library.stderr}`);

      const scripts = await run(old, [join(ROOT, 'scripts/require-node.mjs')], ROOT);
      assert.equal(scripts.code, 78);
      assert.match(scripts.stderr, /^Leasehold's scripts need Node\.js 24\.15 or newer .*\n$/);
    });
  }
});

interface PackReport {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function rootVersionOf(name: string): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  return manifest.devDependencies[name] ?? 'latest';
}

/** Which packages a piece of code loads, and whether it loads SQLite, by watching every module that is resolved. */
async function loadedBy(code: string, project: string): Promise<{ packages: string[]; hasSqlite: boolean }> {
  const script = join(project, 'probe.mjs');
  writeFileSync(
    script,
    `import { registerHooks } from 'node:module';
     const urls = [];
     registerHooks({
       resolve(specifier, context, next) {
         const result = next(specifier, context);
         urls.push(result.url);
         return result;
       },
     });
     ${code};
     const names = urls.map((url) => /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]).filter((name) => name);
     console.log(JSON.stringify({ packages: [...new Set(names)].sort(), hasSqlite: urls.includes('node:sqlite') }));
     process.exit(0);`,
  );
  return JSON.parse(await succeed(process.execPath, [script], project)) as { packages: string[]; hasSqlite: boolean };
}
