/** The one folder in which tests and their servers may leave temporary files. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  readonly folder: string;
  /** Names of what tests made and did not delete. */
  leftBehind(): string[];
  /** Deletes the folder, as the end of this process does. */
  [Symbol.dispose](): void;
}

/** Not the tests' doing: servers delete their own, Node.js keeps compiled code, and the two that are made here. */
const EXPECTED = /^(postgres-.*|node-compile-cache|state|config)$/;

/**
 * Makes the folder and sends this process and its children there: `TMPDIR`, and the user's state and
 * configuration folders, so that no test meets or touches a real store; also the folder for what Node.js
 * has compiled, since reading the source takes each of the thousands of processes 0.3 s and more. Also takes
 * out of the environment what would choose a store for a test.
 */
export function makeScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-test-'));
  // PostgreSQL runs under an account of its own where the tests run as root.
  chmodSync(folder, 0o755);
  for (const name of ['state', 'config']) mkdirSync(join(folder, name));
  process.env['TMPDIR'] = folder;
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'node-compile-cache');
  process.env['XDG_STATE_HOME'] = join(folder, 'state');
  process.env['XDG_CONFIG_HOME'] = join(folder, 'config');
  for (const name of Object.keys(process.env)) {
    if (/^(LEASEHOLD_|PG[A-Z]+$|NODE_TEST_CONTEXT$|NODE_OPTIONS$)/.test(name)) delete process.env[name];
  }
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  process.once('exit', remove);
  return {
    folder,
    leftBehind: () => readdirSync(folder).filter((name) => !EXPECTED.test(name)),
    [Symbol.dispose]: remove,
  };
}
