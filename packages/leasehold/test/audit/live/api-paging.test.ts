/** An n8n whose paging is broken, and one that is silent: both end soon, and say what it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { N8nApi } from '../../targets/n8n-api.ts';
import { readSource } from './stage.ts';

const EXECUTIONS = Array.from({ length: 600 }, (_, index) => ({
  id: String(index + 1),
  status: 'success',
  mode: 'trigger',
  startedAt: '2026-11-29T10:00:00.000Z',
  stoppedAt: '2026-11-29T10:00:05.000Z',
  workflowId: 'wf1',
}));
const WORKFLOWS = [{ id: 'wf1', name: 'One' }];
interface Page {
  readonly from: number;
  readonly to?: number;
  readonly cursor: string | null;
}

const BROKEN = 'it gives pages again that it gave before: its paging is broken.';

/** Answers the plain list of executions page by page: `pages` of ids, each with the cursor that it gives. */
function paging(api: N8nApi, pageOf: (asked: number) => Page): void {
  let asked = 0;
  api.fault = (request, response) => {
    const url = request.url ?? '';
    if (!url.includes('/executions') || url.includes('status=')) return false;
    const { from, to = from + 5, cursor } = pageOf(asked);
    asked += 1;
    const data = EXECUTIONS.slice(from, to);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, nextCursor: cursor }));
    return true;
  };
}

async function readPaged(pageOf: (asked: number) => Page): Promise<{
  readonly runs: number;
  readonly unread: readonly string[];
  readonly limits: string;
  readonly asked: number;
}> {
  await using api = await N8nApi.open({ workflows: WORKFLOWS });
  paging(api, pageOf);
  const { runs, unread, limits } = await readSource(`n8n:${api.url}`, { key: api.key });
  const asked = api.asked.filter(({ path }) => path.includes('/executions') && !path.includes('status=')).length;
  return {
    runs: runs.length,
    unread: unread.map((line) => line.replace(`n8n:${api.url}: `, '')),
    limits: limits.join('\n'),
    asked,
  };
}

test('a server that answers with the same cursor again has broken paging, and is not called new', async () => {
  const { limits, ...found } = await readPaged((asked) => ({ from: asked === 0 ? 0 : 5, cursor: 'same' }));
  assert.deepEqual(found, { runs: 10, unread: [`Only the newest 10 of its runs could be read: ${BROKEN}`], asked: 2 });
  assert.doesNotMatch(limits, /it is new/);
});

test('a server that answers with the same page and new cursors has broken paging', async () => {
  const { limits: _limits, ...found } = await readPaged((asked) => ({ from: 0, cursor: `cursor ${asked}` }));
  assert.deepEqual(found, { runs: 5, unread: [`Only the newest 5 of its runs could be read: ${BROKEN}`], asked: 2 });
});

test('cursors that go round by way of others end the reading', async () => {
  const { limits: _limits, ...found } = await readPaged((asked) => ({
    from: asked * 5,
    cursor: `cursor ${asked % 3}`,
  }));
  assert.deepEqual(found, { runs: 20, unread: [`Only the newest 20 of its runs could be read: ${BROKEN}`], asked: 4 });
});

test('a page that holds only runs of the page before is no end of the list', async () => {
  const pages: readonly Page[] = [
    { from: 0, cursor: 'a' },
    { from: 1, to: 5, cursor: 'b' },
    { from: 5, cursor: null },
  ];
  const { limits: _limits, ...found } = await readPaged((asked) => pages[asked] ?? { from: 0, cursor: null });
  assert.deepEqual(found, { runs: 10, unread: [], asked: 3 });
});

/** A clock whose waits of `ms` last that many thousandths. */
const quick = (
  waits: number[],
): { sleep: () => Promise<void>; schedule: (ms: number, callback: () => void) => { cancel(): void } } => ({
  sleep: async () => {},
  schedule: (ms, callback) => {
    waits.push(ms);
    const timer = setTimeout(callback, ms / 200);
    return { cancel: () => clearTimeout(timer) };
  },
});

test('a server that never answers is told of after ten seconds, asked once more, and given up within about a minute', async () => {
  await using api = await N8nApi.open();
  api.fault = () => true;
  const waits: number[] = [];
  const { unread, warned } = await readSource(`n8n:${api.url}`, { key: api.key, clock: quick(waits) });
  assert.deepEqual(unread, [`n8n:${api.url}: It did not answer in time.`]);
  assert.deepEqual(warned, [
    `n8n:${api.url} has not answered for 10s: it has 30s, then it is asked once more`,
    `n8n:${api.url} has not answered for 10s: it has 30s, then it is given up`,
  ]);
  assert.equal(api.asked.length, 2);
  assert.deepEqual(
    [...new Set(waits)].toSorted((one, other) => one - other),
    [10_000, 30_000, 120_000],
  );
});

test('an answer that goes on coming is waited for, and one that stops in the middle is not', async () => {
  await using api = await N8nApi.open({ executions: EXECUTIONS, workflows: WORKFLOWS });
  let stops = false;
  api.fault = (request, response) => {
    if (request.url?.includes('/workflows') !== true || request.url.includes('limit=1&')) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    const parts = ['{"data":[', '{"id":"wf1",', '"name":"One"}', ']}'];
    const next = (): void => {
      const part = parts.shift();
      if (part === undefined) return void response.end();
      response.write(part);
      if (!stops) setTimeout(next, 60);
      return undefined;
    };
    next();
    return true;
  };
  const whole = await readSource(`n8n:${api.url}`, { key: api.key, clock: quick([]) });
  assert.deepEqual([whole.workflows.length, whole.unread], [1, []]);
  stops = true;
  const cut = await readSource(`n8n:${api.url}`, { key: api.key, clock: quick([]) });
  assert.deepEqual(cut.unread, [`n8n:${api.url}: It did not answer in time.`]);
});
