/** What is said of probes and by them, word for word. Of real processes and over real HTTP where that is needed. */
import { after, before, describe } from 'node:test';
import type { HolderInfo } from '../../src/domain/lock-state.ts';
import { checkHttpProbe, checkN8nProbe, type HttpProbeOptions } from '../../src/domain/probe-spec.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import type { ProcessSight, ProcessTable } from '../../src/ports/process-table.ts';
import { createHttpProbe } from '../../src/probes/http/probe.ts';
import { createN8nProbe } from '../../src/probes/n8n/probe.ts';
import { createProcessProbe } from '../../src/probes/process/probe.ts';
import { json, openPlatform, type PlatformServer } from '../probes/platform-server.ts';
import { assertSaid, type Said } from './said.ts';

const HTTP: HttpProbeOptions = {
  url: 'https://a.example/{runId}',
  state: '/status',
  alive: ['running'],
  ended: ['done'],
};
const http = (patch: object) => () => checkHttpProbe({ ...HTTP, ...patch });

const SPECS: readonly Said[] = [
  [() => checkN8nProbe({ url: 'n8n', apiKey: 'k' }), 'the URL of n8n must be a URL with http:// or https://'],
  [
    () => checkN8nProbe({ url: 'https://u:p@n8n.example', apiKey: 'k' }),
    'the URL of n8n has credentials in it; send them as a header',
  ],
  [
    () => checkN8nProbe({ url: 'https://n8n.example', apiKey: 'k\n' }),
    "n8n's API key must be 1 to 8,192 visible characters",
  ],
  [http({ url: 'ftp://a.example/{runId}' }), 'the URL to ask must be a URL with http:// or https://'],
  [http({ url: 'https://u:p@a.example/{runId}' }), 'the URL to ask has credentials in it; send them as a header'],
  [http({ url: 'https://a.example/{token}' }), 'the URL to ask has {token}; known: {lock}, {holder}, {runId}'],
  [http({ url: 'https://a.example/{lock}' }), 'the URL to ask must have {runId} or {holder}'],
  [
    http({ url: 'https://{holder}/{runId}' }),
    'the URL to ask has a place to fill in its host; have it in the path or the query',
  ],
  [http({ alive: ['a', 'b'], ended: ['b'] }), `"b" can't mean both alive and ended`],
  [http({ alive: [] }), 'alive must be a list of the words that mean it'],
  [http({ ended: 'done' }), 'ended must be a list of the words that mean it'],
  [http({ state: 'status' }), 'state must be a JSON pointer, such as /status or /data/0/state'],
  [http({ headers: { 'x y': 's' } }), '"x y" is no name of a header'],
  [http({ headers: { Authorization: 's\r\n' } }), 'the header Authorization must be 1 to 8,192 visible characters'],
];

const HOLDER = { host: 'a', bootId: 'b', pidNamespace: 'n', pid: 40, startTicks: 7, childGroup: 'none' };
const ENDED: ProcessSight = { kind: 'none' };

function process(holder: HolderInfo, sight: ProcessSight, company: ReturnType<ProcessTable['company']> = 'hidden') {
  const table: ProcessTable = {
    place: () => ({ host: 'a', bootId: 'b', pidNamespace: 'n', blindness: null }),
    look: () => sight,
    company: () => company,
  };
  return async () =>
    (await createProcessProbe(table).ask({ lock: 'job', holder: 'h', runId: 'r', holderInfo: holder }, 1_000)).detail;
}

const GROUP = { ...HOLDER, childGroup: { pgid: 41, startTicks: 8 } };
const RUNNING: ProcessSight = { kind: 'seen', startTicks: 7, isStopped: false, hasEnded: false };
const PROCESSES: readonly Said[] = [
  [process({ pid: 40 }, RUNNING), 'its holder names no process'],
  [process({ ...HOLDER, host: 'web2' }, RUNNING), 'it runs on host web2'],
  [process({ ...HOLDER, bootId: 'c' }, RUNNING), 'it runs in another boot of its host'],
  [process({ ...HOLDER, pidNamespace: 'm' }, RUNNING), 'it runs in another PID namespace'],
  [process(HOLDER, { kind: 'hidden' }), "process 40 can't be looked at from here"],
  [process(HOLDER, RUNNING), 'process 40 runs'],
  [process(HOLDER, { ...RUNNING, isStopped: true }), 'process 40 is stopped'],
  [process(HOLDER, ENDED), 'process 40 has ended'],
  [
    process({ ...HOLDER, childGroup: null }, ENDED),
    'process 40 has ended, whether it started its command is not known',
  ],
  [process(GROUP, RUNNING, 'nobody'), 'process 40 runs, its command has ended'],
  [process(GROUP, ENDED, 'nobody'), 'process 40 and its command have ended'],
  [process(GROUP, ENDED, 'somebody'), 'process 40 has ended, its child may be alive'],
  [process(GROUP, ENDED, 'hidden'), "process 40 has ended, its command can't be looked at from here"],
];

let platform: PlatformServer;
const text = (body: string) => () => {
  platform.answer = (_request, response) => void response.end(body);
};
const body = (value: unknown) => () => {
  platform.answer = json(value);
};

function n8n(holderInfo: HolderInfo, answer: () => void = () => {}) {
  return async () => {
    answer();
    const probe = createN8nProbe({ url: platform.url, apiKey: 'k' }, systemClock);
    return (await probe.ask({ lock: 'job', holder: 'h', runId: 'r', holderInfo }, 5_000)).detail;
  };
}

function asked(answer: () => void, runId: string | null = 'r') {
  return async () => {
    answer();
    const probe = createHttpProbe({ ...HTTP, url: `${platform.url}/{runId}` }, systemClock);
    return (await probe.ask({ lock: 'job', holder: 'h', runId, holderInfo: {} }, 5_000)).detail;
  };
}

const PLATFORMS: readonly Said[] = [
  [n8n({}), 'its holder names no n8n execution'],
  [n8n({ executionId: '7' }, body({ id: '7', status: 'running' })), 'n8n execution 7 is running'],
  [n8n({ executionId: '7' }, body({ id: '8', status: 'success' })), 'n8n answered for another execution'],
  [
    n8n({ executionId: '7', workflowId: 'w2' }, body({ id: '7', status: 'success', workflowId: 'w1' })),
    'n8n execution 7 is of another workflow',
  ],
  [n8n({ executionId: '7' }, text('<html>')), 'n8n sent something other than JSON'],
  [asked(body({ status: 'done' })), 'its system says done'],
  [asked(body({ status: {} })), 'its system says nothing of its state'],
  [asked(text('<html>')), 'its system sent something other than JSON'],
  [asked(body({}), null), "what its holder says can't stand in the URL to ask"],
];

describe('of what may be asked', () => assertSaid(SPECS));
describe('of processes', () => assertSaid(PROCESSES));
describe('of platforms', () => {
  before(async () => {
    platform = await openPlatform();
  });
  after(() => platform[Symbol.asyncDispose]());
  assertSaid(PLATFORMS);
});
