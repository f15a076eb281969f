/** What is one run and what is one workflow, when readers hand over the same in several pieces. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Collector, HISTORIES_MAX } from '../../../src/audit/collect/collector.ts';
import { subjectsOf } from '../../../src/audit/collect/subjects.ts';
import { historyOf } from '../../../src/audit/history/history.ts';
import { collect, HOUR, MINUTE, NOW, only, run, runsAt, START, workflow } from '../stage.ts';

test('the same run in two files counts once', () => {
  const runs = runsAt([0, HOUR, 2 * HOUR], MINUTE);
  const found = collect([...runs, ...runs]);
  assert.equal(only(found).history.figures.runs, 3);
  assert.equal(found.groups.get('sync')?.repeated, 3);
});

test('a run that was running in one export and had ended in another has ended, whichever came first', () => {
  const running = run({ state: 'running', endedAtMs: null });
  for (const order of [
    [running, run()],
    [run(), running],
  ]) {
    const { figures } = only(collect(order)).history;
    assert.deepEqual([figures.runs, figures.used, figures.slowestMs], [1, 1, MINUTE]);
  }
});

test('runs of one id that start at different instants are two, and that is counted', () => {
  const found = collect([run(), run({ startedAtMs: START + HOUR, endedAtMs: START + HOUR + 1 })]);
  assert.equal(only(found).history.figures.runs, 2);
  assert.equal(found.groups.get('sync')?.clashing, 1);
});

test('runs without an id, named by their line, are the same only where their instants are', () => {
  const place = { runId: 'line 12' };
  const found = collect([
    run(place),
    run({ ...place, startedAtMs: START + HOUR, endedAtMs: START + HOUR }),
    run(place),
    run({ ...place, endedAtMs: START + 2 * MINUTE }),
  ]);
  assert.equal(only(found).history.figures.runs, 3);
  assert.deepEqual([found.groups.get('sync')?.repeated, found.groups.get('sync')?.clashing], [1, 0]);
});

test('runs of two workflows with one id each are kept apart', () => {
  const found = collect([run({ workflow: 'a' }), run({ workflow: 'b' })]);
  assert.deepEqual(
    subjectsOf(found).map(({ id, rows }) => [id, rows.length]),
    [
      ['a', 1],
      ['b', 1],
    ],
  );
});

test('ids, versions and slots outlive the growth of the table', () => {
  const found = new Collector(NOW);
  const count = 5_000;
  for (let at = 0; at < count; at += 1) {
    const slotAtMs = at % 3 === 0 ? START + at : null;
    const versionId = at % 2 === 0 ? `v${at % 7}` : null;
    found.run(run({ runId: `läuft-${at}`, startedAtMs: START + at, slotAtMs, versionId }), 'a');
  }
  const { table } = found;
  assert.equal(table.count, count);
  for (const at of [0, 1, 2, 3, 1_023, 1_024, 4_998, 4_999]) {
    assert.equal(table.ids.text(at), `läuft-${at}`);
    assert.equal(table.slotOf(at), at % 3 === 0 ? START + at : null);
    assert.equal(table.versionOf(at), at % 2 === 0 ? `v${at % 7}` : null);
  }
  found.run(run({ runId: 'läuft-4242', startedAtMs: START + 4_242 }), 'b');
  assert.equal(table.count, count);
});

test('runs and a definition of one id are one workflow, with both sources', () => {
  const { subject } = only(collect([run()], [workflow({ name: 'Sync orders' })]));
  assert.equal(subject.name, 'Sync orders');
  assert.deepEqual(subject.sources, ['exports/sync.json', 'exports/runs.ndjson']);
});

test('runs that know only a name belong to the one definition of that name in their folder', () => {
  const named = run({ workflow: 'Sync orders', workflowName: 'Sync orders' });
  assert.equal(only(collect([named], [workflow({ id: 'x7', name: 'Sync orders' })])).subject.id, 'x7');
  const elsewhere = workflow({ id: 'x7', name: 'Sync orders', source: 'other/sync.json' });
  assert.equal(subjectsOf(collect([named], [elsewhere])).length, 2);
  const twins = [workflow({ id: 'x7', name: 'Sync orders' }), workflow({ id: 'x8', name: 'Sync orders' })];
  assert.equal(subjectsOf(collect([named], twins)).length, 3);
});

test('of two definitions of one id the active one counts, and the other is said to be left out', () => {
  const draft = workflow({ isActive: false, source: 'exports/draft.json' });
  const found = collect([], [draft, workflow()]);
  assert.equal(only(found).subject.definition?.source, 'exports/sync.json');
  assert.deepEqual(found.unreadList(), [
    {
      path: 'exports/draft.json',
      reason: 'Workflow "sync" (sync) was read from exports/sync.json, in another version; this copy is left out.',
    },
  ]);
});

test('a definition that two files hold alike counts once, without a word', () => {
  const found = collect([], [workflow(), workflow({ source: 'exports/again.json' })]);
  assert.equal(only(found).subject.definition?.source, 'exports/sync.json');
  assert.deepEqual(found.unreadList(), []);
});

test('runs of one workflow in two sources are judged together', () => {
  const found = new Collector(NOW);
  found.run(run({ endedAtMs: START + HOUR }), 'a.ndjson');
  found.run(run({ runId: '2', startedAtMs: START + MINUTE }), 'b.ndjson');
  const [subject] = subjectsOf(found);
  assert.ok(subject !== undefined);
  assert.equal(historyOf(subject, found.table, NOW).figures.overlaps, 1);
  assert.deepEqual(subject.sources, ['a.ndjson', 'b.ndjson']);
});

test('what a source tells of one workflow is told of no other, in the order of the telling, and once', () => {
  const found = new Collector(NOW);
  for (const workflowId of ['a', 'b']) found.run(run({ workflow: workflowId, runId: workflowId }), 'n8n:https://one');
  found.run(run({ workflow: 'a', runId: 'other' }), 'n8n:https://two');
  found.limit('n8n:https://one', 'a', 'Of a.');
  found.limit('n8n:https://one', null, 'Of all.');
  found.limit('n8n:https://one', 'b', 'Of b.');
  found.limit('n8n:https://two', null, 'Of all.');
  found.limit('n8n:https://two', 'b', 'Of another b.');
  found.switchedOff('n8n:https://one', 'b', { fromMs: START, untilMs: null });
  assert.deepEqual(
    subjectsOf(found).map(({ id, limits, offTimes }) => [id, limits, offTimes.length]),
    [
      ['a', ['Of a.', 'Of all.'], 0],
      ['b', ['Of all.', 'Of b.'], 1],
    ],
  );
});

test('a history ends with its newest instant that can be believed', () => {
  const { subject } = only(collect([run(), run({ runId: '2', startedAtMs: NOW + HOUR, endedAtMs: NOW + HOUR })]));
  assert.equal(subject.newestMs, START + MINUTE);
});

test('what could not be read is listed up to a bound, without secrets', () => {
  const found = new Collector(NOW);
  for (let at = 0; at < 10_005; at += 1) found.unread(`a:${at}`, 'password=hunter2');
  const list = found.unreadList();
  assert.equal(list.length, 10_001);
  assert.equal(list[0]?.reason, 'password=***');
  assert.deepEqual(list.at(-1), { path: '…', reason: '5 more of these are not listed.' });
});

test('runs of more than ten thousand workflows are left out, counted, and told first', () => {
  const found = new Collector(NOW);
  for (let at = 0; at <= HISTORIES_MAX + 1; at += 1) found.run(run({ workflow: `w${at}` }), 'runs.ndjson');
  found.run(run({ workflow: 'w1', runId: '2' }), 'runs.ndjson');
  found.unread('other', 'Why.');
  assert.deepEqual([found.groups.size, found.table.count], [10_000, 10_001]);
  assert.deepEqual(found.unreadList(), [
    {
      path: 'runs.ndjson',
      reason:
        'More than 10,000 workflows have runs: 2 runs of those found later were left out; where they are named by their runs, say which column names the workflow, --map workflow=COLUMN.',
    },
    { path: 'other', reason: 'Why.' },
  ]);
});

test('a source is lost where it only told what is unread', () => {
  const found = new Collector(NOW);
  const lost = (read: () => void): string | null => {
    const before = found.tally();
    read();
    return found.lostSince(before)?.reason ?? null;
  };
  assert.equal(
    lost(() => found.unread('a', 'Why.')),
    'Why.',
  );
  assert.equal(
    lost(() => {}),
    null,
  );
  const partly = (): void => {
    found.unread('b', 'Cut short.');
    found.run(run(), 'b');
  };
  assert.equal(lost(partly), null);
  const empty = (): void => {
    found.unread('c', 'Empty.');
    found.empty();
  };
  assert.equal(lost(empty), null);
  for (let at = 0; at < 10_000; at += 1) found.unread('d', 'Bad line.');
  assert.equal(
    lost(() => found.unread('e', 'Why.')),
    '…',
  );
});
