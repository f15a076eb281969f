/** What is said of columns that tell rows of one job apart, and of histories of which nothing counts, word for word. */
import { describe } from 'node:test';
import { audited } from '../../src/audit/audited-workflow.ts';
import { TABLE_SAID } from '../../src/audit/readers/table/table-said.ts';
import { noneCountedText } from '../../src/audit/report/none-counted.ts';
import { terminalReport } from '../../src/audit/report/terminal.ts';
import { known, run } from '../audit/stage.ts';
import { assertSaid, type Said } from './said.ts';

const open = { ...audited(known([run({ endedAtMs: null })]), []), name: 'dbt' };

const reasons = (): string =>
  noneCountedText([
    { ...open, name: 'a', history: { ...open.history, excluded: [{ runId: '1', reason: 'clock' }] } },
    { ...open, name: 'b', history: { ...open.history, excluded: [{ runId: '1', reason: 'sub-workflow' }] } },
  ]);

const SAID: readonly Said[] = [
  [
    () => TABLE_SAID.toldApart('tenant', { kind: 'workflows', job: 'job', id: undefined }),
    '"tenant" tells rows apart that would overlap as one: each of its values was taken for a workflow of its own. Where they must not run at the same time, --map workflow=job judges them together.',
  ],
  [
    () => TABLE_SAID.toldApart('task_id', { kind: 'parts', job: 'dag_id', id: 'run_id' }),
    'Rows with the same "run_id" were taken for parts of one run, which "task_id" names: it lasts from the first start to the last end. Where each "task_id" is a job by itself, --map host=task_id judges them apart.',
  ],
  [
    () => TABLE_SAID.notLookedAt('queue'),
    '"queue" may tell apart what overlaps here, and was not looked at: where its values are jobs of their own, --map host=queue judges them apart.',
  ],
  [
    () => reasons().replaceAll(/\s+/g, ' '),
    'No run could be counted of a (1 run, times that cannot be believed or read), b (1 run, started by another workflow): nothing is known of how long they take or what overlaps.',
  ],
  [
    () => terminalReport({ workflows: [open], unread: [] }),
    `1 workflow, 1 run, none of them counted: nothing to change was found.

Without a warning: dbt.

No run could be counted of dbt (1 run, no end): nothing is known of how long they take or what
  overlaps.`,
  ],
];

describe('what is said of tables', () => assertSaid(SAID));
