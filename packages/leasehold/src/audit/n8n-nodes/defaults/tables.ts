import type { NodeDefaults } from './default.ts';

const SEA_TABLE: Readonly<Record<string, string>> = { row: 'create', base: 'snapshot', link: 'add', asset: 'upload' };

/**
 * Sheets, tables and content systems: what n8n takes where a workflow leaves resource or operation out. Facts read off the
 * node descriptions of n8n-nodes-base 2.41.2.
 */
export const TABLES: NodeDefaults = {
  googleSheets: [{ from: 1, resource: 'sheet', operation: { sheet: 'read', spreadsheet: 'create' } }],
  airtable: [
    { from: 2, resource: 'record', operation: { record: 'get', base: 'getMany' } },
    { from: 1, operation: 'read' },
  ],
  nocoDb: [
    { from: 4, resource: 'row', operation: { row: 'get', base: 'get', linkrow: 'list' } },
    { from: 1, resource: 'row', operation: 'get' },
  ],
  baserow: [{ from: 1, resource: 'row', operation: 'getAll' }],
  microsoftExcel: [
    { from: 2, resource: 'workbook', operation: { table: 'append', workbook: 'getAll', worksheet: 'getAll' } },
    { from: 1, resource: 'workbook', operation: { workbook: 'create', worksheet: 'create', table: 'addRow' } },
  ],
  notion: [
    {
      from: 3,
      resource: 'page',
      operation: {
        block: 'append',
        dataSource: 'get',
        database: 'get',
        databasePage: 'create',
        page: 'create',
        user: 'get',
      },
    },
    {
      from: 1,
      resource: 'page',
      operation: { block: 'append', database: 'get', databasePage: 'create', page: 'create', user: 'get' },
    },
  ],
  coda: [
    { from: 1, resource: 'table', operation: { table: 'createRow', formula: 'get', control: 'get', view: 'get' } },
  ],
  seaTable: [
    { from: 2, resource: 'row', operation: SEA_TABLE },
    { from: 1, resource: 'row', operation: 'create' },
  ],
  grist: [{ from: 1, operation: 'getAll' }],
  strapi: [{ from: 1, resource: 'entry', operation: 'get' }],
  webflow: [{ from: 1, resource: 'item', operation: 'get' }],
  contentful: [
    {
      from: 1,
      resource: 'entry',
      operation: { space: 'get', contentType: 'get', entry: 'get', asset: 'getAll', locale: 'getAll' },
    },
  ],
  ghost: [{ from: 1, resource: 'post', operation: 'get' }],
  wordpress: [{ from: 1, resource: 'post', operation: 'create' }],
};
