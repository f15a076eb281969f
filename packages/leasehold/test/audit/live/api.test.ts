/** n8n read by its public API: what is asked, in which order, and what counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiExecution, N8nApi } from '../../targets/n8n-api.ts';
import { DAY_MS, HOUR_MS, iso, NOW, readSource } from './stage.ts';

function execution(id: number, fields: Partial<ApiExecution> = {}): ApiExecution {
  const startedMs = NOW - 10 * DAY_MS + id * 60_000;
  return {
    id: String(id),
    finished: true,
    mode: 'trigger',
    retryOf: null,
    status: 'success',
    startedAt: iso(startedMs),
    stoppedAt: iso(startedMs + 20_000),
    workflowId: 'wf1',
    waitTill: null,
    ...fields,
  };
}

const ALL = Array.from({ length: 620 }, (_, index) => execution(index + 1));
const WORKFLOW = { id: 'wf1', name: 'Nightly mails', active: true, nodes: [], connections: {} };

test('all pages of executions are read, each run once, with the name of its workflow', async () => {
  await using api = await N8nApi.open({ executions: ALL, workflows: [WORKFLOW] });
  const { runs, unread } = await readSource(`n8n:${api.url}`, { key: api.key });
  assert.deepEqual(unread, []);
  assert.equal(runs.length, 620);
  assert.equal(new Set(runs.map(({ runId }) => runId)).size, 620);
  assert.deepEqual(runs[0], {
    workflow: 'wf1',
    workflowName: 'Nightly mails',
    runId: '620',
    startedAtMs: NOW - 10 * DAY_MS + 620 * 60_000,
    endedAtMs: NOW - 10 * DAY_MS + 620 * 60_000 + 20_000,
    state: 'ended',
    result: 'success',
    cause: 'trigger',
    retryOf: null,
    versionId: null,
    slotAtMs: null,
    isClockSuspect: false,
  });
});

test('the data of executions are never asked for, nor pinned data', async () => {
  await using api = await N8nApi.open({ executions: ALL, workflows: [WORKFLOW] });
  await readSource(`n8n:${api.url}`, { key: api.key });
  const lists = api.asked.filter(({ path }) => path.includes('/executions'));
  assert.ok(lists.length > 3 && lists.every(({ path }) => path.includes('includeData=false')));
  assert.ok(api.asked.some(({ path }) => path.includes('excludePinnedData=true')));
});

test('what runs, waits or is queued is read whatever its age, and counts once although two lists have it', async () => {
  const open = [
    execution(1, { status: 'running', startedAt: iso(NOW - 90 * DAY_MS), stoppedAt: null }),
    // n8n gives what waits an end: that of the part before.
    execution(2, { status: 'waiting', waitTill: iso(NOW + DAY_MS) }),
    execution(3, { status: 'new', startedAt: null, stoppedAt: null }),
  ];
  await using api = await N8nApi.open({ executions: [...open, execution(4)], workflows: [WORKFLOW] });
  const { runs } = await readSource(`n8n:${api.url}`, { key: api.key });
  const seen = Object.fromEntries(runs.map(({ runId, state, endedAtMs }) => [runId, [state, endedAtMs === null]]));
  assert.equal(runs.length, 4);
  assert.deepEqual(seen, { 1: ['running', true], 2: ['waiting', true], 3: ['queued', true], 4: ['ended', false] });
});

test('a run that ends between the two lists counts once, as ended', async () => {
  const running = execution(9, { status: 'running', stoppedAt: null });
  await using api = await N8nApi.open({ executions: [running, execution(8)], workflows: [WORKFLOW] });
  api.afterPage = () => {
    api.executions = [execution(9), execution(8)];
  };
  const { runs } = await readSource(`n8n:${api.url}`, { key: api.key });
  assert.deepEqual(
    runs.map(({ runId, state }) => `${runId} ${state}`),
    ['9 ended', '8 ended'],
  );
});

test('runs from before the days that were asked for are not read', async () => {
  await using api = await N8nApi.open({ executions: ALL, workflows: [WORKFLOW] });
  // Run 1 started ten days ago, and each a minute after the one before.
  const nowMs = NOW + DAY_MS - 10 * 60_000;
  const { runs } = await readSource(`n8n:${api.url}`, { key: api.key, nowMs, days: 11 - 600 / 1440 });
  assert.equal(Math.min(...runs.map(({ startedAtMs }) => startedAtMs ?? 0)), NOW - 10 * DAY_MS + 591 * 60_000);
});

test('an older n8n, which refuses what it does not know, is read by what it knows, to the first page that is all older', async () => {
  const old = Array.from({ length: 2_000 }, (_, index) =>
    execution(index + 1, { startedAt: iso(NOW - (2_000 - index) * HOUR_MS) }),
  );
  const waiting = execution(2_001, { status: 'waiting', waitTill: iso(NOW + DAY_MS) });
  await using api = await N8nApi.open({ executions: [...old, waiting], workflows: [WORKFLOW], isOld: true });
  const { runs, unread, limits } = await readSource(`n8n:${api.url}`, { key: api.key, days: 20 });
  assert.deepEqual(unread, []);
  assert.equal(runs.length, 20 * 24 + 1);
  assert.ok(limits.includes('This n8n is too old to list runs by the status running, new: those may be missing.'));
  // Rows that are recent fill two pages; the third is older as a whole, and five more are never asked for.
  const plain = api.asked.filter(({ path }) => path.includes('/executions') && !/status=|startedAfter/.test(path));
  assert.equal(plain.length, 3);
});

test('a row that comes again on the next page, because new ones pushed it on, counts once', async () => {
  await using api = await N8nApi.open({ workflows: [WORKFLOW] });
  const page = (ids: readonly number[]): ApiExecution[] => ids.map((id) => execution(id));
  api.fault = (request, response) => {
    if (request.url?.includes('/executions') !== true || request.url.includes('status=')) return false;
    const isSecond = request.url.includes('cursor=');
    const data = isSecond ? page([8, 7, 6]) : page([10, 9, 8]);
    const body = JSON.stringify({ data, nextCursor: isSecond ? null : 'second' });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return true;
  };
  const { runs } = await readSource(`n8n:${api.url}`, { key: api.key });
  assert.deepEqual(
    runs.map(({ runId }) => runId),
    ['10', '9', '8', '7', '6'],
  );
});

test('the workflows come with the version that is published', async () => {
  const published = { ...WORKFLOW, activeVersion: { versionId: 'v2', nodes: [{ name: 'Start' }], connections: {} } };
  const many = Array.from({ length: 230 }, (_, index) => ({ ...WORKFLOW, id: `other${index}` }));
  await using api = await N8nApi.open({ workflows: [published, ...many] });
  const { workflows } = await readSource(`n8n:${api.url}`, { key: api.key });
  assert.equal(workflows.length, 231);
  assert.deepEqual(workflows[0], published);
});

test('n8n is found below a path, by an address of its API, and by one of its editor', async () => {
  await using below = await N8nApi.open({ executions: [execution(1)], path: '/automation' });
  await using plain = await N8nApi.open({ executions: [execution(1)] });
  for (const address of [
    `${below.url}/automation/`,
    `${below.url}/automation/api/v1`,
    `${plain.url}/workflow/8sYv1?x=1`,
    `${plain.url}/home/workflows#top`,
  ]) {
    const { runs, unread } = await readSource(`n8n:${address}`, { key: plain.key });
    assert.deepEqual([runs.length, unread], [1, []], address);
  }
});

test('a history that n8n has cut off is told by its beginning', async () => {
  await using api = await N8nApi.open({ executions: ALL, workflows: [WORKFLOW] });
  const { limits } = await readSource(`n8n:${api.url}`, { key: api.key });
  assert.equal(
    limits[0],
    'Its history begins at 2026-11-20T12:01:00Z, 10.0 days ago (30 were asked for), and has 620 runs of all workflows: it is new, or what was before is deleted.',
  );
});

test('what a key can not see is told', async () => {
  await using api = await N8nApi.open();
  const { limits } = await readSource(`n8n:${api.url}`, { key: api.key });
  assert.deepEqual(limits, ['The API shows the workflows and runs that the user of its key may see, and no others.']);
});
