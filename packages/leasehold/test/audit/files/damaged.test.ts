/** Files of every kind, cut, flipped and mixed at random: whatever comes of them, nothing throws, and the reader ends. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readPiped } from './stage.ts';
import { zipOf } from './zip-of.ts';

const at = (hour: number): string => new Date(Date.UTC(2026, 2, 1, hour)).toISOString();
const HOURS = Array.from({ length: 8 }, (_, hour) => hour);
const CSV = `start,end,job\n${HOURS.map((hour) => `${at(hour)},${at(hour + 1)},"a, ""b"""`).join('\n')}\n`;
const NDJSON = HOURS.map((hour) => JSON.stringify({ job: 'a', start: at(hour), end: at(hour + 1) })).join('\n');
const EXECUTIONS = JSON.stringify({
  data: HOURS.map((id) => ({
    id,
    workflowId: 'w',
    mode: 'trigger',
    status: 'success',
    startedAt: at(id),
    stoppedAt: at(id + 1),
  })),
});
const WORKFLOW = JSON.stringify({
  id: 'w',
  nodes: [
    {
      id: '1',
      name: 'A',
      type: 'n8n-nodes-base.scheduleTrigger',
      typeVersion: 1.2,
      position: [0, 0],
      parameters: { rule: { interval: [{}] } },
    },
    {
      id: '2',
      name: 'B',
      type: 'n8n-nodes-base.postgres',
      typeVersion: 2,
      position: [0, 0],
      parameters: { operation: 'select' },
    },
  ],
  connections: { A: { main: [[{ node: 'B', type: 'main', index: 0 }]] } },
});
const MAKE = JSON.stringify({
  scenarioLogs: HOURS.map((hour) => ({
    imtId: `1_scenario.7.auto.${hour}`,
    timestamp: at(hour),
    duration: 60_000,
    status: 1,
    type: 'auto',
  })),
});
const BLUEPRINT = JSON.stringify({
  name: 'x',
  flow: [
    { id: 1, module: 'gateway:CustomWebHook' },
    { id: 2, module: 'builtin:BasicRouter', routes: [{ flow: [{ id: 3, module: 'a:b' }] }] },
  ],
  metadata: { instant: true, scenario: { sequential: true, dlq: true } },
});
const ZAPFILE = JSON.stringify({
  zaps: [
    {
      id: 5,
      title: 'x',
      nodes: {
        7: { id: 7, parent_id: null, selected_api: 'ScheduleCLIAPI@1', action: 'everyDay', params: { hod: '9:00 AM' } },
      },
    },
  ],
});
const CRONTAB =
  'MAILTO=x\nCRON_TZ=Europe/Berlin\n*/5 * * * * root flock -n /tmp/x /usr/bin/sync >/dev/null 2>&1\n@daily backup\n';
const KINDS: readonly Buffer[] = [CSV, NDJSON, EXECUTIONS, WORKFLOW, MAKE, BLUEPRINT, ZAPFILE, CRONTAB]
  .map((text) => Buffer.from(text))
  .flatMap((bytes) => [bytes, gzipSync(bytes), zipOf({ 'a/b': bytes }, 'deflated')]);

/** One thing that happens to a file on its way. */
type Damage = (bytes: Buffer) => Buffer;
const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const place = (bytes: Buffer, where: number): number => Math.floor(where * bytes.length);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  share.map(
    (end): Damage =>
      (bytes) =>
        bytes.subarray(0, place(bytes, end)),
  ),
  share.map(
    (start): Damage =>
      (bytes) =>
        bytes.subarray(place(bytes, start)),
  ),
  fc.tuple(share, fc.integer({ min: 0, max: 255 })).map(
    ([where, byte]): Damage =>
      (bytes) => {
        const changed = Buffer.from(bytes);
        if (changed.length > 0) changed[place(changed, where)] = byte;
        return changed;
      },
  ),
  fc.tuple(share, fc.constantFrom('"', '\\', '{', ']', '\n', ',', '\0', '\r', 'null', '\ufeff', '9'.repeat(400))).map(
    ([where, text]): Damage =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, place(bytes, where)), Buffer.from(text), bytes.subarray(place(bytes, where))]),
  ),
  fc.constantFrom(...KINDS).map(
    (other): Damage =>
      (bytes) =>
        Buffer.concat([bytes, other]),
  ),
);

describe('a damaged file', () => {
  it('of any kind is read or told, and never thrown over', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...KINDS),
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(1, 7, 4_096),
        async (whole, damages, pieceBytes) => {
          const bytes = damages.reduce((left, each) => each(left), whole);
          const found = await readPiped(bytes, pieceBytes);
          const told = [...found.runs, ...found.workflows, ...found.unread, ...found.limits];
          assert.ok(told.length > 0, bytes.toString('latin1'));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of no kind is told in one sentence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (bytes) => {
        const { unread, runs } = await readPiped(bytes, 64);
        assert.ok(unread.length >= 1 && runs.length === 0, JSON.stringify(unread));
      }),
      { numRuns: 300 },
    );
  });

  it('whose JSON holds anything at the places where runs and workflows have something is read or told', async () => {
    const anything = fc.jsonValue({ maxDepth: 2 });
    const keys = [
      'id',
      'nodes',
      'connections',
      'flow',
      'metadata',
      'zaps',
      'parent_id',
      'startedAt',
      'stoppedAt',
      'mode',
      'workflowId',
      'timestamp',
      'imtId',
      'duration',
      'zap_id',
      'steps',
      'start',
      'end',
      'scheduling',
      'response',
      'blueprint',
      'workflowData',
      'eventName',
      'ts',
      'payload',
      'type',
      'status',
    ];
    const value = fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(anything, fc.dictionary(fc.constantFrom(...keys), anything)),
      { maxKeys: 8 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), fc.boolean(), async (values, isList) => {
        const text = isList ? JSON.stringify(values) : values.map((each) => JSON.stringify(each)).join('\n');
        const found = await readPiped(text, 512);
        assert.ok([...found.runs, ...found.workflows, ...found.unread, ...found.limits].length > 0, text);
      }),
      { numRuns: 400 },
    );
  });
});
