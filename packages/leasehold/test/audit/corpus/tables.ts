/** Sheets, tables and CRM: the same story in each, and marks that lie elsewhere. */
import type { Drawn } from '../n8n/build.ts';
import type { Sample } from './corpus.ts';
import { marked, markedFirst, node, UNMARKED_FINDS, unmarked } from './parts.ts';

const rl = (value: string): object => ({ __rl: true, value, mode: 'list' });

function sheet(operation: string | null, more: Record<string, unknown> = {}): Drawn {
  const place = { documentId: rl('doc1'), sheetName: rl('gid=0') };
  return node('googleSheets', 4.5, { ...place, ...(operation === null ? {} : { operation }), ...more });
}

function airtable(operation: string, more: Record<string, unknown> = {}): Drawn {
  return node('airtable', 2.1, { operation, base: rl('appOrders00001'), table: rl('tblOrders00001'), ...more });
}

const OTHER_SHEET = { sheetName: rl('gid=99') };
const OTHER_DOCUMENT = { documentId: rl('doc2') };

/** Read and mark of one service. */
type Service = readonly [name: string, read: Drawn, mark: Drawn];

/** In the words that most nodes have, `getAll` and `update`, of one resource, where they know several. */
const PLAIN: readonly (readonly [name: string, type: string, version: number, resource?: string])[] = [
  ['hubspot-deals', 'hubspot', 2.1, 'deal'],
  ['salesforce-leads', 'salesforce', 1, 'lead'],
  ['pipedrive-deals', 'pipedrive', 1, 'deal'],
  ['jira-issues', 'jira', 1],
  ['stripe-customers', 'stripe', 1, 'customer'],
  ['shopify-orders', 'shopify', 1],
  ['mailchimp-members', 'mailchimp', 1],
  ['zendesk-tickets', 'zendesk', 1],
  ['calendar-events', 'googleCalendar', 1.3],
];

function plain([name, type, version, resource]: (typeof PLAIN)[number]): Service {
  const of = resource === undefined ? {} : { resource };
  return [
    name,
    node(type, version, { ...of, operation: 'getAll', limit: 5 }),
    node(type, version, { ...of, operation: 'update' }),
  ];
}

/** In words of their own. */
const SERVICES: readonly Service[] = [
  [
    'hubspot-search',
    node('hubspot', 2.1, { operation: 'search', limit: 5 }),
    node('hubspot', 2.1, { operation: 'upsert', email: 'x' }),
  ],
  [
    'notion-database',
    node('notion', 2.2, { resource: 'databasePage', operation: 'getAll', databaseId: rl('db1'), limit: 5 }),
    node('notion', 2.2, { resource: 'databasePage', operation: 'update', pageId: rl('={{ $json.id }}') }),
  ],
  [
    'baserow-rows',
    node('baserow', 1, { databaseId: '1', tableId: '2', limit: 5 }),
    node('baserow', 1, { operation: 'update', databaseId: '1', tableId: '2' }),
  ],
  [
    'nocodb-rows',
    node('nocoDb', 3, { operation: 'getAll', projectId: 'p1', table: 't1', limit: 5 }),
    node('nocoDb', 3, { operation: 'update', projectId: 'p1', table: 't1' }),
  ],
  [
    'excel-rows',
    node('microsoftExcel', 2, {
      resource: 'worksheet',
      operation: 'readRows',
      workbook: rl('w1'),
      worksheet: rl('s1'),
    }),
    node('microsoftExcel', 2, { resource: 'worksheet', operation: 'update', workbook: rl('w1'), worksheet: rl('s1') }),
  ],
  [
    'trello-cards',
    node('trello', 1, { resource: 'list', operation: 'getCards', limit: 5 }),
    node('trello', 1, { resource: 'card', operation: 'update' }),
  ],
  [
    'mail-that-is-marked-as-read',
    node('gmail', 2.1, { operation: 'getAll', limit: 5 }),
    node('gmail', 2.1, { operation: 'markAsRead' }),
  ],
  [
    'mail-that-gets-a-label',
    node('gmail', 2.1, { operation: 'getAll', limit: 5 }),
    node('gmail', 2.1, { operation: 'addLabels' }),
  ],
  [
    'drive-files-that-are-moved',
    node('googleDrive', 3, { resource: 'fileFolder', limit: 5 }),
    node('googleDrive', 3, { operation: 'move' }),
  ],
  [
    'drive-files-of-a-folder',
    node('googleDrive', 2, { operation: 'list', limit: 5 }),
    node('googleDrive', 2, { operation: 'update' }),
  ],
  [
    'mail-threads-that-are-marked-as-read',
    node('gmail', 2.1, { resource: 'thread', limit: 5 }),
    node('gmail', 2.1, { operation: 'markAsRead' }),
  ],
  [
    'github-issues-of-a-repository',
    node('github', 1, { resource: 'repository', operation: 'getIssues', limit: 5 }),
    node('github', 1, { operation: 'edit' }),
  ],
  [
    'salesforce-by-query',
    node('salesforce', 1, { resource: 'search', operation: 'query', query: 'SELECT Id FROM Lead' }),
    node('salesforce', 1, { resource: 'lead', operation: 'update' }),
  ],
];

