import { readFileSync } from 'node:fs';
import { LeaseholdError } from '../../../errors.ts';
import type { N8nDatabase } from './database.ts';
import { N8N_TABLES, type N8nTable, type N8nTables } from './tables.ts';

export type QueryName =
  | 'workflows'
  | 'published_workflows'
  | 'open_runs'
  | 'ended_runs'
  | 'deleted_runs'
  | 'kept_runs'
  | 'counted_runs'
  | 'publications';

const ALIASES: Readonly<Record<string, N8nTable>> = {
  e: 'execution_entity',
  w: 'workflow_entity',
  h: 'workflow_history',
  p: 'workflow_publish_history',
  s: 'workflow_statistics',
};

let blocks: ReadonlyMap<string, string> | null = null;

/** The query for these tables: columns that this n8n doesn't have, or that may not be read, become null. */
export function fillQuery(name: QueryName, dialect: N8nDatabase['dialect'], tables: N8nTables): string {
  blocks ??= readBlocks();
  const block = blocks.get(name);
  if (block === undefined) throw new LeaseholdError('INTERNAL', `n8n.sql has no query ${name}`);
  return block.replace(
    /\{(?:(\w)\.(\w+)( ms)?|(\w+))\}/g,
    (_all, alias?: string, column?: string, ms?: string, table?: string) => {
      if (alias === undefined || column === undefined) return quotedTable(tables, table as N8nTable);
      const aliased = ALIASES[alias];
      if (aliased === undefined || tables.columns.get(aliased)?.has(column) !== true) return 'null';
      const named = `${alias}.${quoted(column)}`;
      return ms !== undefined && dialect === 'postgres' ? `(extract(epoch from ${named}) * 1000)::float8` : named;
    },
  );
}

function quotedTable({ schema, prefix }: N8nTables, table: N8nTable): string {
  if (!N8N_TABLES.includes(table)) throw new LeaseholdError('INTERNAL', `n8n.sql names a table ${table}`);
  const named = quoted(prefix + table);
  return schema === null ? named : `${quoted(schema)}.${named}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function readBlocks(): Map<string, string> {
  const text = readFileSync(new URL('./n8n.sql', import.meta.url), 'utf8');
  const parts = text.split(/^-- name: /m).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [
        part.slice(0, end).trim(),
        part
          .slice(end + 1)
          .trim()
          .replace(/;$/, ''),
      ];
    }),
  );
}
