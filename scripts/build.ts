/**
 * `npm run build`: the package as it is published. Compiles `src` to `dist`, lays the SQL files beside
 * the code that reads them, and writes `leasehold.sql`, the PostgreSQL schema as one pasteable file.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installScript } from '../packages/leasehold/src/stores/postgres/install-script.ts';
import { ROOT } from './check.ts';

const PACKAGE = join(ROOT, 'packages/leasehold');
const BUILD_MS_MAX = 120_000;

// A file deleted from `src` must not live on in `dist`.
rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true });
const compiled = spawnSync('tsc', ['-b', join(PACKAGE, 'tsconfig.build.json')], {
  cwd: ROOT,
  stdio: 'inherit',
  timeout: BUILD_MS_MAX,
  shell: process.platform === 'win32',
});
if (compiled.status !== 0) {
  console.error(compiled.error?.message ?? 'tsc -b failed');
  process.exit(1);
}

for (const file of globSync('**/*.sql', { cwd: join(PACKAGE, 'src') })) {
  mkdirSync(dirname(join(PACKAGE, 'dist', file)), { recursive: true });
  copyFileSync(join(PACKAGE, 'src', file), join(PACKAGE, 'dist', file));
}
writeFileSync(join(PACKAGE, 'leasehold.sql'), installScript());
