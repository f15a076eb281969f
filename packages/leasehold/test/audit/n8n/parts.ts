/** Nodes and small flows that the tests of the auditor put together. */
import type { Drawing, Drawn } from './build.ts';
import { HOURLY } from './build.ts';

const ROWS = { base: { __rl: true, value: 'appOrders00001' }, table: { __rl: true, value: 'tblOrders00001' } };

export const READ_ROWS: Drawn = {
  type: 'airtable',
  typeVersion: 2.1,
  parameters: { operation: 'search', returnAll: false, ...ROWS },
};
export const MARK_ROW: Drawn = { type: 'airtable', typeVersion: 2.1, parameters: { operation: 'update', ...ROWS } };
export const MAIL: Drawn = { type: 'gmail', typeVersion: 2.1, parameters: { sendTo: '={{ $json.mail }}' } };
export const SHAPE: Drawn = { type: 'set', typeVersion: 3.4 };
export const WEBHOOK: Drawn = { type: 'webhook', typeVersion: 2 };
export const GUARD: Drawn = { type: 'n8n-nodes-leasehold.leasehold', parameters: { operation: 'acquire' } };
export const CLAIM: Drawn = { type: 'n8n-nodes-leasehold.leasehold', parameters: { operation: 'claim' } };
export const GET_FLAG: Drawn = { type: 'redis', parameters: { operation: 'get', key: 'busy' } };
export const SET_FLAG: Drawn = { type: 'redis', parameters: { operation: 'set', key: 'busy', value: '1' } };

/** An IF on one condition, as version 2 has it. */
export const when = (leftValue: unknown, operation: string, rightValue: unknown = ''): Drawn => ({
  type: 'if',
  typeVersion: 2.2,
  parameters: { conditions: { conditions: [{ leftValue, rightValue, operator: { type: 'boolean', operation } }] } },
});
/** Goes on by its first output where the lock was got. */
export const PROCEED: Drawn = when('={{ $json.proceed }}', 'true');

/** Read, mail, mark: every hour. */
export const STORY: Drawing = {
  nodes: { Clock: HOURLY, 'New orders': READ_ROWS, Mail: MAIL, 'Mark sent': MARK_ROW },
  flow: 'Clock > New orders > Mail > Mark sent',
};

/** The story with something between the clock and the read. */
export function behindClock(name: string, node: Drawn, nodes: Readonly<Record<string, Drawn>> = {}): Drawing {
  return { nodes: { ...STORY.nodes, [name]: node, ...nodes }, flow: `Clock > ${name} > New orders > Mail > Mark sent` };
}

export const code = (jsCode: string): Drawn => ({ type: 'code', typeVersion: 2, parameters: { jsCode } });
export const http = (method: string, url: string, more: Record<string, unknown> = {}): Drawn => ({
  type: 'httpRequest',
  typeVersion: 4.2,
  parameters: { method, url, ...more },
});
