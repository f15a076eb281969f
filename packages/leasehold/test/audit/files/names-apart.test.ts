/** Names lose their secrets where they are shown, and not where runs are told apart by them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { audited } from '../../../src/audit/audited-workflow.ts';
import { AUDIT_RULES } from '../../../src/audit/rules/rules.ts';
import { collect, known } from '../stage.ts';
import { readPiped } from './stage.ts';

const START = Date.parse('2026-01-05T00:00:00Z');
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

describe('names with secrets', () => {
  const people = ['jane.doe@corp.test', 'joe.public@corp.test'];
  const rows = Array.from({ length: 20 }, (_, nth) => [people[nth % 2], at(nth * 30), at(nth * 30 + 40)].join(','));
  const text = ['workflow,start,end', ...rows].join('\n');

  it('two workflows that differ in a secret alone stay two', async () => {
    const { runs } = await readPiped(text);
    const groups = collect(runs).groups;
    assert.deepEqual([...groups.values()].map(({ id }) => id).toSorted(), people);
    for (const person of people) {
      const context = known(runs.filter(({ workflow }) => workflow === person));
      assert.equal(context.history.figures.overlaps, 0);
      const shown = audited(
        context,
        AUDIT_RULES.flatMap((rule) => rule(context)),
      );
      assert.deepEqual([shown.id, shown.name], ['***@***', '***@***']);
    }
  });

  it('two runs whose ids differ in a secret alone stay two, and neither is shown with it', async () => {
    const { runs } = await readPiped(
      ['run id,workflow,start,end', ...people.map((person) => [person, 'sync', at(0), at(10)].join(','))].join('\n'),
    );
    const context = known(runs);
    assert.equal(context.history.figures.runs, 2);
    const shown = audited(
      context,
      AUDIT_RULES.flatMap((rule) => rule(context)),
    );
    assert.doesNotMatch(JSON.stringify(shown), /jane|joe/);
  });

  it('ids of hexadecimal digits stay to be found by, and in a sentence they go', async () => {
    const hex = ['0cc175b9c0f1b6a831c399e269772661', '92eb5ffee6ae2fec3ad71c777531578f'];
    const { runs } = await readPiped(
      ['run id,workflow,start,end', `${hex[0]},sync,${at(0)},${at(20)}`, `${hex[1]},sync,${at(10)},${at(30)}`].join(
        '\n',
      ),
    );
    const context = known(runs);
    const { findings } = audited(
      context,
      AUDIT_RULES.flatMap((rule) => rule(context)),
    );
    const observed = findings.find(({ rule }) => rule === 'overlap.observed');
    assert.deepEqual([observed?.evidence[0]?.['runId'], observed?.evidence[0]?.['earlierRunId']], [hex[1], hex[0]]);
  });
});
