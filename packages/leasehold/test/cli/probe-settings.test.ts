/** Probes that a configuration file names: asked by starts, and refused by the file's name where they make no sense. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openLeasehold } from '../../src/index.ts';
import { json, openPlatform } from '../probes/platform-server.ts';
import { type Bench, type Ended, openBench } from './command-line.ts';

const KEY = 'n8n_api_s3cret';
const ENV = { TEST_N8N_KEY: KEY };

function start(bench: Bench, probes: unknown, env: Readonly<Record<string, string>> = ENV): Promise<Ended> {
  const config = join(bench.folder, 'leasehold.json');
  writeFileSync(config, JSON.stringify({ probes }));
  return bench.run(['run', 'a', '--config', config, '--', 'true'], { env });
}

it('a start asks n8n after an execution that holds the lock, and takes it once that has ended', async () => {
  await using bench = openBench();
  await using n8n = await openPlatform(json({ id: '231', status: 'running' }));
  await using leasehold = await openLeasehold(bench.store);
  const holderInfo = { platform: 'n8n', probe: 'n8n', executionId: '231' };
  await leasehold.lock('a').acquire({ leaseMs: 600_000, holder: 'n8n:231', holderInfo, renewal: 'touch' });
  const probes = { n8n: { url: n8n.url, apiKey: 'env:TEST_N8N_KEY' } };
  assert.equal((await start(bench, probes)).code, 75);
  n8n.answer = json({ id: '231', status: 'canceled' });
  assert.equal((await start(bench, probes)).code, 75);
  n8n.answer = json({ id: '231', status: 'error' });
  const late = await start(bench, probes);
  assert.equal(late.code, 0);
  assert.match(late.stderr, /probe ended: n8n execution 231 is error; the previous run has ended without releasing it/);
  assert.equal(n8n.asked.length, 3);
  assert.equal(n8n.asked[0]?.headers['x-n8n-api-key'], KEY);
});

it('a start without that probe does not ask, and goes by the clock', async () => {
  await using bench = openBench();
  await using leasehold = await openLeasehold(bench.store);
  const holderInfo = { probe: 'n8n', executionId: '231' };
  await leasehold.lock('a').acquire({ leaseMs: 600_000, holderInfo, renewal: 'touch' });
  assert.equal((await start(bench, {})).code, 75);
  assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 75);
});

it('probes that make no sense are refused by the name of their file, before anything is started', async () => {
  await using bench = openBench();
  const http = { url: 'https://a.example/{runId}', state: '/s', alive: ['a'], ended: ['b'] };
  const bad: [unknown, RegExp][] = [
    [[], /"probes" that is no object/],
    [{ make: {} }, /unknown probe "make"; known: n8n, http/],
    [{ n8n: 7 }, /"n8n" of "probes" that is no object/],
    [{ n8n: { url: 'https://n8n', key: 'x' } }, /has an unknown key "key" in its n8n probe; known: url, apiKey/],
    [{ n8n: { url: 'https://n8n', apiKey: KEY } }, /needs the apiKey of its probe written as env:NAME/],
    [{ n8n: { url: 'https://n8n', apiKey: 'env:NOT_SET_1' } }, /needs the environment variable NOT_SET_1/],
    [{ n8n: { url: 'n8n', apiKey: 'env:TEST_N8N_KEY' } }, /the URL of n8n must be a URL/],
    [{ http: { ...http, headers: { authorization: KEY } } }, /header authorization of its probe written as env:NAME/],
    [{ http: { ...http, headers: [] } }, /has "headers" of its http probe that is no object/],
    [{ http: { ...http, ended: ['a'] } }, /"a" can't mean both/],
  ];
  for (const [probes, words] of bad) {
    const { code, stderr } = await start(bench, probes);
    assert.equal(code, 78, stderr);
    assert.match(stderr, words);
    assert.match(stderr, /configuration .*leasehold\.json/);
    assert.ok(!stderr.includes(KEY), stderr);
  }
});
