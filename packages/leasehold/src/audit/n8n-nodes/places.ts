import type { Fields } from '../readers/n8n-workflow/definition.ts';
import type { Place } from './facts.ts';
import { names } from './names.ts';
import { firstChosen } from './values.ts';

interface PlaceFields {
  /** Parameters that name the document; null where the credential does. */
  readonly base: readonly string[] | null;
  readonly table: readonly string[];
}

/** Where each system keeps its records, by the names of the node's parameters (n8n-nodes-base 2.41.2). */
const FIELDS: Readonly<Record<string, PlaceFields>> = {
  googleSheets: { base: ['documentId', 'sheetId'], table: ['sheetName', 'range'] },
  airtable: { base: ['base', 'application', 'baseId'], table: ['table', 'tableId'] },
  notion: { base: null, table: ['dataSourceId', 'databaseId'] },
  supabase: { base: null, table: ['tableId'] },
  dataTable: { base: [], table: ['dataTableId'] },
  mongoDb: { base: null, table: ['collection'] },
  baserow: { base: ['databaseId'], table: ['tableId'] },
  nocoDb: { base: ['projectId'], table: ['table'] },
  microsoftExcel: { base: ['workbook'], table: ['worksheet', 'table'] },
  postgres: { base: null, table: ['table', 'tableName'] },
  mySql: { base: null, table: ['table'] },
  microsoftSql: { base: null, table: ['table'] },
  snowflake: { base: null, table: ['table'] },
  crateDb: { base: null, table: ['table'] },
  questDb: { base: null, table: ['table'] },
  timescaleDb: { base: null, table: ['table'] },
  googleBigQuery: { base: ['projectId'], table: ['tableId'] },
  elasticsearch: { base: null, table: ['indexId'] },
  awsDynamoDb: { base: null, table: ['tableName'] },
  googleFirebaseCloudFirestore: { base: ['projectId'], table: ['collection'] },
  coda: { base: ['docId'], table: ['tableId'] },
  seaTable: { base: null, table: ['tableName'] },
  grist: { base: ['docId'], table: ['tableId'] },
  strapi: { base: null, table: ['contentType'] },
  redis: { base: null, table: ['key', 'list', 'keyPattern'] },
};

/** Systems without a base of their own: one a whole n8n. */
const ONE_BASE = 'n8n';

export function placeOf(type: string, parameters: Fields, credentials: string, resource: string | null): Place {
  const account = credentials === '' ? null : credentials;
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (fields === undefined) return { system: type, base: account, table: recordsOf(type, resource) };
  const base =
    fields.base === null ? account : fields.base.length === 0 ? ONE_BASE : firstChosen(parameters, fields.base);
  const table = firstChosen(parameters, fields.table, true);
  return { system: type, base, table: table === null ? null : tableName(type, table, parameters) };
}

/** Resources by which a node reaches records of another one; null where it may be any (n8n-nodes-base 2.41.2). */
const RECORDS: Readonly<Record<string, string | null>> = {
  'trello.list': 'card',
  'googleDrive.fileFolder': 'file',
  'dropbox.search': 'file',
  'gmail.thread': 'message',
  'gmail.messageLabel': 'message',
  'microsoftOutlook.folderMessage': 'message',
  'github.repository': 'issue',
  'github.user': 'issue',
  'gitlab.repository': 'issue',
  'gitlab.user': 'issue',
  'asana.subtask': 'task',
  'salesforce.search': null,
};

function recordsOf(type: string, resource: string | null): string | null {
  const key = `${type}.${resource}`;
  return Object.hasOwn(RECORDS, key) ? (RECORDS[key] ?? null) : resource;
}

function tableName(type: string, table: string, parameters: Fields): string {
  // Sheets of old versions are named by a range: `Leads!A:F`.
  if (type === 'googleSheets') return /^'?([^'!]+)'?!/.exec(table)?.[1] ?? table;
  if (!SQL_TYPES.has(type)) return table;
  const schema = firstChosen(parameters, ['schema']);
  return qualified(schema === null ? table : `${schema}.${table}`);
}

/** Systems whose nodes take a query, too: the form's table and the query's must compare. */
export const SQL_TYPES: ReadonlySet<string> = names(
  'postgres,mySql,microsoftSql,snowflake,crateDb,questDb,timescaleDb,googleBigQuery',
);

/** A table's name as SQL and forms both have it: lower case, no quotes, no default schema. */
export function qualified(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/["`[\]]/g, '')
    .replace(/^(?:public|dbo)\./, '');
}
