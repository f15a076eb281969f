import type { NodeDefaults } from './default.ts';

/**
 * Further services that send, pay or keep records: what n8n takes where a workflow leaves resource or operation out.
 * Facts read off the node descriptions of n8n-nodes-base 2.41.2.
 */
export const FURTHER: NodeDefaults = {
  googleChat: [{ from: 1, resource: 'message', operation: { member: 'get', message: 'create', space: 'get' } }],
  ciscoWebex: [{ from: 1, resource: 'message', operation: { meeting: 'create', message: 'create' } }],
  zulip: [{ from: 1, resource: 'message', operation: { message: 'sendPrivate', stream: 'create', user: 'create' } }],
  pushbullet: [{ from: 1, resource: 'push', operation: 'create' }],
  pagerDuty: [
    {
      from: 1,
      resource: 'incident',
      operation: { incident: 'create', incidentNote: 'create', logEntry: 'get', user: 'get' },
    },
  ],
  sms77: [{ from: 1, resource: 'sms', operation: 'send' }],
  msg91: [{ from: 1, resource: 'sms', operation: 'send' }],
  signl4: [{ from: 1, resource: 'alert', operation: 'send' }],
  payPal: [{ from: 1, resource: 'payout', operation: { payout: 'create', payoutItem: 'get' } }],
  zoom: [{ from: 1, resource: 'meeting', operation: 'create' }],
  medium: [{ from: 1, resource: 'post', operation: { post: 'create', publication: 'publication' } }],
  discourse: [
    {
      from: 1,
      resource: 'post',
      operation: { category: 'create', group: 'create', post: 'create', user: 'create', userGroup: 'add' },
    },
  ],
  mailerLite: [{ from: 1, resource: 'subscriber', operation: 'create' }],
  highLevel: [
    {
      from: 1,
      resource: 'contact',
      operation: { contact: 'create', opportunity: 'create', task: 'create', calendar: 'bookAppointment' },
    },
  ],
  oracleDatabase: [{ from: 1, resource: 'database', operation: 'insert' }],
  microsoftDynamicsCrm: [{ from: 1, resource: 'account', operation: 'create' }],
  zammad: [
    {
      from: 1,
      resource: 'user',
      operation: { group: 'create', organization: 'create', ticket: 'create', user: 'create' },
    },
  ],
  nextCloud: [{ from: 1, resource: 'file', operation: { file: 'upload', folder: 'create', user: 'create' } }],
  hackerNews: [{ from: 1, resource: 'article', operation: { all: 'getAll', article: 'get', user: 'get' } }],
};
