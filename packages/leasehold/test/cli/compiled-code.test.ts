/** What Node.js compiled of the command is kept for its next start, and only where nobody else may write. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../bin/leasehold.js', import.meta.url));

describe('compiled code', () => {
  it('is kept in the caches of the user, where nobody else may look', () => {
    using home = mkdtempDisposableSync(join(tmpdir(), 'home-'));
    assert.match(start({ HOME: home.path }), /^\d+\.\d+\.\d+/);
    const kept = join(home.path, '.cache/leasehold');
    assert.equal(statSync(kept).mode & 0o077, 0);
    assert.ok(countFiles(kept) > 20);
    assert.match(start({ HOME: home.path }), /^\d+\.\d+\.\d+/);
  });

  it('goes where XDG_CACHE_HOME says', () => {
    using home = mkdtempDisposableSync(join(tmpdir(), 'home-'));
    start({ HOME: home.path, XDG_CACHE_HOME: join(home.path, 'caches') });
    assert.ok(countFiles(join(home.path, 'caches/leasehold')) > 20);
    assert.equal(existsSync(join(home.path, '.cache')), false);
  });

  it('is neither read nor kept where others may write', () => {
    for (const open of ['.cache', '.cache/leasehold']) {
      using home = mkdtempDisposableSync(join(tmpdir(), 'home-'));
      mkdirSync(join(home.path, '.cache/leasehold'), { recursive: true });
      chmodSync(join(home.path, open), 0o777);
      assert.match(start({ HOME: home.path }), /^\d+\.\d+\.\d+/);
      assert.equal(countFiles(join(home.path, '.cache/leasehold')), 0, open);
    }
  });

  const isRoot = process.geteuid?.() === 0;
  it('is neither read nor kept in the home of another user', { skip: !isRoot && 'only root gives files away' }, () => {
    using home = mkdtempDisposableSync(join(tmpdir(), 'home-'));
    mkdirSync(join(home.path, '.cache/leasehold'), { recursive: true });
    for (const path of ['.cache', '.cache/leasehold']) chownSync(join(home.path, path), 1_234, 1_234);
    assert.match(start({ HOME: home.path }), /^\d+\.\d+\.\d+/);
    assert.equal(countFiles(join(home.path, '.cache/leasehold')), 0);
  });

  it('costs nothing but time where there is no home', () => {
    for (const home of ['', 'relative', '/dev/null/home']) assert.match(start({ HOME: home }), /^\d+\.\d+\.\d+/);
  });
});

/** What `leasehold --version` prints, with this environment and no more. */
function start(env: Record<string, string>): string {
  return execFileSync(process.execPath, [COMMAND, '--version'], { env, encoding: 'utf8' });
}

function countFiles(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}
