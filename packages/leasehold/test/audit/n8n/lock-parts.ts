/** Locks of ours in n8n, put together for tests, and what is said of them. */
import { auditOf, type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { MAIL, MARK_ROW, READ_ROWS } from './parts.ts';

export const sql = (query: string, more: Record<string, unknown> = {}): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query, ...more },
});
export const given = (queryReplacement: string): Record<string, unknown> => ({ options: { queryReplacement } });
export const acquire = (name: string, lease = '5 min', more = ''): Drawn =>
  sql(`select * from leasehold.acquire('${name}', '${lease}', '{{ $execution.id }}'${more}) where proceed`);
export const RELEASE: Drawn = sql("select * from leasehold.release('a', $1, 'success')");
export const wait = (amount: number): Drawn => ({
  type: 'wait',
  typeVersion: 1.1,
  parameters: { amount, unit: 'minutes' },
});
export const SLACK: Drawn = { type: 'slack', typeVersion: 2.2 };
export const REST: Readonly<Record<string, Drawn>> = {
  Clock: HOURLY,
  Read: READ_ROWS,
  Mail: MAIL,
  Mark: MARK_ROW,
  Free: RELEASE,
};

export const rulesOf = (drawing: Drawing): string[] =>
  auditOf(drawing)
    .findings.map(({ rule, severity }) => `${rule} ${severity}`)
    .toSorted();
export const story = (nodes: Readonly<Record<string, Drawn>>, flow: string): Drawing => ({
  nodes: { ...REST, ...nodes },
  flow: `Clock > ${flow}`,
});
export const said = (drawing: Drawing): string =>
  findingsOf(drawing, 'guard.fails-open')
    .map(({ severity, message }) => `${severity} ${message}`)
    .join('\n');
/** Behind `lock`: read, mail, mark. */
export const behind = (lock: Drawn): Drawing => story({ Lock: lock }, 'Lock > Read > Mail > Mark');

export const OPEN: readonly string[] = [
  'guard.fails-open critical',
  'window.effect-before-mark critical',
  'window.read-to-write warning',
];
export const LOCKED: readonly string[] = ['window.effect-before-mark warning'];
