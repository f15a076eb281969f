/**
 * The claim rows of design §10: `npm run bench -- claims [ROW…]`, of `queues`, `bare`, `flat`, `sqlite`; all unless named.
 *
 * What is compared, and how each contestant is driven, is in `claims/`. On the newest PostgreSQL; `--postgres 15` takes the oldest.
 */
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { adminUrl, POSTGRES_VERSIONS } from '../test/postgres.ts';
import { flatRow } from './claims/flat.ts';
import { bareRow, queueRow } from './claims/rates.ts';
import { sqliteRow } from './claims/sqlite.ts';
import { type Measure, report } from './measure.ts';

const ROWS = { 1: 1_000, 10: 5_000, 50: 10_000 };
const SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'wal_level', 'max_connections'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: 'string', default: String(POSTGRES_VERSIONS.at(-1)) } },
});
const version = POSTGRES_VERSIONS.find((known) => String(known) === values.postgres);
if (version === undefined) throw new Error(`--postgres is one of ${POSTGRES_VERSIONS.join(', ')}`);

const ROW_GROUPS: Readonly<Record<string, () => AsyncIterable<Measure>>> = {
  async *queues() {
    yield await queueRow(version, 1, ROWS[1]);
    yield await queueRow(version, 10, ROWS[10]);
    yield await queueRow(version, 50, ROWS[50]);
  },
  async *bare() {
    yield await bareRow(version, ROWS[1]);
  },
  async *flat() {
    yield await flatRow(version);
  },
  async *sqlite() {
    yield await sqliteRow();
  },
};

/** A machine that others use as well favours whoever has more processes: see notes.md. */
const load = (): string => (loadavg()[0] ?? 0).toFixed(1);
const loadBefore = load();
const wanted = positionals.length === 0 ? Object.keys(ROW_GROUPS) : positionals;
const rows: Measure[] = [];
for (const name of wanted) {
  const group = ROW_GROUPS[name];
  if (group === undefined) throw new Error(`no rows "${name}"; there are ${Object.keys(ROW_GROUPS).join(', ')}`);
  for await (const row of group()) {
    console.log(`${row.isReached ? 'reached' : 'NOT REACHED'}  ${row.measure}: ${row.got}`);
    rows.push(row);
  }
}
// Some of the rows alone are not the result.
report(positionals.length === 0 ? 'claims' : null, rows, {
  Node: process.versions.node,
  PostgreSQL: await setting('server_version'),
  SQLite: process.versions['sqlite'] ?? 'unknown',
  pg: versionOf('pg'),
  'pg-boss': versionOf('pg-boss'),
  'graphile-worker': versionOf('graphile-worker'),
  'load average before and after': `${loadBefore}, ${load()}`,
  ...Object.fromEntries(await Promise.all(SETTINGS.map(async (name) => [name, await setting(name)] as const))),
});
process.exitCode = rows.every((row) => row.isReached) ? 0 : 1;

async function setting(name: string): Promise<string> {
  if (version === undefined) return 'unknown';
  const client = new pg.Client({ connectionString: adminUrl(version) });
  await client.connect();
  const { rows: answers } = await client.query<{ value: string }>('select current_setting($1) as value', [name]);
  await client.end();
  return answers[0]?.value ?? 'unknown';
}

/** As installed, which is what the lockfile says. */
function versionOf(name: string): string {
  const path = createRequire(import.meta.url).resolve(name);
  const root = path.slice(0, path.lastIndexOf(`node_modules/${name}/`) + `node_modules/${name}/`.length);
  return (createRequire(import.meta.url)(`${root}package.json`) as { version: string }).version;
}
