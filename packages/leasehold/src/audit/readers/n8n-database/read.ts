import type { AuditSink } from '../../model/sink.ts';
import { sentence, tellLost } from '../live/sentence.ts';
import type { LiveSettings } from '../live/settings.ts';
import type { N8nDatabase } from './database.ts';
import { failureText } from './failure.ts';
import { tellLimits } from './history-limits.ts';
import { type DatabaseRequest, readRuns } from './runs.ts';
import { findTables, type N8nTables, tableName } from './tables.ts';
import { readWorkflows } from './workflows.ts';
import { grouped } from '../../words.ts';

/** Reads each n8n of an opened database into the sink, and closes it. Never rejects. */
export async function readN8nDatabase(
  database: N8nDatabase,
  name: string,
  sink: AuditSink,
  settings: LiveSettings,
): Promise<void> {
  try {
    const found = findTables(await database.columns());
    if (found.length === 0) {
      sink.unread(
        name,
        'It holds no tables of n8n (execution_entity, workflow_entity); is it the database of another program?',
      );
    }
    for (const tables of found) {
      const source = found.length === 1 ? name : `${name} (${tableName(tables, 'execution_entity')})`;
      await readInstance({ database, tables, source, sink, settings });
    }
  } catch (error) {
    sink.unread(name, sentence(`It can't be read: ${failureText(error)}`));
  } finally {
    await database.close();
  }
}

async function readInstance(request: DatabaseRequest): Promise<void> {
  const { database, tables, source, sink } = request;
  const names = new Map<string, string>();
  if (isReadable(request, 'workflow_entity', 'None of its workflows')) {
    try {
      await database.atOnce(() => readWorkflows(request, names));
    } catch (error) {
      const some = names.size > 0 ? `Only ${grouped(names.size)}` : 'None';
      tellLost(sink, source, sentence(`${some} of its workflows could be read: ${failureText(error)}`));
    }
  }
  const found = { count: 0, oldestMs: null };
  if (!isReadable(request, 'execution_entity', 'None of its runs')) return;
  try {
    await database.atOnce(() => readRuns(request, names, found));
  } catch (error) {
    const some = found.count > 0 ? `Only ${grouped(found.count)}` : 'None';
    tellLost(sink, source, sentence(`${some} of its runs could be read: ${failureText(error)}`));
    return;
  }
  await tellLimits({ ...request, tables }, found);
}

function isReadable(
  { tables, source, sink }: DatabaseRequest,
  table: 'workflow_entity' | 'execution_entity',
  what: string,
): boolean {
  if (tables.columns.has(table)) return true;
  tellLost(sink, source, `${what} could be read: ${lackText(tables, table)}.`);
  return false;
}

function lackText(tables: N8nTables, table: 'workflow_entity' | 'execution_entity'): string {
  const named = tableName(tables, table);
  return tables.forbidden.includes(table)
    ? `this role may not read the table ${named}; as its owner: grant select on ${named} to ROLE`
    : `there is no table ${named}`;
}
