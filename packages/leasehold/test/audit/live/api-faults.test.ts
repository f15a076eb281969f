/** An n8n that fails, refuses, or is something else: one clear line each, what was read before counts, and no key anywhere. */
import assert from 'node:assert/strict';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { failing, N8nApi } from '../../targets/n8n-api.ts';
import { makeCertificate } from './self-signed.ts';
import { type Read, readSource, saidIn } from './stage.ts';

const EXECUTIONS = Array.from({ length: 600 }, (_, index) => ({
  id: String(index + 1),
  status: 'success',
  mode: 'trigger',
  startedAt: '2026-11-29T10:00:00.000Z',
  stoppedAt: '2026-11-29T10:00:05.000Z',
  workflowId: 'wf1',
}));
const WORKFLOWS = [{ id: 'wf1', name: 'One' }];
const all: Read[] = [];

async function read(api: N8nApi, address: string = api.url): Promise<Read> {
  const result = await readSource(`n8n:${address}`, { key: api.key });
  all.push(result);
  return result;
}

after(() => assert.ok(all.length > 10 && !all.some((result) => saidIn(result).includes('a-key-of-the-test-suite'))));

test('a server that is busy is asked again, as late as it says, and then later each time', async () => {
  await using api = await N8nApi.open({ executions: EXECUTIONS, workflows: WORKFLOWS });
  api.fault = failing('/executions', 429, 1, { 'retry-after': '7' });
  assert.deepEqual((await read(api)).waited, [7_000]);
  api.fault = failing('/executions', 503, 3);
  const { waited, runs, unread } = await read(api);
  assert.deepEqual([waited, runs.length, unread], [[1_000, 2_000, 4_000], 600, []]);
});

test('a connection that breaks is made again', async () => {
  await using api = await N8nApi.open({ executions: EXECUTIONS, workflows: WORKFLOWS });
  api.fault = failing('/executions', 0, 2);
  const { runs, waited } = await read(api);
  assert.deepEqual([runs.length, waited], [600, [1_000, 2_000]]);
});

test('a server that goes on failing is asked four times, and what was read before counts', async () => {
  await using api = await N8nApi.open({ executions: EXECUTIONS, workflows: WORKFLOWS });
  api.fault = (request, response) => failing('cursor=', 500, 1)(request, response);
  const { runs, unread } = await read(api);
  assert.equal(runs.length, 250);
  assert.deepEqual(unread, [`n8n:${api.url}: Only the newest 250 of its runs could be read: it answers 500.`]);
  assert.equal(api.asked.filter(({ path }) => path.includes('cursor=')).length, 4);
});

test('nobody waits for a server that asks for an hour', async () => {
  await using api = await N8nApi.open({ executions: EXECUTIONS, workflows: WORKFLOWS });
  api.fault = failing('/executions', 429, 99, { 'retry-after': '3600' });
  const { waited, unread } = await read(api);
  assert.deepEqual(waited, []);
  assert.deepEqual(unread, [
    `n8n:${api.url}: None of its runs could be read: it asks for fewer requests (429) and was asked often enough.`,
  ]);
});

test('a key that is refused is told, and asked once', async () => {
  await using api = await N8nApi.open({ workflows: WORKFLOWS });
  const refused = await readSource(`n8n:${api.url}`, { key: 'another-key' });
  assert.deepEqual(refused.unread, [
    `n8n:${api.url}: It refuses the key (401): is LEASEHOLD_N8N_KEY a key of this n8n, and has it not expired? (Unauthorized).`,
  ]);
  assert.equal(api.asked.length, 1);
});

test('a key without the scope for runs reads the workflows, and the other way round', async () => {
  await using api = await N8nApi.open({ executions: EXECUTIONS, workflows: WORKFLOWS });
  api.scopes = new Set(['workflow:list']);
  const noRuns = await read(api);
  assert.deepEqual([noRuns.workflows.length, noRuns.runs.length], [1, 0]);
  assert.deepEqual(noRuns.unread, [
    `n8n:${api.url}: None of its runs could be read: it does not let this key read them (403): it needs the scope execution:list (Forbidden).`,
  ]);
  api.scopes = new Set(['execution:list']);
  const noWorkflows = await read(api);
  assert.deepEqual([noWorkflows.workflows.length, noWorkflows.runs.length], [0, 600]);
  assert.deepEqual(noWorkflows.unread, [
    `n8n:${api.url}: None of its workflows could be read: it does not let this key read them (403): it needs the scope workflow:list (Forbidden).`,
  ]);
});

