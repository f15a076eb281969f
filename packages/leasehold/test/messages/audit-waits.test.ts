/** What the auditor says of waits that are longer than their schedule's gaps, word for word. Pure. */
import { describe } from 'node:test';
import { overlapPredicted } from '../../src/audit/rules/history/overlap-predicted.ts';
import type { Finding } from '../../src/audit/model/finding.ts';
import { auditOf, type Drawn, HOURLY } from '../audit/n8n/build.ts';
import { MAIL } from '../audit/n8n/parts.ts';
import { known } from '../audit/stage.ts';
import { assertSaid, type Said } from './said.ts';

const minutes = (amount: number): Drawn => ({
  type: 'wait',
  typeVersion: 1.1,
  parameters: { amount, unit: 'minutes' },
});
const DAYTIME: Drawn = {
  type: 'scheduleTrigger',
  typeVersion: 1.2,
  parameters: { rule: { interval: [{ field: 'cronExpression', expression: '0 9-17 * * 1-5' }] } },
};
function found(nodes: Readonly<Record<string, Drawn>>, flow: string): Finding | undefined {
  const definition = auditOf({ id: 'sync', nodes: { Clock: HOURLY, Mail: MAIL, ...nodes }, flow });
  return overlapPredicted(known([], { definition }))[0];
}

const SAID: readonly Said[] = [
  [
    () => found({ Wait: minutes(120) }, 'Clock > Wait > Mail')?.message,
    '"Wait" waits 2h, longer than 1h, the smallest gap between two starts: each run is still open when the next one starts.',
  ],
  [
    () => found({ Wait: minutes(60) }, 'Clock > Wait > Mail')?.message,
    '"Wait" waits 1h, as long as 1h, the smallest gap between two starts: each run is still open when the next one starts.',
  ],
  [
    () => found({ If: { type: 'if' }, One: minutes(50), Two: minutes(50) }, 'Clock > If > One > Two')?.message,
    '"One", "Two" wait 1h 40m, longer than 1h, the smallest gap between two starts: each run that comes to it is still open when the next one starts.',
  ],
  [
    () => found({ Clock: DAYTIME, Wait: minutes(120) }, 'Clock > Wait > Mail')?.message,
    '"Wait" waits 2h, longer than 1h, the smallest gap between two starts: each run that the next one follows so soon is still open when that starts.',
  ],
  [
    () => found({ Wait: minutes(40) }, 'Clock > Wait > Mail')?.message,
    '"Wait" waits 40m, over half of 1h, the smallest gap between two starts: with the work beside it a slow run is still open when the next one starts.',
  ],
  [
    () => found({ Wait: minutes(120) }, 'Clock > Wait > Mail')?.advice,
    'Start it every 4h or less often, or end the run before "Wait" and let a workflow of its own take up what is due then. Acquire a lock with a lease of 241m straight after the trigger (SQL in a Postgres node: docs/guides/sql.md#n8n), go on only where "proceed" is true, and release at the end of every path, the error path too.',
  ],
];

describe('what the auditor says of waits', () => assertSaid(SAID));
