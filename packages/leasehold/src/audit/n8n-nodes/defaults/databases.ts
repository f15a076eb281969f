import type { NodeDefaults } from './default.ts';

/**
 * Databases and key-value stores: what n8n takes where a workflow leaves resource or operation out. Facts read off the
 * node descriptions of n8n-nodes-base 2.41.2.
 */
export const DATABASES: NodeDefaults = {
  postgres: [
    { from: 2, resource: 'database', operation: 'insert' },
    { from: 1, operation: 'insert' },
  ],
  mySql: [
    { from: 2, resource: 'database', operation: 'insert' },
    { from: 1, operation: 'insert' },
  ],
  microsoftSql: [{ from: 1, operation: 'insert' }],
  mongoDb: [{ from: 1, resource: 'document', operation: { document: 'find', searchIndexes: 'createSearchIndex' } }],
  redis: [{ from: 1, operation: 'info' }],
  supabase: [{ from: 1, resource: 'row', operation: 'create' }],
  dataTable: [{ from: 1, resource: 'row', operation: { row: 'insert', table: 'list' } }],
  snowflake: [{ from: 1, operation: 'insert' }],
  googleBigQuery: [
    { from: 2, resource: 'database', operation: 'executeQuery' },
    { from: 1, resource: 'record', operation: 'create' },
  ],
  elasticsearch: [{ from: 1, resource: 'document', operation: { document: 'get', index: 'create' } }],
  awsDynamoDb: [{ from: 1, resource: 'item', operation: 'upsert' }],
  googleFirebaseCloudFirestore: [
    { from: 1, resource: 'document', operation: { document: 'get', collection: 'getAll' } },
  ],
  questDb: [{ from: 1, operation: 'insert' }],
  crateDb: [{ from: 1, operation: 'insert' }],
  timescaleDb: [{ from: 1, operation: 'insert' }],
};