test('a redirect to a log-in is not followed, and the key is not sent there', async () => {
  await using login = await N8nApi.open();
  await using api = await N8nApi.open({ workflows: WORKFLOWS });
  api.fault = (_request, response) => {
    response.writeHead(302, { location: `${login.url}/signin?token=secret-of-the-proxy` }).end();
    return true;
  };
  const { unread } = await read(api);
  assert.deepEqual(unread, [
    `n8n:${api.url}: It answers with a redirect (302) to ${login.url}, as a login page does; the key is not sent there.`,
  ]);
  assert.deepEqual(login.asked, []);
});

test('a server that moves to TLS is told by its address', async () => {
  await using api = await N8nApi.open();
  api.fault = (request, response) => {
    response.writeHead(301, { location: `https://${request.headers.host}${request.url}` }).end();
    return true;
  };
  const address = api.url.replace('http:', 'https:');
  assert.deepEqual((await read(api)).unread, [`n8n:${api.url}: It is to be asked by TLS: write n8n:${address}.`]);
});

test('a web page where the API should be is told', async () => {
  await using api = await N8nApi.open();
  api.fault = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>');
    return true;
  };
  assert.deepEqual((await read(api)).unread, [
    `n8n:${api.url}: It answers with a web page where its API should be: a login or a proxy stands before it.`,
  ]);
});

test('what is no list of n8n is told', async () => {
  await using api = await N8nApi.open({ workflows: WORKFLOWS });
  api.fault = (request, response) => {
    if (request.url?.includes('/executions') !== true) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"message":"hello"}');
    return true;
  };
  assert.deepEqual((await read(api)).unread, [
    `n8n:${api.url}: None of its runs could be read: it sent something other than a list.`,
  ]);
});

test('rows that make no sense are runs without a clock, and never end the reading', async () => {
  await using api = await N8nApi.open({ workflows: WORKFLOWS });
  const odd = [null, 5, 'x', {}, { id: {}, startedAt: 'soon', stoppedAt: [], workflowId: {}, status: 7, mode: null }];
  api.fault = (request, response) => {
    if (request.url?.includes('/executions') !== true || request.url.includes('status=')) return false;
    const body = JSON.stringify({ data: [...odd, ...EXECUTIONS.slice(0, 2)], nextCursor: 7 });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return true;
  };
  const { runs, unread } = await read(api);
  assert.deepEqual(unread, []);
  assert.deepEqual(
    runs.map(({ runId, startedAtMs, isClockSuspect }) => [runId, startedAtMs !== null, isClockSuspect].join(' ')),
    ['(no id) false false', '(no id) false true', '1 true false', '2 true false'],
  );
});

test('a server without the API is told', async () => {
  await using api = await N8nApi.open();
  api.fault = failing('/', 404, 99);
  assert.deepEqual((await read(api)).unread, [
    `n8n:${api.url}: It has no public API there (404): write the address that its editor has; N8N_PUBLIC_API_DISABLED switches the API off.`,
  ]);
});

test('an address where nobody listens is told', async () => {
  const api = await N8nApi.open();
  const { url } = api;
  await api[Symbol.asyncDispose]();
  assert.deepEqual((await read(api, url)).unread, [
    `n8n:${url}: It refuses connections: is it up, and is the port right?`,
  ]);
});

test('a key that the server itself quotes is taken out of its words', async () => {
  await using api = await N8nApi.open();
  api.fault = (request, response) => {
    const message = `the key ${String(request.headers['x-n8n-api-key'])} of ops@example.com is blocked`;
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    return true;
  };
  const [line = ''] = (await read(api)).unread;
  assert.match(line, /\(the key \*\*\* of \*\*\*@\*\*\* is blocked\)\.$/);
});

test('a key that the server quotes where its words are cut is taken out whole', async () => {
  await using api = await N8nApi.open();
  api.fault = (request, response) => {
    const message = `${'much '.repeat(30)}${String(request.headers['x-n8n-api-key'])} is blocked`;
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    return true;
  };
  assert.match((await read(api)).unread[0] ?? '', /much \*\*\* is blo\)\.$/);
});

test('a certificate of its own making is named as that', async (t) => {
  const certificate = makeCertificate();
  if (certificate === null) return t.skip('openssl is not there to make a certificate');
  const server = createTlsServer(certificate, (_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { unread, waited } = await readSource(`n8n:https://127.0.0.1:${port}`, { key: 'any' });
  server.close();
  assert.deepEqual(
    [unread, waited],
    [
      [
        `n8n:https://127.0.0.1:${port}: It shows a certificate that this computer does not trust (self-signed): give it in NODE_EXTRA_CA_CERTS.`,
      ],
      [],
    ],
  );
});

test('TLS where none is spoken is told', async () => {
  await using api = await N8nApi.open();
  const address = api.url.replace('http:', 'https:');
  const { unread } = await readSource(`n8n:${address}`, { key: 'any' });
  assert.deepEqual(unread, [`n8n:${address}: It does not speak TLS there; is it http://, or another port?`]);
});
