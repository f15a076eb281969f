/** A lease that stands in the definition, held against what runs of the history took. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import { leaseOutrun } from '../../../src/audit/rules/history/lease-outrun.ts';
import { audit, draw, type Drawn, HOURLY } from '../n8n/build.ts';
import { MAIL, MARK_ROW, READ_ROWS, WEBHOOK } from '../n8n/parts.ts';
import { everyMs, HOUR, known, MINUTE, runsAt, START } from '../stage.ts';

const sql = (query: string): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query },
});
const acquire = (lease: string): Drawn => sql(`select * from leasehold.acquire('a', '${lease}', 'me') where proceed`);
const REST = { Clock: HOURLY, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW };
const STARTS = everyMs(2 * HOUR, 30);

function found(
  lock: Drawn,
  runs: readonly HistoryRun[],
  { flow = 'Clock > Lock > Read > Mail > Mark', ...more }: Record<string, unknown> & { flow?: string } = {},
): string[] {
  const [workflow] = audit(
    draw({
      nodes: { ...REST, Hook: WEBHOOK, Lock: lock, Touch: sql("select * from leasehold.renew('a', $1)") },
      flow,
      id: 'sync',
      ...more,
    }),
  ).workflows;
  assert.ok(workflow !== undefined);
  return leaseOutrun(known(runs, { definition: { ...workflow, source: 'exports/sync.json' } })).map(
    ({ severity, message }) => `${severity} ${message}`,
  );
}

describe('a lease that a run outlives', () => {
  const slow = [
    ...runsAt(STARTS.slice(0, 29), MINUTE),
    ...runsAt(STARTS.slice(29), 90 * MINUTE).map((run) => ({ ...run, runId: 'slow' })),
  ];

  it('lets in the start that comes when it is over and the run is not', () => {
    assert.deepEqual(found(acquire('30 min'), slow), [
      'critical The lease that "Lock" takes is 30m, and 1 of 30 runs took longer, 1h 30m at most: when it is over, the next start gets the lock of a run that is still at work.',
    ]);
  });

  it('is long enough where no start comes in between, or no run took so long', () => {
    assert.deepEqual(found(acquire('61 min'), slow), []);
    assert.deepEqual(found(acquire('121 min'), slow), []);
    assert.deepEqual(found(acquire('30 min'), runsAt(STARTS, 50 * MINUTE)), []);
  });

  it('is not judged where it is renewed on the way, or what it was nobody knows', () => {
    assert.deepEqual(found(acquire('30 min'), slow, { flow: 'Clock > Lock > Read > Touch > Mail > Mark' }), []);
    assert.deepEqual(found(acquire('{{ $json.lease }}'), slow), []);
  });

  it('is held against runs since the workflow was changed', () => {
    const after = new Date(START + (STARTS[29] ?? 0) + HOUR).toISOString();
    assert.deepEqual(found(acquire('30 min'), slow, { updatedAt: after }), []);
    const before = new Date(START + (STARTS[29] ?? 0)).toISOString();
    assert.equal(found(acquire('30 min'), slow, { updatedAt: before }).length, 1);
  });
});
