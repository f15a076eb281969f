/** Starts that a lock turns away are runs of the history, and no overlaps. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import type { FoundWorkflow } from '../../../src/audit/model/workflow.ts';
import { overlapObserved } from '../../../src/audit/rules/history/overlap-observed.ts';
import { overlapPredicted } from '../../../src/audit/rules/history/overlap-predicted.ts';
import { auditOf, type Drawing, type Drawn, HOURLY } from '../n8n/build.ts';
import { acquire, RELEASE, SLACK, sql } from '../n8n/lock-parts.ts';
import { GUARD, MAIL, MARK_ROW, PROCEED, READ_ROWS } from '../n8n/parts.ts';
import { everyMs, HOUR, known, MINUTE, runsAt, SECOND } from '../stage.ts';

const NODES = {
  Clock: HOURLY,
  Read: READ_ROWS,
  Mail: MAIL,
  Mark: MARK_ROW,
  Free: RELEASE,
  Lock: acquire('a', '4 hours'),
};
const drawn = (flow: string, nodes: Readonly<Record<string, Drawn>> = {}): Drawing => ({
  nodes: { ...NODES, ...nodes },
  flow,
});
const GUARDED = drawn('Clock > Lock > Read > Mail > Mark > Free');
const definitionOf = (drawing: Drawing): FoundWorkflow => ({
  ...auditOf({ ...drawing, id: 'sync' }),
  source: 'exports/sync.json',
});

/** Hourly; each fifth run takes 90 minutes, and the one after it so long. */
function history(secondMs: number): readonly HistoryRun[] {
  const starts = everyMs(HOUR, 50);
  return starts.flatMap((ms, at) =>
    runsAt([ms], at % 5 === 0 ? 90 * MINUTE : at % 5 === 1 ? secondMs : 10 * MINUTE, { runId: String(at) }),
  );
}
const observed = (secondMs: number, drawing: Drawing): string[] =>
  overlapObserved(known(history(secondMs), { definition: definitionOf(drawing) })).map(
    ({ severity, message, advice, evidence }) => `${severity} ${message} ${evidence.length} ${advice}`,
  );

describe('a start that finds its lock held', () => {
  it('ends at once, and is told as a note and not as an overlap', () => {
    assert.deepEqual(observed(SECOND, GUARDED), [
      'info 10 runs started while an earlier one was still running and ended within 30s: the lock of "Lock" turned them away, as it seems. 1 Compare with the skips that the lock itself has counted (leasehold status), if in doubt.',
    ]);
    const own = drawn('Clock > Lock > Read > Mail > Mark; Lock.1 > Say', { Lock: GUARD, Say: SLACK });
    assert.match(observed(SECOND, own)[0] ?? '', /^info/);
    const asked = drawn('Clock > Lock > Got > Read > Mail > Mark > Free; Got.1 > Say', {
      Lock: sql("select * from leasehold.acquire('a', '4 hours', 'me')"),
      Got: PROCEED,
      Say: SLACK,
    });
    assert.match(observed(SECOND, asked)[0] ?? '', /^info/);
  });

  it('is an overlap where it took its time, or where the lock keeps nobody out or does not stand before all work', () => {
    assert.match(
      observed(5 * MINUTE, GUARDED)[0] ?? '',
      /^critical 10 of 50 runs .*The lock of "Lock" did not keep them apart: look at its name and its lease, and whether these runs are from before it stood there\.$/,
    );
    for (const drawing of [
      drawn('Clock > Read > Mail > Mark'),
      drawn('Clock > Lock > Read > Mail > Mark', { Lock: acquire('a-{{ $execution.id }}') }),
      drawn('Clock > Lock > Free > Read > Mail > Mark'),
      drawn('Clock > Read > Mail > Lock > Mark'),
      drawn('Clock > Lock > Read > Mail > Mark; Clock > Sub', { Sub: { type: 'executeWorkflow' } }),
    ])
      assert.match(observed(SECOND, drawing)[0] ?? '', /^critical 10 of 50 runs/, drawing.flow);
  });

  it('is counted apart where others overlap', () => {
    const mixed = history(SECOND).map((run, at) =>
      at === 1 ? { ...run, endedAtMs: (run.startedAtMs ?? 0) + 20 * MINUTE } : run,
    );
    const [found] = overlapObserved(known(mixed, { definition: definitionOf(GUARDED) }));
    assert.match(
      found?.message ?? '',
      /^1 of 50 runs started .*, 1 of the last 50; .* 9 more ended within 30s, turned away by the lock of "Lock", as it seems\.$/,
    );
    assert.equal(found?.severity, 'critical');
    assert.equal(found.evidence.length, 1);
  });
});

describe('a run that is longer than the gap', () => {
  it('is a note where a lock turns the next start away', () => {
    const predicted = (drawing: Drawing): string[] =>
      overlapPredicted(known(history(SECOND), { definition: definitionOf(drawing) })).map(
        ({ severity, message }) => `${severity} ${message}`,
      );
    assert.match(
      predicted(GUARDED)[0] ?? '',
      /^info .*the next start meets a run that is still going, and the lock of "Lock" turns it away\.$/,
    );
    assert.match(predicted(drawn('Clock > Read > Mail > Mark'))[0] ?? '', /^critical .*is still going\.$/);
  });
});