export const TABLES: readonly Sample[] = [
  marked('sheets-read-mail-update', [sheet(null), sheet('update')]),
  marked('sheets-of-version-2-by-range', [
    node('googleSheets', 2, { sheetId: 'doc1', range: 'Leads!A:F' }),
    node('googleSheets', 2, { operation: 'update', sheetId: 'doc1', range: 'Leads!A:F' }),
  ]),
  marked('sheets-append-or-update', [sheet('read'), sheet('appendOrUpdate')]),
  marked('sheets-mark-by-deleting-the-row', [sheet(null), sheet('delete')]),
  marked('sheets-mark-by-clearing', [sheet(null), sheet('clear')]),
  marked('airtable-search-mail-update', [airtable('search', { limit: 5, returnAll: false }), airtable('update')]),
  marked('airtable-mark-by-upsert', [airtable('search', { limit: 5, returnAll: false }), airtable('upsert')]),
  marked('airtable-of-version-1', [
    node('airtable', 1, { operation: 'list', application: 'app1', table: 'Orders', limit: 5, returnAll: false }),
    node('airtable', 1, { operation: 'update', application: 'app1', table: 'Orders' }),
  ]),
  marked('airtable-all-of-them', [airtable('search', { returnAll: true }), airtable('update')], {
    finds: [
      'window.effect-before-mark critical',
      'window.read-to-write warning',
      'guard.missing warning',
      'read.unbounded warning',
    ],
    may: [],
  }),
  ...[...PLAIN.map(plain), ...SERVICES].map(([name, read, mark]) => marked(name, [read, mark])),
  markedFirst('sheets-marked-before-the-mail', [sheet(null), sheet('update')]),
  markedFirst('airtable-marked-before-the-mail', [airtable('search', { limit: 5 }), airtable('update')]),
  unmarked('sheets-nothing-marks', [sheet(null)]),
  unmarked('sheets-a-log-in-another-sheet', [sheet(null), sheet('append', OTHER_SHEET)]),
  unmarked('sheets-a-log-in-another-document', [sheet(null), sheet('append', OTHER_DOCUMENT)]),
  unmarked('airtable-a-mark-in-another-table', [
    airtable('search', { limit: 5 }),
    airtable('update', { table: rl('tblOther0000001') }),
  ]),
  unmarked('airtable-rows-noted-in-a-sheet', [airtable('search', { limit: 5 }), sheet('append')]),
  unmarked('hubspot-lately-changed', [node('hubspot', 2.1, { operation: 'getRecentlyCreatedUpdated', limit: 5 })], {
    finds: [...UNMARKED_FINDS, 'window.high-water-mark warning'],
  }),
  unmarked('a-record-that-is-known-already', [airtable('get', { id: 'rec1' })], {
    finds: ['guard.missing info'],
    paths: [],
  }),
];
