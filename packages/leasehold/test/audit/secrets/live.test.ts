/** The same of a system that runs: what its address holds, and what it says of itself. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { TEXTS } from './shapes.ts';
import { leaksIn, shownOf } from './shown.ts';

const KEY = 'Ask1ngKeyOfSomebody';

async function serve(listener: RequestListener): Promise<{ readonly base: string } & AsyncDisposable> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { base: `127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

describe('no secret gets out of an n8n that runs', () => {
  it('whose refusals quote them', async () => {
    let message = '';
    await using n8n = await serve((_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    });
    for (const shape of TEXTS) {
      message = `request refused: ${shape.text}`;
      const shown = await shownOf(`n8n:http://${n8n.base}`, KEY);
      assert.match(shown.json, /400/);
      assert.deepEqual(leaksIn(shown, shape), []);
    }
  });

  it('whose refusals quote the key', async () => {
    await using n8n = await serve((request, response) => {
      const message = `key ${String(request.headers['x-n8n-api-key'])} is not known`;
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    });
    assert.doesNotMatch(JSON.stringify(await shownOf(`n8n:http://${n8n.base}`, KEY)), /Ask1ng/);
  });

  it('whose workflows and runs have them', async () => {
    let text = '';
    await using n8n = await serve((request, response) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname;
      const isWorkflow = path.endsWith('/workflows');
      const run = {
        id: '1',
        workflowId: 'w',
        mode: 'trigger',
        status: 'success',
        startedAt: '2026-06-01T00:00:00Z',
        stoppedAt: '2026-06-01T01:00:00Z',
      };
      const workflow = {
        id: 'w',
        name: text,
        active: true,
        versionId: text,
        tags: [{ name: text }],
        nodes: [{ name: text, type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, parameters: {}, notes: text }],
        connections: {},
        settings: { timezone: text },
      };
      const isOpen = request.url?.includes('status=') === true;
      const data = isWorkflow ? [workflow] : isOpen ? [] : [{ ...run, error: text }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, nextCursor: null }));
    });
    for (const shape of TEXTS) {
      ({ text } = shape);
      const shown = await shownOf(`n8n:http://${n8n.base}`, KEY);
      assert.match(shown.terminal, /1 run/);
      assert.deepEqual(leaksIn(shown, shape), []);
    }
  });

  for (const source of [
    'n8n:http://jane.doe%40corp.example:Secr3tY@127.0.0.1:1/5f0d6c1e-9d5b-4c1f-8a34-77e0b1c2d3e4?x=Secr3tY#Secr3tY',
    'n8n:http://nowhere.invalid/5f0d6c1e-9d5b-4c1f-8a34-77e0b1c2d3e4',
    'n8n:https://app:Secr3tY',
    'postgres://app:Secr3tY@127.0.0.1:1/db',
    'postgres://app:p@ss/Secr3tY@127.0.0.1:1/db',
    'postgres://127.0.0.1:1/db?password=Secr3tY&user=jane.doe@corp.example',
    'mysql://app:Secr3tY@h/db',
    'https://app:Secr3tY@n8n.test/',
    'redis://:Secr3tY@h',
    'sqlite:/nope/jane.doe@corp.example.sqlite',
    'sqlite:/nope/token=Secr3tY/x.sqlite',
    '/nope/jane.doe@corp.example/runs.csv',
    '/nope/password=Secr3tY.csv',
    'hc-ping.com/5f0d6c1e-9d5b-4c1f-8a34-77e0b1c2d3e4',
  ]) {
    it(`named as ${source}`, async () => {
      for (const key of [KEY, undefined])
        assert.doesNotMatch(JSON.stringify(await shownOf(source, key)), /Secr3tY|jane\.doe|5f0d6c1e/i);
    });
  }
});
