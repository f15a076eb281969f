/**
 * Who may import whom (design: surfaces → engine → ports, domain; adapters → ports, domain; domain →
 * errors), and which package is loaded where. Type imports count: an arrow is a dependency of thought too.
 */
import { posix } from 'node:path';
import { importsOf } from './source-text.ts';
import { type Finding, type Tree, typeScriptIn } from './tree.ts';

const SOURCE = 'packages/leasehold/src/';

/** The files that put the parts together; they may import anything. */
const COMPOSITION = new Set(['open-leasehold.ts', 'cli/main.ts', 'server/main.ts']);
/** What the package exports; nothing inside imports them. */
const ENTRIES = new Set(['index.ts', 'testing/index.ts']);

/** Allowed targets of each folder of `src`, besides itself. */
const ARROWS: Record<string, readonly string[]> = {
  domain: ['errors.ts'],
  ports: ['domain', 'errors.ts'],
  engine: ['ports', 'domain', 'errors.ts'],
  platform: ['ports', 'domain', 'errors.ts'],
  stores: ['ports', 'domain', 'errors.ts'],
  schedules: ['ports', 'domain', 'errors.ts'],
  verifiers: ['ports', 'domain', 'errors.ts'],
  probes: ['ports', 'domain', 'errors.ts'],
  sources: ['ports', 'domain', 'errors.ts'],
  alerts: ['ports', 'domain', 'errors.ts'],
  audit: ['domain', 'errors.ts'],
  // Texts of SQL for tables that are not ours, with the templates beside the code that fills them in.
  'sql-steps': ['domain', 'errors.ts'],
  cli: ['audit', 'sql-steps', 'engine', 'ports', 'domain', 'errors.ts'],
  server: ['dashboard', 'engine', 'ports', 'domain', 'errors.ts'],
  dashboard: ['engine', 'ports', 'domain', 'errors.ts'],
  testing: ['engine', 'ports', 'domain', 'errors.ts'],
  'errors.ts': [],
  'index.ts': ['open-leasehold.ts', 'engine', 'ports', 'domain', 'errors.ts'],
};

/** Folders whose subfolders are adapters that must not know one another. */
const SEPARATE = new Set(['stores', 'verifiers', 'probes', 'sources', 'alerts']);

/** Packages and Node.js modules that only some folders or files may name. */
const OUTSIDE: Record<string, readonly string[]> = {
  // The auditor reads other people's databases and files, each kind in one place.
  'node:sqlite': ['stores/sqlite/driver.ts', 'audit/readers/n8n-database/'],
  pg: ['stores/postgres/driver.ts', 'audit/readers/n8n-database/'],
  commander: ['cli/'],
  croner: ['schedules/croner.ts', 'audit/schedule/'],
  'csv-parse': ['audit/readers/'],
  yauzl: ['audit/readers/'],
  'temporal-polyfill': ['audit/'],
  hono: ['audit/report/html/'],
  'node:test': ['testing/'],
  'node:process': ['platform/'],
  'node:perf_hooks': ['platform/'],
  'node:timers': ['platform/'],
  'node:timers/promises': ['platform/'],
};
const PURE = /^(domain|ports)\//;

export function arrowFindings(tree: Tree): Finding[] {
  const findings: Finding[] = [];
  for (const [path, text] of typeScriptIn(tree, SOURCE)) {
    const file = path.slice(SOURCE.length);
    for (const { specifier, line } of importsOf(text)) {
      const wrong = specifier.startsWith('.') ? wrongArrow(file, specifier) : wrongPackage(file, specifier);
      if (wrong !== null) findings.push(`${path}:${line}: ${wrong}`);
    }
  }
  return findings;
}

function wrongArrow(file: string, specifier: string): string | null {
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  const [from = '', to = ''] = [file, target].map((path) => path.split('/')[0]);
  if (target.startsWith('..')) return `imports ${specifier}, outside src`;
  if (ENTRIES.has(target)) return `imports ${target}, which is for users of the package; import the module itself`;
  if (COMPOSITION.has(file)) return null;
  if (from === to) return wrongNeighbour(file, target);
  const allowed = ARROWS[from];
  if (allowed === undefined) return `"${from}" has no place in the arrows; add it to arrows.ts with its reason`;
  return allowed.includes(to) ? null : `${from} may not import ${to} (${target})`;
}

function wrongNeighbour(file: string, target: string): string | null {
  const [folder = '', from = '', ...deeper] = file.split('/');
  const [, to = '', ...deeperTarget] = target.split('/');
  if (!SEPARATE.has(folder) || from === to || deeperTarget.length === 0) return null;
  return deeper.length === 0
    ? `${folder}/${from} is shared and may not import ${target}`
    : `${folder}/${from} may not import ${target}`;
}

function wrongPackage(file: string, specifier: string): string | null {
  const name = /^(?:node:[\w/]+|@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[0] ?? specifier;
  if (PURE.test(file)) return `imports ${specifier}: domain and ports are pure`;
  const places = OUTSIDE[name];
  if (places?.some((place) => file === place || (place.endsWith('/') && file.startsWith(place)))) return null;
  if (places !== undefined) return `imports ${specifier}, which belongs to ${places.join(' or ')}`;
  return name.startsWith('node:') ? null : `imports the package ${specifier}, which no rule in arrows.ts allows`;
}
