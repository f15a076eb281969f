/** Names of files and folders: kebab-case, nothing that can hold anything, the same in both stores. */
import type { Finding, Tree } from './tree.ts';

const CATCH_ALL = /^(utils?|helpers?|common|managers?|misc|shared|types|interfaces|constants|lib)$/;
const OURS = /^(packages|integrations|examples|spec|scripts)\//;
const CASED = /\.(ts|mjs|js|sql|sh)$/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export function nameFindings(tree: Tree): Finding[] {
  const findings: Finding[] = [];
  for (const path of tree.keys()) {
    if (!OURS.test(path)) continue;
    const parts = path.split('/').map((part) => part.replace(/\..*$/, ''));
    const catchAll = parts.find((part) => CATCH_ALL.test(part));
    if (catchAll !== undefined) findings.push(`${path}: "${catchAll}" can hold anything; name what is in it`);
    if (CASED.test(path) && !KEBAB.test(parts.at(-1) ?? '')) findings.push(`${path}: the file name is not kebab-case`);
  }
  return findings;
}

const STORES = 'packages/leasehold/src/stores/';

/** Files that one store has and the other has no use for, each with its reason. */
export type LoneFiles = Readonly<Record<string, string>>;

/**
 * Both stores have the same TypeScript files, so that whoever knows one finds the way in the other.
 * `lone` names the exceptions, as `sqlite/…` or `postgres/…`; one that has become needless is a finding too.
 */
export function storeFindings(tree: Tree, lone: LoneFiles): Finding[] {
  const filesOf = (store: string): string[] =>
    [...tree.keys()]
      .filter((path) => path.startsWith(`${STORES}${store}/`) && path.endsWith('.ts'))
      .map((path) => path.slice(`${STORES}${store}/`.length));
  const [sqlite, postgres] = [filesOf('sqlite'), filesOf('postgres')];
  const unmatched = [
    ...sqlite.filter((file) => !postgres.includes(file)).map((file) => `sqlite/${file}`),
    ...postgres.filter((file) => !sqlite.includes(file)).map((file) => `postgres/${file}`),
  ];
  return [
    ...unmatched
      .filter((file) => !Object.hasOwn(lone, file))
      .map((file) => `${STORES}${file}: the other store has no such file`),
    ...Object.keys(lone)
      .filter((file) => !unmatched.includes(file))
      .map((file) => `${STORES}${file}: needs no exception any more`),
  ];
}
