import type { FoundColumn } from './database.ts';

/** Tables of n8n that are read, without the prefix that DB_TABLE_PREFIX gives them. */
export const N8N_TABLES = [
  'execution_entity',
  'workflow_entity',
  'workflow_history',
  'workflow_publish_history',
  'workflow_statistics',
] as const;
export type N8nTable = (typeof N8N_TABLES)[number];

/** One n8n in the database: several may share it, by schema or by prefix. */
export interface N8nTables {
  readonly schema: string | null;
  readonly prefix: string;
  /** The columns that are there and may be read, by table; a table without any is not here. */
  readonly columns: ReadonlyMap<N8nTable, ReadonlySet<string>>;
  /** Tables that are there, of which not even the id may be read. */
  readonly forbidden: readonly N8nTable[];
}

/** More than one n8n in a database is rare, this many are none. */
const INSTANCES_MAX = 5;

/** Finds each n8n whose runs or workflows are there; those that have both count before any that has one of them. */
export function findTables(found: readonly FoundColumn[]): N8nTables[] {
  const bases = new Map<string, { schema: string | null; prefix: string; tables: Set<N8nTable> }>();
  for (const { schema, table } of found) {
    for (const name of ['execution_entity', 'workflow_entity'] as const) {
      if (!table.endsWith(name)) continue;
      const prefix = table.slice(0, -name.length);
      const key = JSON.stringify([schema, prefix]);
      const base = bases.get(key) ?? { schema, prefix, tables: new Set() };
      base.tables.add(name);
      bases.set(key, base);
    }
  }
  const whole = [...bases.values()].filter(({ tables }) => tables.size === 2);
  const chosen = (whole.length > 0 ? whole : [...bases.values()]).slice(0, INSTANCES_MAX);
  return chosen.map(({ schema, prefix }) => ({ schema, prefix, ...columnsOf(found, schema, prefix) }));
}

function columnsOf(
  found: readonly FoundColumn[],
  schema: string | null,
  prefix: string,
): Pick<N8nTables, 'columns' | 'forbidden'> {
  const columns = new Map<N8nTable, Set<string>>();
  const forbidden: N8nTable[] = [];
  for (const name of N8N_TABLES) {
    const all = found.filter((each) => each.schema === schema && each.table === prefix + name);
    const readable = all.filter(({ isReadable }) => isReadable).map(({ column }) => column);
    // What is read is found and paged by its id.
    const hasId = readable.includes(name === 'workflow_history' ? 'versionId' : 'id') || name === 'workflow_statistics';
    if (readable.length > 0 && hasId) columns.set(name, new Set(readable));
    else if (all.length > 0) forbidden.push(name);
  }
  return { columns, forbidden };
}

/** `public.n8n_execution_entity`, for a person who is to grant something. */
export function tableName({ schema, prefix }: Pick<N8nTables, 'schema' | 'prefix'>, table: N8nTable): string {
  return schema === null ? prefix + table : `${schema}.${prefix}${table}`;
}
