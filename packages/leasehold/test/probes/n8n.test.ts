/** What the n8n probe makes of an execution, over real HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import type { ProbeVerdict } from '../../src/domain/evidence.ts';
import type { HolderInfo } from '../../src/domain/lock-state.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { createN8nProbe } from '../../src/probes/n8n/probe.ts';
import { json, openPlatform, type PlatformServer } from './platform-server.ts';

const KEY = 'n8n_api_s3cret';

describe('the n8n probe', () => {
  let n8n: PlatformServer;
  before(async () => {
    n8n = await openPlatform();
  });
  after(() => n8n[Symbol.asyncDispose]());

  async function ask(holderInfo: HolderInfo, timeoutMs = 2_000): Promise<ProbeVerdict> {
    const probe = createN8nProbe({ url: `${n8n.url}/base/`, apiKey: KEY }, systemClock);
    const verdict = await probe.ask({ lock: 'job', holder: 'h', runId: 'r', holderInfo }, timeoutMs);
    assert.ok(!verdict.detail.includes(KEY) && !verdict.detail.includes(n8n.url), verdict.detail);
    return verdict;
  }

  it('asks the public API for the execution, with its key in a header', async () => {
    n8n.answer = json({ id: '231', status: 'running', workflowId: 'w1' });
    assert.deepEqual(await ask({ executionId: '231' }), { state: 'alive', detail: 'n8n execution 231 is running' });
    const { path, headers } = n8n.asked.at(-1) ?? { path: '', headers: {} };
    assert.deepEqual([path, headers['x-n8n-api-key']], ['/base/api/v1/executions/231', KEY]);
  });

  const states = {
    success: 'ended',
    error: 'ended',
    running: 'alive',
    new: 'alive',
    waiting: 'alive',
    canceled: 'unknown',
    crashed: 'unknown',
    unknown: 'unknown',
    constructor: 'unknown',
  };
  for (const [status, state] of Object.entries(states)) {
    it(`says ${state} of an execution that is ${status}`, async () => {
      n8n.answer = json({ id: 7, status });
      assert.deepEqual(await ask({ executionId: 7 }), { state, detail: `n8n execution 7 is ${status}` });
    });
  }

  it('does not take the word for another execution, nor for that of another workflow or instance', async () => {
    n8n.answer = json({ id: '8', status: 'success', workflowId: 'w1' });
    assert.equal((await ask({ executionId: '7' })).state, 'unknown');
    assert.equal((await ask({ executionId: '8', workflowId: 'w2' })).state, 'unknown');
    assert.equal((await ask({ executionId: '8', workflowId: 'w1' })).state, 'ended');
  });

  it('asks nothing for a holder that names no execution, or one that would lead elsewhere', async () => {
    const askedBefore = n8n.asked.length;
    for (const executionId of [undefined, null, '', '..', '../workflows/1', 'a?b', '1#', {}, 1.5, 'x'.repeat(65)]) {
      assert.equal((await ask({ executionId })).state, 'unknown', JSON.stringify(executionId));
    }
    assert.equal(n8n.asked.length, askedBefore);
  });

  it('says unknown where n8n refuses, has none, sends elsewhere, or talks nonsense', async () => {
    const refusals = { 401: /answered 401/, 404: /answered 404/, 500: /answered 500/, 204: /answered 204/ };
    for (const [status, words] of Object.entries(refusals)) {
      n8n.answer = json({ id: '7', status: 'success' }, Number(status));
      const { state, detail } = await ask({ executionId: '7' });
      assert.equal(state, 'unknown');
      assert.match(detail, words);
    }
    for (const [body, words] of [
      ['<html>', /something other than JSON/],
      ['', /something other than JSON/],
      ['[]', /another execution/],
      ['null', /another execution/],
      ['{"id":"7","status":{"is":"success"}}', /something else/],
      ['{"id":"7","status":"success\\nfoo"}', /something else/],
    ] as const) {
      n8n.answer = (_request, response) => void response.end(body);
      const { state, detail } = await ask({ executionId: '7' });
      assert.equal(state, 'unknown', body);
      assert.match(detail, words);
    }
  });

  it('follows no redirect, which would take the key along', async () => {
    await using elsewhere = await openPlatform(json({ id: '7', status: 'success' }));
    n8n.answer = (_request, response) => {
      response.writeHead(302, { location: `${elsewhere.url}/api/v1/executions/7` });
      response.end();
    };
    assert.match((await ask({ executionId: '7' })).detail, /answered 302, and redirects are not followed/);
    assert.equal(elsewhere.asked.length, 0);
  });

  it('waits no longer than it may, for the answer and for its end, and reads no more than a status needs', async () => {
    n8n.answer = () => {};
    assert.match((await ask({ executionId: '7' }, 50)).detail, /did not answer in time/);
    n8n.answer = (_request, response) => void response.write('{"id":"7"');
    assert.match((await ask({ executionId: '7' }, 50)).detail, /did not answer in time/);
    n8n.answer = (_request, response) => void response.end(' '.repeat(2_000_000));
    assert.match((await ask({ executionId: '7' })).detail, /sent too much/);
  });

  it('says unknown where nobody listens', async () => {
    const gone = await openPlatform();
    await gone[Symbol.asyncDispose]();
    const probe = createN8nProbe({ url: gone.url, apiKey: KEY }, systemClock);
    const { state, detail } = await probe.ask(
      { lock: 'job', holder: null, runId: null, holderInfo: { executionId: '7' } },
      2_000,
    );
    assert.deepEqual([state, detail], ['unknown', "n8n can't be reached (ECONNREFUSED)"]);
  });
});

test('an n8n probe that makes no sense is refused, and its key is not said', () => {
  for (const options of [
    { url: 'ftp://n8n', apiKey: KEY },
    { url: 'n8n', apiKey: KEY },
    { url: 'https://user:pass@n8n.example', apiKey: KEY },
    { url: 'https://n8n.example', apiKey: `${KEY}\n` },
    { url: 'https://n8n.example', apiKey: '' },
  ]) {
    assert.throws(
      () => createN8nProbe(options, systemClock),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'INVALID_ARGUMENT');
        return !error.message.includes(KEY) && !error.message.includes('pass@');
      },
    );
  }
});
