/** Whether the hosts that rows name are workflows of their own, or take the runs of one from each other. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { HISTORIES_MAX } from '../../../src/audit/collect/collector.ts';
import { HOSTS_SAID } from '../../../src/audit/collect/hosts.ts';
import { subjectsOf } from '../../../src/audit/collect/subjects.ts';
import { historyOf } from '../../../src/audit/history/history.ts';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import { collect, HOUR, MINUTE, NOW, only, run, runsAt, everyMs, SECOND, workflow } from '../stage.ts';

const on = (host: string, startsMs: readonly number[], tookMs = 10 * MINUTE): HistoryRun[] =>
  runsAt(startsMs, tookMs, { host }).map((each) => ({ ...each, runId: `${host} ${each.runId}` }));
const namesOf = (runs: readonly HistoryRun[]): string[] => subjectsOf(collect(runs)).map(({ name }) => name);

/** The same each time, and without a pattern. */
const drawn = (at: number, of: number): number => createHash('sha256').update(String(at)).digest().readUInt32BE() % of;

describe('runs of one name on several hosts', () => {
  const hourly = everyMs(HOUR, 40);
  const twins = [...on('web1', hourly), ...on('web2', hourly)];

  it('are a workflow on each where each has a schedule of its own, and none of them overlaps', () => {
    const found = collect([...twins, ...on('db1', hourly)]);
    const subjects = subjectsOf(found);
    assert.deepEqual(
      subjects.map(({ id, name }) => [id, name]),
      ['web1', 'web2', 'db1'].map((host) => [`sync on ${host}`, `sync on ${host}`]),
    );
    for (const subject of subjects) {
      const { figures } = historyOf(subject, found.table, NOW);
      assert.deepEqual([figures.runs, figures.overlaps], [40, 0]);
      assert.deepEqual(subject.limits, [HOSTS_SAID.apart('sync', ['web1', 'web2', 'db1'], undefined)]);
    }
  });

  it('are so too where starts are late by seconds, or one host is down for a while', () => {
    const late = (starts: readonly number[]): number[] => starts.map((ms, at) => ms + drawn(at, 40) * SECOND);
    const down = hourly.filter((_, at) => at < 10 || at > 14);
    assert.deepEqual(namesOf([...on('web1', late(hourly)), ...on('web2', down)]), ['sync on web1', 'sync on web2']);
  });

  it('are one workflow where the hosts take them from each other without a pattern', () => {
    for (const hosts of [2, 3, 8]) {
      const runs = everyMs(HOUR, 120).flatMap((ms, at) => on(`w${drawn(at, hosts)}`, [ms], 90 * MINUTE));
      const found = collect(runs);
      const { subject, history } = only(found);
      assert.deepEqual([subject.id, subject.name, history.figures.overlaps], ['sync', 'sync', 119], `${hosts}`);
      assert.match(subject.limits[0] ?? '', new RegExp(`^It ran on ${hosts} hosts .*taken for one workflow`));
    }
  });

  it('are one workflow where one host came after the other, or a second took a run now and then', () => {
    const moved = [...on('old', everyMs(HOUR, 40)), ...on('new', everyMs(HOUR, 40, 40 * HOUR))];
    assert.deepEqual(namesOf(moved), ['sync']);
    const spare = everyMs(HOUR, 60).flatMap((ms, at) => on(drawn(at, 10) === 0 ? 'spare' : 'main', [ms]));
    assert.deepEqual(namesOf(spare), ['sync']);
  });

  it('are one workflow where they are too few to tell', () => {
    assert.deepEqual(namesOf([...on('web1', [0, HOUR]), ...on('web2', [0, HOUR])]), ['sync']);
  });

  it('are one workflow where one definition is of all of them', () => {
    assert.deepEqual(
      subjectsOf(collect(twins, [workflow()])).map(({ id, limits }) => [id, limits]),
      [['sync', [HOSTS_SAID.together(['web1', 'web2'], undefined)]]],
    );
  });

  it('keep the name of the workflow, without a word, where all were on one', () => {
    const [subject] = subjectsOf(collect(on('web1', hourly)));
    assert.deepEqual([subject?.name, subject?.limits], ['sync', []]);
  });

  it('take no room from workflows where each run names a host of its own', () => {
    const found = collect(everyMs(MINUTE, HISTORIES_MAX + 1).flatMap((ms, at) => on(`pod-${at}`, [ms], SECOND)));
    found.run(run({ workflow: 'other' }), 'runs.ndjson');
    assert.deepEqual([found.groups.size < 1_100, found.unreadList()], [true, []]);
    assert.deepEqual(
      subjectsOf(found).map(({ id, rows }) => [id, rows.length]),
      [
        ['sync', HISTORIES_MAX + 1],
        ['other', 1],
      ],
    );
  });

  it('are shown without the secrets in the name of a host', () => {
    const secret = 'jane.doe@corp.test';
    const subjects = subjectsOf(collect([...on('web1', hourly), ...on(secret, hourly)]));
    assert.deepEqual(
      subjects.map(({ name }) => name),
      ['sync on web1', 'sync on ***@***'],
    );
    assert.doesNotMatch(subjects.flatMap(({ limits }) => limits).join(), /jane/);
  });
});
