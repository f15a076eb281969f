// Brings what is missing before a script runs: `npm ci` where node_modules is absent or older than the
// lockfile. Runs on whatever Node.js the machine has (18 or newer) and needs no package.
//
// Why the caller goes on with `npm run …` and not in the same line of shell: the Node.js that the
// scripts need arrives here, as node_modules/.bin/node, and a shell that has already found `node`
// once keeps the old answer.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockfile = join(root, 'package-lock.json');
/** What npm writes last, and only after a complete installation. */
const receipt = join(root, 'node_modules', '.package-lock.json');

const missing = whatIsMissing();
if (missing !== null) {
  process.stderr.write(`${missing}: running npm ci (needs the npm registry, once) …\n`);
  const startedAt = Date.now();
  // `npm` is a script on Windows, which only a shell starts.
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
    timeout: 15 * 60_000,
  });
  if (npm.status !== 0) {
    const why = npm.error === undefined ? `exit ${npm.status ?? npm.signal}` : npm.error.message;
    process.stderr.write(`npm ci failed (${why}); its own words are above\n`);
    process.exit(1);
  }
  process.stderr.write(`npm ci took ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
}

/** One sentence, or null where everything is there. */
function whatIsMissing() {
  if (!existsSync(receipt)) return 'node_modules is missing';
  if (!existsSync(join(root, 'node_modules', '.bin', 'node'))) return 'Node 24 is missing from node_modules';
  if (statSync(receipt).mtimeMs >= statSync(lockfile).mtimeMs) return null;
  return sameVersions() ? null : 'node_modules is older than package-lock.json';
}

/** A checkout of another branch touches the lockfile without changing it; then nothing is to be done. */
function sameVersions() {
  const wanted = JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  const present = JSON.parse(readFileSync(receipt, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link || !path.startsWith('node_modules/')) return true;
    const installed = present[path];
    return installed === undefined ? entry.optional === true : installed.version === entry.version;
  });
}
