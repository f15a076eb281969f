/**
 * Workflows that no person and no n8n wrote: whatever lies in the file, nothing is thrown, and the time is that of the
 * file's size.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { audit, cpuMsOf, draw, type Drawn } from './build.ts';

const TYPES = [
  'scheduleTrigger',
  'cron',
  'interval',
  'gmailTrigger',
  'webhook',
  'manualTrigger',
  'executeWorkflowTrigger',
  'airtable',
  'googleSheets',
  'postgres',
  'httpRequest',
  'gmail',
  'slack',
  'redis',
  'code',
  'if',
  'switch',
  'merge',
  'splitInBatches',
  'limit',
  'wait',
  'executeWorkflow',
  'removeDuplicates',
  'n8n',
  'graphql',
  'constructor',
  '__proto__',
  'toString',
  'odd',
].map((type) => `n8n-nodes-base.${type}`);
const NAMES = ['A', 'B', 'C', 'D', 'E', '__proto__', 'constructor'];
const WORDS = fc.constantFrom(
  '={{ $json.x }}',
  'get',
  'getAll',
  'executeQuery',
  'update orders set a = 1',
  'https://x.test/search',
  '',
  '__proto__',
  'hours',
  'everyX',
);

const parameters = fc.dictionary(
  fc.constantFrom(
    'operation',
    'resource',
    'query',
    'url',
    'method',
    'rule',
    'pollTimes',
    'triggerTimes',
    'limit',
    'returnAll',
    'jsCode',
    'table',
    'base',
    'workflowId',
    'options',
    'amount',
    'interval',
    'unit',
    'mode',
  ),
  fc.oneof(
    WORDS,
    fc.jsonValue({ maxDepth: 3 }),
    fc.record({ interval: fc.jsonValue({ maxDepth: 3 }), item: fc.jsonValue({ maxDepth: 3 }), value: WORDS }),
  ),
);
const node = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        name: fc.constantFrom(...NAMES),
        type: fc.constantFrom(...TYPES),
        typeVersion: fc.oneof(fc.constantFrom(1, 2, 2.1, 4.5), fc.jsonValue()),
        parameters: fc.oneof(parameters, fc.jsonValue()),
        disabled: fc.boolean(),
        onError: WORDS,
        position: fc.jsonValue({ maxDepth: 1 }),
        credentials: fc.jsonValue({ maxDepth: 3 }),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const target = fc.oneof(
  fc.record({ node: fc.constantFrom(...NAMES, 'Z'), type: fc.constant('main'), index: fc.nat(3) }),
  fc.jsonValue({ maxDepth: 1 }),
);
const joined = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.dictionary(
    fc.constantFrom('main', 'ai_tool'),
    fc.oneof(
      fc.array(fc.oneof(fc.array(target, { maxLength: 4 }), target), { maxLength: 3 }),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  ),
);
const workflow = fc.record(
  {
    id: fc.jsonValue({ maxDepth: 1 }),
    name: fc.jsonValue({ maxDepth: 1 }),
    active: fc.jsonValue({ maxDepth: 0 }),
    nodes: fc.array(node, { maxLength: 9 }),
    connections: fc.oneof(joined, fc.jsonValue()),
    settings: fc.oneof(
      fc.dictionary(fc.constantFrom('timezone', 'executionTimeout', 'maxConcurrency'), fc.jsonValue()),
      fc.jsonValue(),
    ),
    activeVersion: fc.jsonValue(),
  },
  { requiredKeys: ['nodes'] },
);

describe('garbage', () => {
  it('workflows of random parts are read, and each is told of once', () => {
    fc.assert(
      fc.property(fc.array(workflow, { maxLength: 4 }), (values) => {
        const { workflows, unread } = audit(values);
        for (const { paths, findings } of workflows) {
          assert.ok(
            paths.every(({ steps, firstWrite }) => (steps === null) === (firstWrite === null) && (steps ?? 0) >= 0),
          );
          assert.ok(
            findings.every(({ message, advice, evidence }) => message !== '' && advice !== '' && evidence.length <= 20),
          );
        }
        assert.ok(workflows.length + unread.length > 0 || values.length === 0);
        const told = workflows.flatMap(({ findings, schedule }) => [
          ...findings.map(({ message, advice }) => message + advice),
          ...(schedule?.rules ?? []).map(({ expression, fault }) => `${expression} ${fault ?? ''}`),
        ]);
        for (const text of told) assert.doesNotMatch(text, /undefined|NaN|\[object/);
      }),
      { numRuns: 400 },
    );
  });

  it('any JSON is read or told of', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { workflows, unread } = audit(value);
        assert.ok(workflows.length + unread.length > 0);
      }),
      { numRuns: 300 },
    );
  });

  it('fifteen hundred nodes that all lead to one another, reads and writes, take seconds at most', () => {
    const rows = { base: { value: 'appOrders00001' }, table: { value: 'tblOrders00001' } };
    const nodes: Record<string, Drawn> = { Clock: { type: 'scheduleTrigger' } };
    const kinds: readonly Drawn[] = [
      { type: 'airtable', typeVersion: 2, parameters: { operation: 'search', ...rows } },
      { type: 'airtable', typeVersion: 2, parameters: { operation: 'update', ...rows } },
      { type: 'gmail', typeVersion: 2 },
      { type: 'splitInBatches', typeVersion: 3 },
      { type: 'redis', parameters: { operation: 'get', key: 'k' } },
    ];
    for (let at = 0; at < 1_500; at += 1) nodes[`n${at}`] = kinds[at % kinds.length] ?? { type: 'noOp' };
    const connections = Object.fromEntries(
      Object.keys(nodes).map((name, at) => [
        name,
        {
          main: [0, 1].map((output) =>
            Array.from({ length: 5 }, (_, index) => ({
              node: `n${(at * 31 + index * 977 + output * 13) % 1_500}`,
              type: 'main',
              index: 0,
            })),
          ),
        },
      ]),
    );
    const took = cpuMsOf(() => assert.equal(audit(draw({ nodes, flow: '', connections })).workflows.length, 1));
    assert.ok(took < 8_000, `${took} ms`);
  });
});
