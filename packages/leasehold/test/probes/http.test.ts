/** What the configurable HTTP probe asks, and what it makes of the answer, over real HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import type { ProbeVerdict } from '../../src/domain/evidence.ts';
import type { HttpProbeOptions } from '../../src/domain/probe-spec.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import type { ProbeSubject } from '../../src/ports/probe.ts';
import { createHttpProbe } from '../../src/probes/http/probe.ts';
import { json, openPlatform, type PlatformServer } from './platform-server.ts';

const SECRET = 'Bearer s3cret';
const SUBJECT: ProbeSubject = { lock: 'job', holder: 'exec-1', runId: 'run-1', holderInfo: { probe: 'http' } };

describe('the HTTP probe', () => {
  let platform: PlatformServer;
  before(async () => {
    platform = await openPlatform();
  });
  after(() => platform[Symbol.asyncDispose]());

  async function ask(
    subject: Partial<ProbeSubject> = {},
    options: Partial<HttpProbeOptions> = {},
  ): Promise<ProbeVerdict> {
    const spec = {
      url: `${platform.url}/runs/{runId}`,
      headers: { Authorization: SECRET },
      state: '/status',
      alive: ['running', 'true'],
      ended: ['done', '3'],
      ...options,
    };
    const verdict = await createHttpProbe(spec, systemClock).ask({ ...SUBJECT, ...subject }, 2_000);
    assert.ok(!verdict.detail.includes('s3cret') && !verdict.detail.includes(platform.url), verdict.detail);
    return verdict;
  }

  it('puts lock, holder and run into the URL, percent-encoded, and sends its headers', async () => {
    platform.answer = json({ status: 'running' });
    const url = `${platform.url}/{lock}/{holder}?run={runId}`;
    const verdict = await ask({ lock: 'a/b c', holder: 'host:1?x', runId: 'r&s=%2f' }, { url });
    assert.deepEqual(verdict, { state: 'alive', detail: 'its system says running' });
    const { path, headers } = platform.asked.at(-1) ?? { path: '', headers: {} };
    assert.equal(path, '/a%2Fb%20c/host%3A1%3Fx?run=r%26s%3D%252f');
    assert.equal(headers.authorization, SECRET);
  });

  it('reads the state where the pointer says, as text, number or truth', async () => {
    const cases: [unknown, string, string][] = [
      [{ status: 'done' }, '/status', 'ended'],
      [{ status: 3 }, '/status', 'ended'],
      [{ data: [{ 'a/b': { '~x': true } }] }, '/data/0/a~1b/~0x', 'alive'],
      ['running', '', 'alive'],
      [{ status: 'paused' }, '/status', 'unknown'],
      [{ status: { done: 1 } }, '/status', 'unknown'],
      [{ status: ['done'] }, '/status', 'unknown'],
      [{}, '/status', 'unknown'],
      [{}, '/toString', 'unknown'],
      [null, '/status', 'unknown'],
    ];
    for (const [body, state, expected] of cases) {
      platform.answer = json(body);
      assert.equal((await ask({}, { state })).state, expected, JSON.stringify(body));
    }
  });

  it('believes nothing but a 200, and follows no redirect', async () => {
    for (const status of [201, 301, 400, 403, 404, 503]) {
      platform.answer = json({ status: 'done' }, status);
      const { state, detail } = await ask();
      assert.equal(state, 'unknown');
      assert.match(detail, new RegExp(`answered ${status}`));
    }
  });

  it('asks nothing where the holder lacks what is to be asked for, or would lead elsewhere', async () => {
    const askedBefore = platform.asked.length;
    const leading = { url: `${platform.url}/runs/{runId}/state` };
    for (const runId of [null, '', '.', '..', '\ud800']) {
      assert.equal((await ask({ runId }, leading)).state, 'unknown', String(runId));
    }
    assert.equal((await ask({ holder: null }, { url: `${platform.url}/{runId}/{holder}` })).state, 'unknown');
    assert.equal(platform.asked.length, askedBefore);
  });

  it('takes nothing of where to ask from the holder', async () => {
    await using elsewhere = await openPlatform(json({ status: 'done' }));
    platform.answer = json({ status: 'running' });
    const runId = `@${elsewhere.url.slice('http://'.length)}/x`;
    await ask({ runId, holderInfo: { probe: 'http', url: elsewhere.url } });
    assert.equal(elsewhere.asked.length, 0);
  });
});

test('an HTTP probe that makes no sense is refused, and no header is said', () => {
  const good = { url: 'https://a.example/{runId}', state: '/status', alive: ['a'], ended: ['b'] };
  createHttpProbe(good, systemClock);
  const bad: object[] = [
    { url: 'https://a.example/runs' },
    { url: 'https://a.example/{lock}' },
    { url: 'https://a.example/{runId}/{token}' },
    { url: 'https://{holder}/{runId}' },
    { url: 'https://a.example{runId}' },
    { url: 'ftp://a.example/{runId}' },
    { url: 'https://u:p@a.example/{runId}' },
    { url: 7 },
    { state: 'status' },
    { state: '/a~2' },
    { state: undefined },
    { alive: [] },
    { ended: 'done' },
    { alive: ['a'], ended: ['a'] },
    { headers: { 'x y': 's3cret' } },
    { headers: { authorization: 's3cret\r\nx: y' } },
  ];
  for (const patch of bad) {
    assert.throws(
      () => createHttpProbe({ ...good, ...patch }, systemClock),
      (error: Error & { code?: string }) => error.code === 'INVALID_ARGUMENT' && !error.message.includes('s3cret'),
      JSON.stringify(patch),
    );
  }
});
