/** Code, commands, agents and nodes that nobody knows: what can be told is told, and the rest stays open. */
import { type Drawn, draw, HOURLY } from '../n8n/build.ts';
import { code, http, READ_ROWS } from '../n8n/parts.ts';
import { n8n, type Known, type Sample } from './corpus.ts';
import { guarded, STORY_FINDS } from './parts.ts';

const LANGCHAIN = '@n8n/n8n-nodes-langchain.';

const between = (name: string, thing: Drawn, known: Known): Sample =>
  guarded(name, { Thing: thing }, 'Clock > Read > Thing > Mail > Mark', known);
const alone = (name: string, thing: Drawn, known: Known): Sample =>
  n8n(name, { nodes: { Clock: HOURLY, Thing: thing }, flow: 'Clock > Thing' }, known);
/** `Clock > Read > Thing`: whether what is read is marked or only worked depends on it. */
const behindRead = (name: string, thing: Drawn, known: Known): Sample =>
  n8n(name, { nodes: { Clock: HOURLY, Read: READ_ROWS, Thing: thing }, flow: 'Clock > Read > Thing' }, known);

const TOLD: Known = { finds: STORY_FINDS, paths: [['Read', 'Mark', 2, true]] };
/** The story, and that a node on the way can't be read: it may have been the guard. */
const OPEN: Known = { finds: ['guard.missing info'], says: { 'guard.missing': /It can't be told what "Thing" does/ } };
const UNSURE: Known = {
  finds: ['window.effect-before-mark critical', 'window.read-to-write warning', 'guard.missing info'],
  paths: [['Read', 'Mark', 2, true]],
};

const agent = (tool: Drawn | null): Record<string, unknown> => ({
  nodes: {
    Clock: HOURLY,
    Agent: { type: `${LANGCHAIN}agent`, typeVersion: 2 },
    ...(tool === null ? {} : { Tool: tool }),
  },
  flow: 'Clock > Agent',
});

function withTool(name: string, tool: Drawn | null, known: Known): Sample {
  const { nodes, flow } = agent(tool) as { nodes: Record<string, Drawn>; flow: string };
  const drawn = draw({ nodes, flow, id: name, name, settings: { timezone: 'UTC' } });
  const connections = drawn['connections'] as Record<string, unknown>;
  const plugged = { ...connections, Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } };
  return { name, files: { 'agent.json': { ...drawn, connections: tool === null ? connections : plugged } }, known };
}

export const CODE: readonly Sample[] = [
  between('code-that-shapes', code('return $input.all().map((item) => ({ json: { n: item.json.n + 1 } }));'), TOLD),
  between('an-old-function', { type: 'function', parameters: { functionCode: 'return items;' } }, TOLD),
  between('an-old-function-of-an-item', { type: 'functionItem', parameters: { functionCode: 'return item;' } }, TOLD),
  between(
    'python',
    { type: 'code', typeVersion: 2, parameters: { language: 'python', pythonCode: 'return _input.all()' } },
    TOLD,
  ),
  between('code-that-fetches', code("const a = await fetch('https://x.test'); return $input.all();"), UNSURE),
  between('code-that-asks-by-a-helper', code('await this.helpers.httpRequest({ url }); return $input.all();'), UNSURE),
  between(
    'python-that-asks',
    { type: 'code', typeVersion: 2, parameters: { language: 'python', pythonCode: 'requests.post(url)' } },
    UNSURE,
  ),
  between('code-that-only-speaks-of-fetching', code('// fetch( nothing\nreturn $input.all();'), TOLD),
  between('a-node-of-the-community', { type: 'n8n-nodes-somebody.thing' }, UNSURE),
  between('a-command', { type: 'executeCommand', parameters: { command: 'ls' } }, UNSURE),
  between('a-model-in-between', { type: `${LANGCHAIN}openAi`, typeVersion: 1.8 }, TOLD),
  between('a-chain-in-between', { type: `${LANGCHAIN}chainLlm`, typeVersion: 1.5 }, TOLD),
  between(
    'a-lock-of-the-community',
    { type: 'n8n-nodes-concurrencylock.concurrencyLock' },
    {
      finds: ['window.effect-before-mark critical', 'window.read-to-write warning'],
      may: ['guard.missing'],
    },
  ),
  between(
    'a-computed-operation',
    { type: 'slack', typeVersion: 2.2, parameters: { operation: '={{ $json.op }}' } },
    UNSURE,
  ),
  alone('code-alone', code('return [];'), { finds: [] }),
  alone('code-that-fetches-alone', code("await fetch('https://x.test')"), OPEN),
  alone('a-command-over-ssh', { type: 'ssh', parameters: { command: './run.sh' } }, OPEN),
  alone('a-lambda', { type: 'awsLambda', parameters: { function: 'f' } }, OPEN),
  alone('a-custom-node', { type: 'CUSTOM.myNode' }, OPEN),
  alone(
    'our-node-of-a-custom-folder',
    { type: 'CUSTOM.leasehold', parameters: { operation: 'acquire' } },
    { finds: [] },
  ),
  alone(
    'a-node-with-an-operation-that-speaks',
    { type: 'mandrillish', parameters: { operation: 'send' } },
    {
      finds: ['guard.missing info'],
      says: { 'guard.missing': /"Thing" \(mandrillish send\) is reached without a guard/ },
    },
  ),
  // Nobody knows whether it marks: what is read may come again.
  behindRead(
    'a-community-node-behind-the-read',
    { type: 'n8n-nodes-somebody.thing' },
    {
      ...OPEN,
      paths: [['Read', null, null, false]],
    },
  ),
  behindRead('code-behind-the-read', code('return $input.all();'), { finds: [], paths: [['Read', null, null, false]] }),
  behindRead(
    'a-vector-store-that-is-filled',
    { type: `${LANGCHAIN}vectorStorePinecone`, typeVersion: 1, parameters: { mode: 'insert' } },
    {
      finds: ['window.no-status-write warning', 'guard.missing warning'],
      paths: [['Read', null, null, true]],
    },
  ),
  behindRead(
    'a-vector-store-that-is-asked',
    { type: `${LANGCHAIN}vectorStorePinecone`, typeVersion: 1, parameters: { mode: 'load' } },
    { finds: [] },
  ),
  withTool('an-agent-without-tools', null, { finds: [] }),
  withTool('an-agent-that-may-mail', { type: 'gmailTool', typeVersion: 2.1 }, { finds: ['guard.missing info'] }),
  withTool('an-agent-that-may-only-read', { type: 'googleSheetsTool', typeVersion: 4.5 }, { finds: [] }),
  withTool(
    'an-agent-that-may-post',
    { ...http('POST', 'https://x.test/send'), type: 'httpRequestTool' },
    { finds: ['guard.missing info'] },
  ),
  withTool('an-agent-with-a-calculator', { type: `${LANGCHAIN}toolCalculator` }, { finds: [] }),
  withTool(
    'an-agent-with-a-tool-of-the-community',
    { type: 'n8n-nodes-somebody.thingTool' },
    { finds: ['guard.missing info'] },
  ),
];
